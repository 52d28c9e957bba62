"""The page form, which refuses to publish a page with problems. The editor's text stays in the form."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from wagtail.admin import messages
from wagtail.admin.views.pages.create import CreateView
from wagtail.admin.views.pages.edit import EditView
from wagtail.models import Page

from ...content.page_slug import TreePageForm
from ...content.pages.base import SitePage
from ..merging import own_saves
from ..merging.base import FIELD, CarriedField, describe_base
from .draft_check import check_draft
from .form_problems import FormProblem, count_problems, place, say_count


class CheckedPageForm(TreePageForm):
    """Checks the page before it is published. Drafts are saved without a check."""

    merge_base = CarriedField(required=False)
    form_key = CarriedField(required=False)
    refused: list[FormProblem] | None = None
    """Set after publishing was refused."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_bound:
            self.initial[FIELD] = describe_base(self)
            self.initial[own_saves.FIELD] = own_saves.new_key()

    def is_valid(self) -> bool:
        if not super().is_valid():
            return False
        if self.refused is None and self._publishes():
            self.save(commit=False)  # adds rows and relations to the page in memory; the view saves again
            found = check_form(self)
            at_once = not (self.instance.go_live_at and self.instance.go_live_at > timezone.now())
            self.refused = [each for each in found if not each.is_warning and (at_once or not each.is_of_others)]
            if self.refused:
                self.add_error(None, ValidationError([each.text for each in self.refused]))
        return not self.refused

    def _publishes(self) -> bool:
        approves = self.data.get("action-workflow-action") and self.data.get("workflow-action-name") == "approve"
        return bool(self.data.get("action-publish") or approves)


def connect() -> None:
    SitePage.base_form_class = CheckedPageForm
    for view in (CreateView, EditView):
        if not hasattr(view.form_invalid, "__wrapped__"):
            view.form_invalid = _say_refused(view.form_invalid)


def check_form(form: Any) -> list[FormProblem]:
    """Return the problems of the page in a valid form that is saved in memory.

    A new page gets its future place in the tree during the check.
    """
    page = form.instance
    if not page._state.adding:
        return place(check_draft(page), page)
    before = page.path, page.depth, page.url_path
    _put_below(page, form.parent_page)
    try:
        return place(check_draft(page), page)
    finally:
        page.path, page.depth, page.url_path = before


def _put_below(page: Page, parent: Page) -> None:
    """Set the place that a new page would have in the tree. Nothing is saved."""
    last = parent.get_last_child()
    page.depth = parent.depth + 1
    page.path = last._inc_path() if last else page._get_path(parent.path, page.depth, 1)
    page.set_url_path(parent)


def _say_refused(form_invalid: Callable[[Any, Any], HttpResponse]) -> Callable[[Any, Any], HttpResponse]:
    """Replace Wagtail's message about validation errors."""

    @wraps(form_invalid)
    def say(self: Any, form: Any) -> HttpResponse:
        found = getattr(form, "refused", None)
        if not found or self.expects_json_response or getattr(self, "locked_for_user", False):
            return form_invalid(self, form)
        text = (
            gettext("“%(title)s” is not published: %(things)s. Fix it, or save a draft.")
            if count_problems(found) == 1
            else gettext("“%(title)s” is not published: %(things)s. Fix them, or save a draft.")
        )
        said = text % {"title": form.instance.title, "things": say_count(found).lower()}
        messages.validation_error(self.request, said, form)
        self.errors_debug, self.has_unsaved_changes = repr(form.errors), True
        response: HttpResponse = self.render_to_response(self.get_context_data())
        return response

    return say

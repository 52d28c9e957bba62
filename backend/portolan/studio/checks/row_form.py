"""The forms of entries, menus, footers and rate cards, which refuse to publish problems."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from wagtail.admin.forms import WagtailAdminModelForm
from wagtail.snippets.views.snippets import CreateView, EditView

from ...content.collections.base import Entry, EntryForm
from ...content.drafts import Drafted
from ...content.site_setting import SiteSetting
from .form_problems import FormProblem, count_problems, place_in_row, say_count
from .row_check import check_row


class CheckedRowForm(WagtailAdminModelForm):
    """Checks the row before it is published. Drafts are saved without a check."""

    refused: list[FormProblem] | None = None
    """Set once it was refused."""

    def is_valid(self) -> bool:
        if not super().is_valid():
            return False
        if self.refused is None and self.data.get("action-publish"):
            self.save(commit=False)  # adds rows to the object in memory; the view saves again
            at_once = not (self.instance.go_live_at and self.instance.go_live_at > timezone.now())
            found = check_row_form(self)
            self.refused = [each for each in found if not each.is_warning and (at_once or not each.is_of_others)]
            if self.refused:
                self.add_error(None, ValidationError([each.text for each in self.refused]))
        return not self.refused


class CheckedEntryForm(CheckedRowForm, EntryForm):
    pass


def connect() -> None:
    Entry.base_form_class = CheckedEntryForm
    SiteSetting.base_form_class = CheckedRowForm
    for view in (CreateView, EditView):
        if not hasattr(view.form_invalid, "__wrapped__"):
            view.form_invalid = _say_refused(view.form_invalid)


def check_row_form(form: Any) -> list[FormProblem]:
    """Return the problems of the object in a valid form that is saved in memory."""
    return place_in_row(check_row(form.instance), form.instance, form)


def _say_refused(form_invalid: Callable[[Any, Any], HttpResponse]) -> Callable[[Any, Any], HttpResponse]:
    """Replace Wagtail's message about errors."""

    @wraps(form_invalid)
    def say(self: Any, form: Any) -> HttpResponse:
        if found := getattr(form, "refused", None):
            self.produced_error_message = _say(form.instance, found)
        return form_invalid(self, form)

    return say


def _say(row: Drafted, found: list[FormProblem]) -> str:
    said = {"title": row, "things": say_count(found).lower()}
    if count_problems(found) == 1:
        return gettext("“%(title)s” is not published: %(things)s. Fix it, or save a draft.") % said
    return gettext("“%(title)s” is not published: %(things)s. Fix them, or save a draft.") % said

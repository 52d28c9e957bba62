"""Wagtail's form of a page, where somebody else has saved it meanwhile: who saves second has both, and is asked where both
changed the same. Wagtail's own would save over it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse
from django.utils.functional import cached_property
from django.utils.timezone import localtime
from django.utils.translation import gettext
from wagtail.admin import messages
from wagtail.admin.ui.editing_sessions import EditingSessionsList
from wagtail.admin.views.pages.edit import EditView
from wagtail.models import Revision

from .base import FIELD, name_revision, parse_base
from .merge import merge_with


def connect() -> None:
    if not hasattr(EditView.form_valid, "__wrapped__"):
        EditView.form_valid = _merge_first(EditView.form_valid)
        is_out_of_date = cached_property(_is_out_of_date(EditView.__dict__["is_out_of_date"].func))
        is_out_of_date.__set_name__(EditView, "is_out_of_date")
        EditView.is_out_of_date = is_out_of_date
        EditingSessionsList.template_name = "studio/editing_sessions.html"


def _is_out_of_date(by_revision: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """A form that asks to choose shows the newest revision's number, and does not have what is in it."""

    @wraps(by_revision)
    def ask(self: Any) -> bool:
        latest, base = self.latest_revision, parse_base(self.request.POST.get(FIELD))
        own = self.request.POST.get("overwrite_revision_id")
        if latest is None or base is None or own:
            return by_revision(self)
        return base.revision != name_revision(latest)

    return ask


def _merge_first(form_valid: Callable[[Any, Any], HttpResponse]) -> Callable[[Any, Any], HttpResponse]:
    @wraps(form_valid)
    def run(self: Any, form: Any) -> HttpResponse:
        if self.expects_json_response or not self.is_out_of_date:
            return form_valid(self, form)
        merged = merge_with(form, self.latest_revision)
        if merged.conflicts:
            form.merged = merged
            messages.error(self.request, _say_conflicts(self.latest_revision, len(merged.conflicts)))
            self.has_unsaved_changes = True
            response: HttpResponse = self.render_to_response(self.get_context_data())
            return response
        sent = self.request.POST.copy()
        sent.pop("overwrite_revision_id", None)  # theirs came after it, and stays in the history
        self.request.POST = sent
        form.to_mend = None  # what is merged is more than what was checked
        if not form.is_valid():
            refused: HttpResponse = self.form_invalid(form)
            return refused
        if merged.taken:
            messages.info(self.request, _say_taken(self.latest_revision, merged.taken))
        return form_valid(self, form)

    return run


def _say_taken(latest: Revision, taken: list[str]) -> str:
    return gettext(
        "{who} saved this page at {time}, while you were editing it. Your version has their changes too: {what}."
    ).format(**_who(latest), what="; ".join(taken))


def _say_conflicts(latest: Revision, count: int) -> str:
    return gettext(
        "Not saved yet: {who} saved this page at {time}, and changed what you changed too. Choose below whose to keep "
        "({count} to choose), then save again. Nothing of yours and of theirs is lost."
    ).format(**_who(latest), count=count)


def _who(latest: Revision) -> dict[str, str]:
    name = latest.user.get_full_name() or latest.user.get_username() if latest.user else gettext("Somebody")
    return {"who": name, "time": f"{localtime(latest.created_at):%H:%M}"}

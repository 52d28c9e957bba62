"""Merge concurrent edits in Wagtail's page form.

If another person has saved the page meanwhile, both versions are merged. If both changed the same field, the editor
chooses. Wagtail would overwrite the other version.
"""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.functional import cached_property
from django.utils.translation import gettext
from wagtail.admin import messages
from wagtail.admin.ui.editing_sessions import EditingSessionsList
from wagtail.admin.views import editing_sessions
from wagtail.admin.views.pages.create import CreateView
from wagtail.admin.views.pages.edit import EditView
from wagtail.models import Revision

from ..authors import name_of
from ..time_zones import say_moment_for
from . import own_saves
from .base import FIELD, name_revision, parse_base
from .merge import merge_with
from .others import find_question

_View = Callable[..., HttpResponse]
_OUT_OF_DATE: Final = "invalid_revision"


def connect() -> None:
    """Patch Wagtail's views once."""
    if hasattr(EditView.form_valid, "__wrapped__"):
        return
    own_saves.connect()
    EditView.form_valid = _note_saves(_merge_first(EditView.form_valid))
    CreateView.form_valid = _note_saves(CreateView.form_valid)
    EditView.post = _go_on_from_own(EditView.post)
    CreateView.post = _edit_what_was_created(CreateView.post)
    EditView.json_error_response = _say_merging(EditView.json_error_response)
    is_out_of_date = cached_property(_is_out_of_date(EditView.__dict__["is_out_of_date"].func))
    is_out_of_date.__set_name__(EditView, "is_out_of_date")
    EditView.is_out_of_date = is_out_of_date
    EditingSessionsList.template_name = "studio/editing_sessions.html"
    editing_sessions.ping = _hide_own_saves(editing_sessions.ping)


def _is_out_of_date(by_revision: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Compare the form's base with the newest revision.

    A form with a question has the newest revision's number, but not its content.
    """

    @wraps(by_revision)
    def ask(self: Any) -> bool:
        latest, sent = self.latest_revision, self.request.POST
        if latest is None:
            return False
        if own := _find_own(self):
            return bool(own != latest)
        base = parse_base(sent.get(FIELD))
        if base is None or sent.get("overwrite_revision_id"):
            return by_revision(self)
        return base.revision != name_revision(latest)

    return ask


def _find_own(view: Any) -> Revision | None:
    return own_saves.find_own(view.page.pk, view.request.POST.get(own_saves.FIELD), view.request.user)


def _note_saves(form_valid: Callable[[Any, Any], HttpResponse]) -> Callable[[Any, Any], HttpResponse]:
    @wraps(form_valid)
    def run(self: Any, form: Any) -> HttpResponse:
        with own_saves.saving_from(form.data.get(own_saves.FIELD)):
            return form_valid(self, form)

    return run


def _go_on_from_own(post: _View) -> _View:
    """Let an automatic save overwrite the newest draft of its form.

    The form may not have its number if a reply was lost. Published and scheduled revisions are never overwritten.
    """

    @wraps(post)
    def run(self: Any, request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        if stated := request.POST.get("overwrite_revision_id"):
            own = _find_own(self)
            wanted = str(own.pk) if own and own == self.latest_revision else str(stated)
            kept = (self.real_page_record.live_revision_id, getattr(self.scheduled_revision, "pk", None))
            sent = request.POST.copy()
            del sent["overwrite_revision_id"]
            if wanted not in map(str, kept):
                sent["overwrite_revision_id"] = wanted
            request.POST = sent  # type: ignore[assignment]
        return post(self, request, *args, **named)

    return run


def _edit_what_was_created(post: _View) -> _View:
    """Continue with the page that this form created, even if the reply was lost. This avoids a second page."""

    @wraps(post)
    def run(self: Any, request: HttpRequest, *args: Any, **named: Any) -> HttpResponse:
        page = own_saves.find_created(
            request.POST.get(own_saves.FIELD), request.user, self.parent_page, self.page_class
        )
        if page is None:
            return post(self, request, *args, **named)
        answer: HttpResponse = EditView.as_view()(request, page.pk)
        if self.expects_json_response and answer.status_code == 200:
            self.page = page
            url = self.get_edit_url()
            said = {**json.loads(answer.content), "url": url, "hydrate_url": f"{url}?_w_hydrate_create_view=1"}
            return JsonResponse(said)
        return answer

    return run


def _say_merging(json_error_response: Callable[[Any, str, str], HttpResponse]) -> Callable[..., HttpResponse]:
    """Replace Wagtail's message, which is about overwriting."""

    @wraps(json_error_response)
    def say(self: Any, error_code: str, error_message: str) -> HttpResponse:
        if error_code == _OUT_OF_DATE and self.is_out_of_date:
            error_message = _say(
                self,
                gettext(
                    "{who} saved this page at {time}. Save yours too: both versions are merged, and nothing is overwritten."
                ),
                gettext(
                    "You saved this page in another window at {time}. Save here too: both versions are merged, and nothing is "
                    "overwritten."
                ),
            )
        return json_error_response(self, error_code, error_message)

    return say


def _hide_own_saves(ping: _View) -> _View:
    """Hide a form's own saves from its ping.

    This includes a save during the ping. Otherwise Wagtail would ask before the next save. Call it before Wagtail's
    URLs are loaded, which import the view.
    """

    @wraps(ping)
    def answer(request: HttpRequest, app_label: str, model_name: str, object_id: str, session_id: int) -> HttpResponse:
        if model_name != "page" or not object_id.isdigit() or "revision_id" not in request.POST:
            return ping(request, app_label, model_name, object_id, session_id)
        page_id, key = int(object_id), request.POST.get(own_saves.FIELD)
        own = own_saves.find_own(page_id, key, request.user)
        while True:
            if own and own.created_at.isoformat() > request.POST.get("revision_created_at", ""):
                sent = request.POST.copy()
                sent["revision_id"], sent["revision_created_at"] = str(own.pk), own.created_at.isoformat()
                request.POST = sent  # type: ignore[assignment]
            found = ping(request, app_label, model_name, object_id, session_id)
            before, own = own, own_saves.find_own(page_id, key, request.user)
            if own is None or (before and own.created_at == before.created_at):
                return found

    return answer


def _merge_first(form_valid: Callable[[Any, Any], HttpResponse]) -> Callable[[Any, Any], HttpResponse]:
    @wraps(form_valid)
    def run(self: Any, form: Any) -> HttpResponse:
        if self.is_out_of_date and not self.expects_json_response:
            merged = merge_with(form, self.latest_revision)
            if merged.conflicts:
                form.merged = merged
                messages.error(self.request, _say_conflicts(self, len(merged.conflicts)))
                return _show_again(self)
            sent = self.request.POST.copy()
            sent.pop("overwrite_revision_id", None)  # their revision is newer and stays in the history
            self.request.POST = sent
            form.refused = None  # the merged version has not been checked yet
            if not form.is_valid():
                refused: HttpResponse = self.form_invalid(form)
                return refused
            if question := _ask_first(self, form):
                return question
            if merged.taken:
                messages.info(self.request, _say_taken(self, merged.taken))
        elif question := _ask_first(self, form):
            return question
        return form_valid(self, form)

    return run


def _ask_first(view: Any, form: Any) -> HttpResponse | None:
    """Return the form with a question if publishing would include changes of others; else ``None``."""
    if view.action_name != "publish":
        return None
    form.save(commit=False)
    question = find_question(form, view.real_page_record, view.latest_revision)
    if question is None:
        return None
    said = gettext(
        "Not published yet: this would also publish changes of {who}. Confirm this below, then publish again."
    ).format(who=", ".join(each.who for each in question.changes))
    if view.expects_json_response:
        refused: HttpResponse = view.json_error_response("validation_error", said)
        return refused
    messages.warning(view.request, said)
    view.page = view.get_object()  # the form's page is merged, but its fields show the old values
    view.form = view.form_class(
        view.request.POST,
        view.request.FILES,
        instance=view.page,
        subscription=view.subscription,
        parent_page=view.parent,
        for_user=view.request.user,
    )
    view.form.question = question
    return _show_again(view)


def _show_again(view: Any) -> HttpResponse:
    view.has_unsaved_changes = True
    response: HttpResponse = view.render_to_response(view.get_context_data())
    return response


def _say_taken(view: Any, taken: list[str]) -> str:
    return _say(
        view,
        gettext(
            "{who} saved this page at {time}, while you were editing it. Your version now includes those "
            "changes: {what}."
        ),
        gettext("You saved this page in another window at {time}. This version now includes those changes: {what}."),
        what="; ".join(taken),
    )


def _say_conflicts(view: Any, count: int) -> str:
    return _say(
        view,
        gettext(
            "Not saved yet: {who} saved this page at {time} and changed the same fields. Choose below which "
            "version to keep ({count} to choose), then save again."
        ),
        gettext(
            "Not saved yet: you changed the same fields in another window, saved at {time}. Choose below which "
            "version to keep ({count} to choose), then save again."
        ),
        count=count,
    )


def _say(view: Any, of_another: str, own: str, **more: Any) -> str:
    """Return the text for the author of the newest revision, with name and time."""
    latest, user = view.latest_revision, view.request.user
    who = name_of(latest.user) if latest.user else gettext("Another editor")
    text = own if latest.user_id == user.pk else of_another
    return text.format(who=who, time=say_moment_for(user, latest.created_at), **more)

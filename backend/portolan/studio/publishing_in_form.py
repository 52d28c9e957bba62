"""Publish without leaving the form.

The studio's script sends the form like an automatic save and gets the new parts as JSON. Scroll position, open blocks
and undo stay. Without the script, the form is sent and reloaded.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.translation import gettext
from wagtail.admin.views.pages.edit import EditView as PageEditView
from wagtail.models import Page
from wagtail.snippets.views.snippets import EditView as EntryEditView

from .published import take_messages, was_published

_View = Callable[[Any, Any], HttpResponse]


def connect() -> None:
    """Patch the views once. Call it after merging, whose questions come first."""
    if not hasattr(PageEditView.form_valid, "answers_script"):
        PageEditView.form_valid = _answer_script(PageEditView.form_valid, _describe_page)
        EntryEditView.form_valid = _answer_script(EntryEditView.form_valid, _describe_entry)


def _answer_script(form_valid: _View, describe: Callable[[Any], dict[str, Any]]) -> _View:
    @wraps(form_valid)
    def run(self: Any, form: Any) -> HttpResponse:
        answer = form_valid(self, form)
        if not self.expects_json_response or self.response_is_json(answer):
            return answer
        if not was_published(self.request):
            said = gettext("Decide on the question above, then publish again.")
            refused: HttpResponse = self.json_error_response("blocked_by_hook", said)
            return refused
        return JsonResponse(describe(self))

    run.answers_script = True  # type: ignore[attr-defined]
    return run


def _describe_page(view: Any) -> dict[str, Any]:
    page = view.real_page_record = Page.objects.prefetch_workflow_states().get(pk=view.page.pk)
    revision = view.latest_revision = page.get_latest_revision()
    view.scheduled_revision = page.scheduled_revision
    view.scheduled_page = page.get_scheduled_revision_as_object()
    view.__dict__.pop("latest_revision_created_at", None)
    status = render_to_string(
        "wagtailadmin/shared/page_status_tag_new.html", {"page": view.get_page_for_status()}, view.request
    )
    return {
        "success": True,
        "pk": page.pk,
        "revision_id": revision.pk,
        "revision_created_at": revision.created_at.isoformat(),
        "field_updates": dict(view.form.get_field_updates_for_resave()),
        "comments": view.form.serialize_comments(view.request.user),
        "html": view.render_partials() + _replace("header [data-page-status]", status),
        **_say(view, is_locked=page.get_lock() is not None),
    }


def _describe_entry(view: Any) -> dict[str, Any]:
    lock = view.object.get_lock() if hasattr(view.object, "get_lock") else None
    return {**view.get_success_json(), **_say(view, is_locked=lock is not None)}


def _say(view: Any, is_locked: bool) -> dict[str, Any]:
    """Return the messages. A form that is now locked by its schedule is reloaded and shows them then."""
    return {"reload": True} if is_locked else {"messages": take_messages(view.request)}


def _replace(target: str, html: str) -> str:
    """Return HTML that replaces an element, as Wagtail's replies to saved drafts do."""
    return format_html(
        '<template data-controller="w-teleport" data-w-teleport-target-value="{}" data-w-teleport-mode-value="outerHTML">{}</template>',
        target,
        html,
    )

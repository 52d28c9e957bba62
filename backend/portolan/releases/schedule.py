"""Run the schedule: publish and expire pages, entries, menus and redirects, publish change sets, and let events pass.

Wagtail has its own command for all of these except change sets. It stops at the first page that cannot be saved, so
that one error would block everything scheduled after it.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import partial

from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError, transaction
from wagtail.models import Page, Revision

from ..content.changes import keys_of_entries
from ..content.drafts import Drafted
from ..content.moments import EXPIRING, Timed
from ..domain.moments import stamp
from .author import acting_as
from .change_sets import put_due_live
from .changes import note_changes, note_moments
from .models import Moment


def run_schedule(now: datetime) -> list[str]:
    """Publish and expire everything that is due. Return a sentence for each failure, which is retried.

    Publishing comes before expiry, so that a page whose whole period was missed is never shown.
    """
    problems = run_dates(now)
    problems += put_due_live(now)  # last, so that it gets a release of its own
    return problems


def run_dates(now: datetime, ahead: bool = False) -> list[str]:
    """Run the schedule for everything except change sets. ``ahead``: ``now`` is in the future."""
    revisions = Revision.objects.filter(approved_go_live_at__lte=now).order_by("approved_go_live_at")
    problems = list(_run(revisions.values_list("pk", flat=True), partial(_publish, ahead=ahead)))
    pages = Page.objects.filter(live=True, expire_at__lte=now).order_by("expire_at")
    problems += _run(pages.values_list("pk", flat=True), _expire)
    for model in EXPIRING:
        rows = model._default_manager.filter(live=True, expire_at__lte=now).order_by("expire_at")
        problems += _run(rows.values_list("pk", flat=True), partial(_expire_row, model))
    _note_due(now)
    return problems


def _note_due(now: datetime) -> None:
    """Note changes for events, whose state follows from their dates and the time of the release."""
    with transaction.atomic():
        due = {Timed(moment.kind, moment.key) for moment in Moment.objects.filter(at__lte=now)}
        for item in sorted(due):
            note_changes(keys_of_entries(item.kind, [item.key]))
            note_moments(item)  # again, because a site's time zone may have changed


def _run(ids: Iterable[int], act: Callable[[int], str]) -> Iterable[str]:
    for id in list(ids):
        problem = act(id)
        if problem:
            yield problem


def _publish(id: int, ahead: bool = False) -> str:
    revision = Revision.objects.filter(pk=id, approved_go_live_at__isnull=False).first()
    if revision is None:  # the schedule was cancelled meanwhile
        return ""
    said = f"“{revision.object_str}” was to go live at {stamp(revision.approved_go_live_at)}"
    if ahead:
        revision.content["go_live_at"] = None  # else Wagtail would only schedule it
    editor = revision.user
    with acting_as(editor.get_full_name() or editor.get_username() if editor else ""):
        return _try(lambda: revision.publish(log_action="wagtail.publish.scheduled"), said)


def _expire(id: int) -> str:
    page = Page.objects.filter(pk=id, live=True).first()
    if page is None:  # a copy that expired with its original
        return ""
    return _try(lambda: _unpublish(page.specific), f"“{page.title}” was to expire at {stamp(page.expire_at)}")


def _expire_row(model: type[Drafted], id: int) -> str:
    row = model._default_manager.filter(pk=id, live=True).first()
    if row is None:
        return ""
    return _try(lambda: _unpublish(row), f"“{row}” was to expire at {stamp(row.expire_at)}")


def _unpublish(page: Page | Drafted) -> None:
    """Unpublish, but keep later schedules, which Wagtail would remove with the page."""
    later = dict(page.revisions.filter(approved_go_live_at__isnull=False).values_list("pk", "approved_go_live_at"))
    page.unpublish(set_expired=True, log_action="wagtail.unpublish.scheduled")
    for id, at in later.items():
        Revision.objects.filter(pk=id).update(approved_go_live_at=at)


def _try(act: Callable[[], None], what: str) -> str:
    try:
        with transaction.atomic():
            act()
    except (OperationalError, InterfaceError):  # a database error is not a problem of one page
        raise
    except Exception as error:
        reason = " ".join(error.messages) if isinstance(error, ValidationError) else repr(error)
        return f"{what} and failed: {reason} Portolan retries. Correct it in the studio, or cancel its schedule."
    return ""

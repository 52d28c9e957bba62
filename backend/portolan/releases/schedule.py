"""Runs what is due: pages, entries, menus and redirects go live and expire when their time has come, change sets go live, and
events pass. Wagtail stores the dates of all but change sets and has a command of its own that runs them. But that command
stops at the first page that cannot be saved, so that one mistake would stop everything scheduled after it.
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
    """Publish and expire what is due. Returns a sentence for each page that could not be, which is tried again.

    First what goes live, then what expires: a page whose whole time was missed is never shown.
    """
    problems = run_dates(now)
    problems += put_due_live(now)  # last: what else is due is a release of its own
    return problems


def run_dates(now: datetime, ahead: bool = False) -> list[str]:
    """The same for all that has dates of its own, which change sets have not. ``ahead``: ``now`` is still to come."""
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
    """Events have no state to change: what they are follows from their dates and the time of the freeze."""
    with transaction.atomic():
        due = {Timed(moment.kind, moment.key) for moment in Moment.objects.filter(at__lte=now)}
        for item in sorted(due):
            note_changes(keys_of_entries(item.kind, [item.key]))
            note_moments(item)  # anew: a site's clocks may be others than when it was saved


def _run(ids: Iterable[int], act: Callable[[int], str]) -> Iterable[str]:
    for id in list(ids):
        problem = act(id)
        if problem:
            yield problem


def _publish(id: int, ahead: bool = False) -> str:
    revision = Revision.objects.filter(pk=id, approved_go_live_at__isnull=False).first()
    if revision is None:  # somebody cancelled it meanwhile
        return ""
    said = f"“{revision.object_str}” was to go live at {stamp(revision.approved_go_live_at)}"
    if ahead:
        revision.content["go_live_at"] = None  # else Wagtail would only schedule it
    editor = revision.user
    with acting_as(editor.get_full_name() or editor.get_username() if editor else ""):
        return _try(lambda: revision.publish(log_action="wagtail.publish.scheduled"), said)


def _expire(id: int) -> str:
    page = Page.objects.filter(pk=id, live=True).first()
    if page is None:  # a copy, which went with its original
        return ""
    return _try(lambda: _unpublish(page.specific), f"“{page.title}” was to expire at {stamp(page.expire_at)}")


def _expire_row(model: type[Drafted], id: int) -> str:
    row = model._default_manager.filter(pk=id, live=True).first()
    if row is None:
        return ""
    return _try(lambda: _unpublish(row), f"“{row}” was to expire at {stamp(row.expire_at)}")


def _unpublish(page: Page | Drafted) -> None:
    """Changes that are to go live later still do: Wagtail takes a page's schedule away with the page."""
    later = dict(page.revisions.filter(approved_go_live_at__isnull=False).values_list("pk", "approved_go_live_at"))
    page.unpublish(set_expired=True, log_action="wagtail.unpublish.scheduled")
    for id, at in later.items():
        Revision.objects.filter(pk=id).update(approved_go_live_at=at)


def _try(act: Callable[[], None], what: str) -> str:
    try:
        with transaction.atomic():
            act()
    except (OperationalError, InterfaceError):  # the database's trouble, and no page's
        raise
    except Exception as error:
        reason = " ".join(error.messages) if isinstance(error, ValidationError) else repr(error)
        return f"{what} and could not: {reason} It is tried again; open it in the studio and fix it, or cancel its schedule."
    return ""

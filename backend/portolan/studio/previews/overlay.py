"""Build the content of a preview: a release with drafts over it.

It is built once for each state of its content, and used for all pages of all sites.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

import orjson
from django.apps import apps
from django.db.models import Count, Max
from django.utils.translation import gettext as _
from wagtail.models import Page, Revision

from ...content.change_sets.holding import standings
from ...content.change_sets.models import ChangeSet
from ...content.errors import SnapshotError
from ...content.export import examine_draft
from ...content.pages.base import SitePage
from ...domain.change_sets import State
from ...domain.previews import Shown
from ...publisher.snapshot import Snapshot
from ...releases.change_sets import Rehearsal, rehearse, rehearse_draft
from ...releases.connection import connected_reader
from ...releases.overlaid import OverlaidReader
from ...releases.reader import Item, ItemId
from ...releases.rehearse_date import rehearse_until
from ...releases.release_view import ReleaseView, release_view_of
from ..problem_names import say_in_studio

_KEPT: Final = 12
"""Overlays in memory. One page takes about 20 kB, a large change set several MB."""


class NothingToShow(Exception):
    """The previewed content was deleted. The message gives the reason."""


class Overlay(NamedTuple):
    mark: str
    """Equal for overlays with the same content."""
    release_view: ReleaseView
    drafts: tuple[Item, ...] = ()
    gone: frozenset[ItemId] = frozenset()
    problems: tuple[str, ...] = ()
    """Missing parts and the reasons, in the studio's words."""

    def snapshot(self) -> Snapshot:
        """Return a snapshot on the connection of the calling thread."""
        return Snapshot(connected_reader(), self.release_view, self.drafts, self.gone)

    def reader(self) -> OverlaidReader:
        return OverlaidReader(connected_reader(), self.drafts, self.gone)


class Subject(NamedTuple):
    """The subject of a preview in its current state."""

    mark: str
    find: Callable[[], Rehearsal | None]
    """Returns ``None`` if only the release is shown."""
    release: int | None = None
    """``None`` for the newest release."""


def overlay_of(shown: Shown, subject: str) -> Overlay:
    """Return the overlay of a subject. Raises NothingToShow.

    After a change, it takes some tenths of a second for each item.
    """
    found = _FINDERS[shown](subject)
    reader = connected_reader()
    number = found.release or reader.latest()
    if number is None or (mark := reader.mark(number)) is None:
        raise NothingToShow(
            _("This release is not stored.") if number else _("Nothing is published yet. Publish a page to start.")
        )
    key = sha256(repr((shown, subject, found.mark, mark)).encode()).hexdigest()
    return _kept.get(key, lambda: _lay_over(key, release_view_of(reader, number), found.find()))


def load_entry(subject: str) -> Any | None:
    """Return the previewed entry, menu, footer or rate card."""
    label, _, id = subject.partition(":")
    try:
        return apps.get_model(label)._default_manager.filter(pk=id).first()
    except (LookupError, ValueError):
        return None


def load_page(subject: str) -> SitePage | None:
    found = Page.objects.filter(pk=subject).first() if subject.isdecimal() else None
    page = found and found.specific
    return page if isinstance(page, SitePage) else None


def load_set(subject: str) -> ChangeSet | None:
    return ChangeSet.objects.filter(pk=subject).first() if subject.isdecimal() else None


def read_date(subject: str) -> datetime | None:
    try:
        at = datetime.fromisoformat(subject)
    except ValueError:
        return None
    return at if at.tzinfo else None


def _lay_over(key: str, release_view: ReleaseView, rehearsal: Rehearsal | None) -> Overlay:
    if rehearsal is None:
        return Overlay(key, release_view)
    bodies = rehearsal.bodies
    drafts = (Item(*id, digest="", body=orjson.dumps(body)) for id, body in bodies.items() if body is not None)
    gone = (ItemId(*id) for id, body in bodies.items() if body is None)
    problems = [*rehearsal.refused.values(), *say_in_studio(rehearsal.problems)]
    return Overlay(key, release_view, tuple(drafts), frozenset(gone), tuple(problems))


def _of_page(subject: str) -> Subject:
    page = load_page(subject)
    if page is None:
        raise NothingToShow(_("The page was deleted."))
    found: SitePage = page

    def find() -> Rehearsal:
        rehearsal = rehearse_draft(found)
        _show_unfinished(found, rehearsal)
        return rehearsal

    return Subject(f"{page.live} {page.latest_revision_id}", find)


def _show_unfinished(page: SitePage, rehearsal: Rehearsal) -> None:
    """Add the page in its present state, even if it could not be published."""
    try:
        draft = examine_draft(page.get_latest_revision_as_object())
    except SnapshotError:
        return  # the rehearsal reports the problems
    for key, body in draft.bodies.items():
        if rehearsal.bodies.get(key) is None:
            rehearsal.bodies[key] = body


def _of_entry(subject: str) -> Subject:
    row = load_entry(subject)
    if row is None:
        raise NothingToShow(_("The previewed entry was deleted."))
    return Subject(f"{row.live} {row.latest_revision_id}", lambda: rehearse_draft(row))


def _of_set(subject: str) -> Subject:
    change_set = load_set(subject)
    if change_set is None:
        raise NothingToShow(_("The change set was deleted."))
    found: ChangeSet = change_set
    if change_set.at is State.LIVE:
        return Subject("live", lambda: None)
    if not change_set.holds:
        raise NothingToShow(_("The change set was closed or reverted."))
    return Subject(_mark_set(change_set), lambda: rehearse(found))


def _of_date(subject: str) -> Subject:
    at = read_date(subject)
    if at is None:
        raise NothingToShow(_("This is not a date."))
    day: datetime = at
    due = Revision.objects.filter(approved_go_live_at__lte=at).aggregate(n=Count("pk"), last=Max("pk"))
    pages = Page.objects.filter(live=True, expire_at__lte=at).aggregate(n=Count("pk"), last=Max("expire_at"))
    sets = ChangeSet.objects.filter(state=State.SCHEDULED.value, go_live_at__lte=at).order_by("pk")
    marks = [_mark_set(row) for row in sets.prefetch_related("items")]
    return Subject(repr((sorted(due.items()), sorted(pages.items()), marks)), lambda: rehearse_until(day))


def _of_release(subject: str) -> Subject:
    if not subject.isdecimal() or not int(subject):
        raise NothingToShow(_("This release does not exist."))
    return Subject("", lambda: None, release=int(subject))


def _mark_set(change_set: ChangeSet) -> str:
    items = list(change_set.items.all())
    now = standings(items)
    return repr([(change_set.state, row.pk, row.what, row.approved, now.get(row.pk)) for row in items])


_FINDERS: Final[dict[Shown, Callable[[str], Subject]]] = {
    Shown.PAGE: _of_page,
    Shown.ENTRY: _of_entry,
    Shown.CHANGE_SET: _of_set,
    Shown.DATE: _of_date,
    Shown.RELEASE: _of_release,
}


class _Kept:
    """Caches the last overlays. Only one is built at a time, so that frames with the same content share it."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, Overlay] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: str, make: Callable[[], Overlay]) -> Overlay:
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
            found = self._known[key] = make()
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
            return found


_kept: Final = _Kept()

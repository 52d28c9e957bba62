"""Note an editor's save as pending changes in the save's own transaction, and wake the publisher after the commit.

Wagtail sends ``page_published``, ``page_slug_changed`` and ``post_page_move`` after the transaction. If the process
were killed in between, the change would be lost. So this module uses Django's own signals, which are sent within it.
Each action saves the page and its live copies, and a comparison with the stored row shows the change.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from django.db import connection, transaction
from django.db.models import Model
from django.db.models.signals import post_delete, post_save, pre_delete, pre_save
from wagtail.models import Page, Revision

from ..content.changes import keys_of, keys_of_subtree
from ..content.items import ItemKey
from ..content.moments import Timed, coming_moments, timed_item
from ..content.site_records import load_site_roots
from .author import current_author
from .models import Moment, PendingChange
from .waking import wake_publisher

_BOOKKEEPING: Final = frozenset(
    {
        "alias_of", "alias_of_id", "draft_title", "has_unpublished_changes", "latest_revision",
        "latest_revision_created_at", "live_revision", "locked", "locked_at", "locked_by", "numchild",
    }
)  # fmt: skip
"""Fields of pages and entries that no item contains. Saving only these, as saving a draft does, changes no published
content."""
_gathered: Final[ContextVar[dict[int, ItemKey] | None]] = ContextVar("changes that are gathered", default=None)
_PLACE: Final = ("url_path", "live", "hidden_here")
"""Fields of a page that items of the pages below it also depend on."""


def connect() -> None:
    """Connect the signals of saves. For models that no item depends on, this costs one look-up in a dictionary."""
    pre_save.connect(_before_save, dispatch_uid="portolan.releases.before_save")
    post_save.connect(_after_save, dispatch_uid="portolan.releases.after_save")
    pre_delete.connect(_before_delete, dispatch_uid="portolan.releases.before_delete")
    post_delete.connect(_after_delete, dispatch_uid="portolan.releases.after_delete")
    post_save.connect(_after_scheduling, sender=Revision, dispatch_uid="portolan.releases.after_scheduling")


def note_changes(keys: Iterable[ItemKey]) -> None:
    """Note that these items may differ from the last release, and wake the publisher when the transaction commits."""
    changed = sorted(set(keys))
    if not changed:
        return
    by = current_author()
    rows = PendingChange.objects.bulk_create(PendingChange(**key._asdict(), by=by) for key in changed)
    if (gathered := _gathered.get()) is not None:
        gathered |= {row.pk: key for row, key in zip(rows, changed, strict=True)}
    _wake_at_commit()


@contextmanager
def gathering_changes() -> Iterator[dict[int, ItemKey]]:
    """Collect the changes noted in the block, by the IDs of their rows. Changes by others, committed meanwhile, are
    left out."""
    gathered: dict[int, ItemKey] = {}
    token = _gathered.set(gathered)
    try:
        yield gathered
    finally:
        _gathered.reset(token)


def _wake_at_commit() -> None:
    if all(callback is not _wake for _, callback, *_ in connection.run_on_commit):
        transaction.on_commit(_wake, robust=True)


def _wake() -> None:
    wake_publisher()


def _before_save(instance: Model, raw: bool = False, update_fields: Iterable[str] | None = None, **_: Any) -> None:
    """Note items that exist under an old name until this save: those of a renamed key, or of a page that moves."""
    if raw or instance.pk is None or not _is_content(instance):
        return
    if is_bookkeeping(update_fields):
        return
    if not isinstance(instance, Page):
        stored = type(instance)._default_manager.filter(pk=instance.pk).first()
        note_changes(keys_of(stored) if stored else ())
    else:
        note_changes(_keys_of_pages_below(instance))


def _after_save(instance: Model, raw: bool = False, update_fields: Iterable[str] | None = None, **_: Any) -> None:
    if raw or not _is_content(instance) or is_bookkeeping(update_fields):
        return
    note_changes(keys_of(instance))
    if timed := timed_item(instance):
        note_moments(timed)


def _before_delete(instance: Model, **_: Any) -> None:
    if _is_content(instance):
        note_changes(keys_of(instance))


def _after_delete(instance: Model, **_: Any) -> None:
    if timed := timed_item(instance):
        note_moments(timed)


def note_moments(item: Timed) -> None:
    """Store the future moments of an item as it is saved now, and delete its other moments."""
    moments = coming_moments(item)
    known = Moment.objects.filter(**item._asdict())
    if {*known.values_list("at", flat=True)} != {*moments}:
        known.delete()
        Moment.objects.bulk_create(Moment(at=at, **item._asdict()) for at in moments)


def _after_scheduling(instance: Revision, raw: bool = False, **_: Any) -> None:
    """Wake the publisher for a new schedule, because it may be due before the publisher's next look."""
    if instance.approved_go_live_at and not raw:
        _wake_at_commit()


def _is_content(instance: Model) -> bool:
    return keys_of.dispatch(type(instance)) is not keys_of.dispatch(Model)


def is_bookkeeping(update_fields: Iterable[str] | None) -> bool:
    """Return whether a save of only these fields changes no published content."""
    return update_fields is not None and _BOOKKEEPING.issuperset(update_fields)


def _keys_of_pages_below(page: Page) -> set[ItemKey]:
    """Return the items of the whole subtree if the page moves, gets a new slug, or is published or unpublished."""
    fields = [name for name in _PLACE if hasattr(page, name)]
    stored = type(page)._default_manager.filter(pk=page.pk).values(*fields).first()
    if stored is None or all(stored[name] == getattr(page, name) for name in fields):
        return set()
    old_path = None
    if stored["url_path"] != page.url_path:
        roots = load_site_roots().values()
        old_path = next((r.root_path for r in roots if stored["url_path"].startswith(r.root_url_path)), None)
    return keys_of_subtree(page, old_path)

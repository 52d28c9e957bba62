"""Take over changes of a source into its local versions, in the transaction that publishes the source.

Own texts stay. There, the change is offered to the site's editors in the comparison (``screens``).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from wagtail.models import Page

from ...content.collections.base import TranslatedEntry
from ...content.local_versions import LocalVersion
from ...domain.inheritance import State, find_states, with_kept
from ...domain.merging import BODY, Merge, Path, Side, Version, merge
from ...translations.tracking import confirm_page
from ..merging.versions import Content
from .content import Thing, move_base, read, read_base, read_source, version_of, write


def begin(thing: Thing, source: Thing, content: Content | None = None) -> None:
    """Make an object a local version. ``content``: the base, if it is not the source's present content."""
    content = content or read_source(source)
    LocalVersion.objects.begin(thing, source, fields=content.fields, blocks=list(content.blocks.values()))


def specific(thing: Any) -> Any:
    """Return a page as its own type."""
    return thing.specific if isinstance(thing, Page) else thing


def take_over(source: Thing) -> None:
    """Publish the source's present content in its local versions, where they follow it."""
    if isinstance(source, TranslatedEntry):
        begin_new_translations(source)
    rows = list(LocalVersion.objects.following(source).prefetch_related("thing"))
    if not rows:
        return
    theirs = read_source(source)
    for row in rows:
        if is_followed(row, source):
            _take_over(row, theirs)


def begin_new_translations(entry: TranslatedEntry) -> None:
    """Store the base of translations that have none yet: the present translation of their source."""
    theirs = read_source(entry)
    if not theirs.blocks:
        LocalVersion.objects.of(entry).delete()
        return
    row = LocalVersion.objects.of(entry).first()
    if row is None:
        begin(entry, entry, theirs)
    elif new := [block for site, block in theirs.blocks.items() if site not in read_base(row).blocks]:
        row.blocks = [*row.blocks, *new]
        row.save(update_fields=["blocks"])


def is_followed(row: LocalVersion, source: Thing) -> bool:
    """Return whether the row's object can take over content: it is no live copy, and has the type of its source."""
    if not isinstance(source, Page):
        return True
    page: Any = row.thing
    return not page.alias_of_id and page.specific_class is source.specific_class is not None


def states_of(row: LocalVersion, source: Thing, thing: Thing) -> dict[Path, State]:
    """Return the state of each field and block of ``thing``, which may be a draft."""
    versions = version_of(read_base(row), thing), version_of(read_source(source), source)
    return find_states(*versions, version_of(read(thing), thing), _kept(row))


def list_offered(row: LocalVersion, source: Thing, thing: Any) -> list[Path]:
    """Return the paths that both the source and the local version have changed."""
    return merge_into(row, thing, read_source(source)).conflicts


def merge_into(row: LocalVersion, thing: Any, theirs: Content) -> Merge:
    """Return the merge of the source's content into ``thing``. Where both have changed, it keeps own content."""
    return _merge(row, thing, theirs, read(thing), {})


def keep(row: LocalVersion, path: Path) -> None:
    """Make a field or block own, without a change of its content."""
    if path not in _kept(row):
        row.kept = [*row.kept, list(path)]
        row.save(update_fields=["kept"])


def follow_again(row: LocalVersion, source: Thing, thing: Any, paths: Collection[Path]) -> Any:
    """Return ``thing`` with the source's content at these paths, unsaved. Saves the row."""
    row.kept = [path for path in row.kept if tuple(path) not in paths]
    theirs, mine = read_source(source), read(thing)
    sides = _all_mine(version_of(mine, thing))
    for path in paths:
        _take_side(sides, path, version_of(theirs, source))
    found = Merge(sides.fields, {id: each for id, each in sides.blocks.items() if each}, [], [])
    offered = _merge(row, thing, theirs, mine, {}).conflicts
    _settle(row, thing, theirs, [path for path in offered if path not in paths and path[:2] not in paths])
    return write(thing, found, theirs, mine)


def choose(
    row: LocalVersion, source: Thing, thing: Any, choices: Mapping[Path, Side], texts: Mapping[Path, str] = {}
) -> Any:
    """Return ``thing`` with the chosen side of each offered path, unsaved. Saves the row.

    A path without a choice stays as it is, and stays offered. ``texts``: merged texts for paths whose side is
    ``mine``.
    """
    theirs, mine = read_source(source), read(thing)
    found = _merge(row, thing, theirs, mine, choices)
    _settle(row, thing, theirs, found.conflicts)
    return write(thing, found, theirs, mine.with_texts(texts))


def _kept(row: LocalVersion) -> list[Path]:
    return [tuple(path) for path in row.kept]


def _merge(row: LocalVersion, thing: Any, theirs: Content, mine: Content, choices: Mapping[Path, Side]) -> Merge:
    """``thing`` has the type of both contents."""
    own = version_of(mine, thing)
    base = with_kept(version_of(read_base(row), thing), own, _kept(row))
    return merge(base, version_of(theirs, thing), own, choices)


def _take_over(row: LocalVersion, theirs: Content) -> None:
    thing = specific(row.thing)
    draft = thing.latest_revision.as_object() if thing.latest_revision and thing.has_unpublished_changes else None
    offered: list[Path] = []
    try:
        with transaction.atomic():
            if thing.live:
                offered += _write(row, thing, theirs, is_published=True)
            if draft is not None or not thing.live:
                offered += _write(row, draft or thing, theirs, is_published=False)
    except ValidationError as error:
        row.refused = " ".join(error.messages)
        row.save(update_fields=["refused"])
        return
    row.refused = ""
    _settle(row, thing, theirs, offered)


def _write(row: LocalVersion, thing: Any, theirs: Content, *, is_published: bool) -> Iterable[Path]:
    """Save the merged content as a revision, if the merge changes it. Return the offered paths."""
    found = merge_into(row, thing, theirs)
    if found.taken or (not is_published and thing.live):  # a draft has to stay newer than what was just published
        revision = write(thing, found, theirs, read(thing)).save_revision(clean=False)
        if is_published:
            revision.publish()
    return found.conflicts


def _settle(row: LocalVersion, thing: Any, source: Content, offered: Collection[Path]) -> None:
    """Save the new base. If nothing is offered, a page is up to date in the overview of translations too."""
    move_base(row, source, offered)
    row.save()
    if not offered and isinstance(thing, Page):
        confirm_page(thing)


def _all_mine(own: Version) -> Merge:
    blocks: dict[str, dict[str, Side]] = {id: dict.fromkeys(block, "mine") for id, block in own.blocks.items()}
    return Merge(dict.fromkeys(own.fields, "mine"), blocks, [], [])


def _take_side(sides: Merge, path: Path, source: Version) -> None:
    """Let a field or a whole block come from the source."""
    if path[0] != BODY:
        sides.fields[path[0]] = "theirs"
    elif len(path) > 1:
        sides.blocks[path[1]] = dict.fromkeys(source.blocks.get(path[1], {}), "theirs")

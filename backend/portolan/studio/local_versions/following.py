"""Take over changes of a source into its local versions, in the transaction that publishes the source.

Own texts stay. There, the change is offered to the site's editors in the comparison (``screens``).
"""

from collections.abc import Collection, Iterable, Mapping

from django.core.exceptions import ValidationError
from django.db import transaction
from wagtail.models import Page

from ...content.local_versions import LocalVersion
from ...domain.inheritance import State, find_states, with_kept
from ...domain.merging import BODY, Merge, Path, Side, Version, merge
from ...translations.tracking import confirm_page
from ..merging.versions import Content
from .content import move_base, read_base, read_page, version_of, write_page


def begin(page: Page, source_id: int) -> None:
    """Keep the content of a former live copy as the base of a local version."""
    content = read_page(page.specific)
    LocalVersion.objects.update_or_create(
        page_id=page.pk,
        defaults={"source_id": source_id, "fields": content.fields, "blocks": list(content.blocks.values())},
    )


def take_over(source: Page) -> None:
    """Publish the source's present content in its local versions, where they follow it."""
    rows = list(LocalVersion.objects.filter(source=source.pk, page__alias_of=None).select_related("page"))
    if not rows:
        return
    theirs = read_page(source)
    for row in rows:
        if row.page.specific_class is source.specific_class:
            _take_over(row, theirs)


def states_of(row: LocalVersion, source: Page, page: Page) -> dict[Path, State]:
    """Return the state of each field and block of ``page``, which may be a draft."""
    versions = version_of(read_base(row), page), version_of(read_page(source), source)
    return find_states(*versions, version_of(read_page(page), page), _kept(row))


def list_offered(row: LocalVersion, source: Page, page: Page) -> list[Path]:
    """Return the paths that both the source and the page have changed."""
    return merge_of(row, page, read_page(source), read_page(page)).conflicts


def keep(row: LocalVersion, path: Path) -> None:
    """Make a field or block own, without a change of its content."""
    if path not in _kept(row):
        row.kept = [*row.kept, list(path)]
        row.save(update_fields=["kept"])


def follow_again(row: LocalVersion, source: Page, page: Page, paths: Collection[Path]) -> Page:
    """Return ``page`` with the source's content at these paths, unsaved. Saves the row."""
    row.kept = [path for path in row.kept if tuple(path) not in paths]
    theirs, mine = read_page(source), read_page(page)
    sides = _all_mine(version_of(mine, page))
    for path in paths:
        _take_side(sides, path, version_of(theirs, source))
    found = Merge(sides.fields, {id: each for id, each in sides.blocks.items() if each}, [], [])
    offered = merge_of(row, page, theirs, mine).conflicts
    _settle(row, page, theirs, [path for path in offered if path not in paths and path[:2] not in paths])
    return write_page(page, found, theirs, mine)


def choose(
    row: LocalVersion, source: Page, page: Page, choices: Mapping[Path, Side], texts: Mapping[Path, str] = {}
) -> Page:
    """Return ``page`` with the chosen side of each offered path, unsaved. Saves the row.

    A path without a choice stays as it is, and stays offered. ``texts``: merged texts for paths whose side is
    ``mine``.
    """
    theirs, mine = read_page(source), read_page(page)
    found = merge_of(row, page, theirs, mine, choices)
    _settle(row, page, theirs, found.conflicts)
    return write_page(page, found, theirs, mine.with_texts(texts))


def _kept(row: LocalVersion) -> list[Path]:
    return [tuple(path) for path in row.kept]


def merge_of(row: LocalVersion, page: Page, theirs: Content, mine: Content, choices: Mapping[Path, Side] = {}) -> Merge:
    """Return the merge of the source's content into a page of the same type."""
    own = version_of(mine, page)
    base = with_kept(version_of(read_base(row), page), own, _kept(row))
    return merge(base, version_of(theirs, page), own, choices)


def _take_over(row: LocalVersion, theirs: Content) -> None:
    page: Page = row.page.specific
    draft = page.latest_revision.as_object() if page.latest_revision and page.has_unpublished_changes else None
    offered: list[Path] = []
    try:
        with transaction.atomic():
            if page.live:
                offered += _write(row, page, theirs, is_published=True)
            if draft is not None or not page.live:
                offered += _write(row, draft or page, theirs, is_published=False)
    except ValidationError as error:
        row.refused = " ".join(error.messages)
        row.save(update_fields=["refused"])
        return
    row.refused = ""
    _settle(row, page, theirs, offered)


def _write(row: LocalVersion, page: Page, theirs: Content, *, is_published: bool) -> Iterable[Path]:
    """Save the merged page as a revision, if the merge changes it. Return the offered paths."""
    mine = read_page(page)
    found = merge_of(row, page, theirs, mine)
    if found.taken or (not is_published and page.live):  # a draft has to stay newer than what was just published
        revision = write_page(page, found, theirs, mine).save_revision(clean=False)
        if is_published:
            revision.publish()
    return found.conflicts


def _settle(row: LocalVersion, page: Page, source: Content, offered: Collection[Path]) -> None:
    """Save the new base. If nothing is offered, the page is up to date in the overview of translations too."""
    move_base(row, source, offered)
    row.save()
    if not offered:
        confirm_page(page)


def _all_mine(own: Version) -> Merge:
    blocks: dict[str, dict[str, Side]] = {id: dict.fromkeys(block, "mine") for id, block in own.blocks.items()}
    return Merge(dict.fromkeys(own.fields, "mine"), blocks, [], [])


def _take_side(sides: Merge, path: Path, source: Version) -> None:
    """Let a field or a whole block come from the source."""
    if path[0] != BODY:
        sides.fields[path[0]] = "theirs"
    elif len(path) > 1:
        sides.blocks[path[1]] = dict.fromkeys(source.blocks.get(path[1], {}), "theirs")

"""Read the states of all translations with a constant number of queries."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import date, datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import CharField
from django.db.models.functions import Cast
from wagtail.models import Page

from ..content.fallbacks import load_fallbacks
from ..content.page_rows import load_hidden_ids, page_kinds
from ..content.site_records import load_site_roots
from .models import MachineText, PageText, Translation
from .sources import source_sites
from .states import Facts, State, state_of


class Cell(NamedTuple):
    """The translation of a page on one site."""

    site: str
    state: State
    page_id: int | None
    title: str
    follows: bool
    has_draft: bool
    words: int
    """Words to translate; 0 for current and excluded translations."""
    since: datetime | None
    """Time since which it is outdated; None if it is not, or if the time is unknown."""
    assignee_id: int | None
    due: date | None
    machine: int
    """Number of machine-translated texts in its draft that nobody has approved."""
    shows_original: bool = False
    """True if visitors of the site see the original, because it chose so and has no page of its own."""


class Row(NamedTuple):
    """A source page with its translations."""

    key: UUID
    site: str
    page_id: int
    title: str
    page_type: str
    """Model name."""
    words: int
    cells: Mapping[str, Cell]
    """By site. A site is missing if its source has no such page."""


class _PageFacts(NamedTuple):
    id: int
    key: str
    path: str
    locale_id: int
    title: str
    draft_title: str
    live: bool
    alias_of_id: int | None
    has_unpublished_changes: bool
    drafted_at: datetime | None
    page_type: str


class _Record(NamedTuple):
    """A stored translation."""

    key: str
    site: str
    base_id: str | None
    outdated_since: datetime | None
    outdated_words: int
    assignee_id: int | None
    due: date | None
    is_excluded: bool


_KEY: Final = Cast("translation_key", CharField())
"""As the database stores it. The conversion of all keys to UUIDs would take as long as the queries."""
_FIELDS = (
    "pk", _KEY, "path", "locale_id", "title", "draft_title", "live", "alias_of_id",
    "has_unpublished_changes", "latest_revision_created_at", "content_type__model",
)  # fmt: skip


def read_rows(sites: Collection[str], key: UUID | None = None) -> list[Row]:
    """Return the published source pages of ``sites``, in the order of the tree; only those with ``key`` if given."""
    sources = {site: source for site, source in source_sites().items() if site in sites}
    pages = _read_pages({*sources, *sources.values()}, key)
    hidden, fallbacks = load_hidden_ids(), load_fallbacks()
    only = {} if key is None else {"translation_key": key}
    stored = Translation.objects.filter(site__in=sources, **only).values_list(_KEY, *_Record._fields[1:])
    records = {(row.key, row.site): row for row in map(_Record._make, stored)}
    texts: dict[int, tuple[str, int]] = {
        id: (text, words)
        for id, text, words in PageText.objects.filter(
            **{f"page__{name}": value for name, value in only.items()}
        ).values_list("pk", "text_id", "text__words")
    }
    marked = MachineText.objects.filter(site__in=sources, is_in_draft=True, **only)
    machine: Counter[tuple[str, str]] = Counter(marked.values_list(_KEY, "site"))
    rows = []
    for source in dict.fromkeys(sources.values()):
        own = [site for site, other in sources.items() if other == source]
        for page in pages.get(source, {}).values():
            if page.live and page.id not in hidden and page.id in texts:
                text, words = texts[page.id]
                covered = {
                    site
                    for site in own
                    if site in fallbacks and fallbacks[site].covers_page(page.page_type, str(UUID(page.key)))
                }
                cells = {
                    site: _make_cell(
                        site,
                        pages.get(site, {}).get(page.key),
                        records.get((page.key, site)),
                        text,
                        words,
                        hidden,
                        site in covered,
                        machine[page.key, site],
                    )
                    for site in own
                }
                rows.append(Row(UUID(page.key), source, page.id, page.title, page.page_type, words, cells))
    return list(_merge(rows))


def _merge(rows: list[Row]) -> Iterator[Row]:
    """Yield one row for each page. The first source gives its title."""
    merged: dict[UUID, Row] = {}
    for row in rows:
        first = merged.get(row.key)
        merged[row.key] = first._replace(cells={**first.cells, **row.cells}) if first else row
    yield from merged.values()


def _read_pages(sites: Collection[str], key: UUID | None) -> Mapping[str, dict[str, _PageFacts]]:
    """Return pages for visitors by site and translation key."""
    roots = {root.locale_id: root for site, root in load_site_roots().items() if site in sites}
    found: dict[str, dict[str, _PageFacts]] = {root.key: {} for root in roots.values()}
    only = {} if key is None else {"translation_key": key}
    pages = Page.objects.filter(locale_id__in=roots, **only).order_by("path").values_list(*_FIELDS)
    for page in map(_PageFacts._make, pages):
        root = roots[page.locale_id]
        if page_kinds(page.page_type) and page.path.startswith(root.root_path):
            found[root.key][page.key] = page
    return found


def _make_cell(
    site: str,
    page: _PageFacts | None,
    record: _Record | None,
    text: str,
    words: int,
    hidden: Collection[int],
    is_covered: bool,
    machine: int,
) -> Cell:
    matches = record is not None and record.base_id == text
    draft = page and page.has_unpublished_changes and not page.alias_of_id
    facts = Facts(
        exists=page is not None,
        live=bool(page and page.live),
        hidden=bool(page and page.id in hidden),
        follows=bool(page and page.alias_of_id),
        matches=matches,
        outdated_since=record.outdated_since if record else None,
        drafted_at=page.drafted_at if page and draft else None,
        is_assigned=bool(record and record.assignee_id),
        is_excluded=bool(record and record.is_excluded),
    )
    state = state_of(facts)
    is_done = state in (State.CURRENT, State.EXCLUDED)
    is_partly = facts.live and record is not None and record.base_id is not None
    return Cell(
        site=site,
        state=state,
        page_id=page.id if page else None,
        title=page.draft_title or page.title if page else "",
        follows=facts.follows,
        has_draft=bool(draft),
        words=0 if is_done else (record.outdated_words if is_partly and record else words),
        since=None if is_done or not record else record.outdated_since,
        assignee_id=record.assignee_id if record else None,
        due=record.due if record else None,
        shows_original=is_covered and not facts.live and not facts.hidden,
        machine=machine,
    )

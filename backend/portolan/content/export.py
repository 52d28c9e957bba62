"""Export models as release items, in batches with a fixed number of queries. The only module that does so."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from itertools import chain
from typing import Any, Final, NamedTuple

from django.conf import settings
from wagtail.documents.models import Document
from wagtail.models import Page

from ..domain.problems import Problem, Subject, UnknownBlock, UnknownPageType, UnknownSite
from ..domain.references import DELETED_PAGE, find_references
from ..domain.snapshot_bodies import PageBody
from ..schemas import company as schemas
from ..schemas.base import Schema
from ..sites.plugin_formats import load_formats
from . import clock
from .blocks.base import SiteBlock
from .collections import COLLECTIONS
from .collections.base import Entry
from .drafts import only_shown
from .errors import SnapshotError
from .fallbacks import all_fallback_keys, find_fallbacks, find_taken
from .fields import find_unknown_types, read_raw
from .file_items import export_files, load_documents, load_pictures
from .interface_words import InterfaceWords
from .items import ALL_SITES, DOCUMENT, FOOTER, MAIN, MENU, PAGE, PICTURE, RATE_CARD, WORDS, ItemKey
from .lost_links import drop_lost_links
from .navigation.footer import FooterSettings
from .navigation.menu import MenuSettings
from .page_fields import raw_fields
from .page_rows import (
    PAGE_KINDS,
    PageRow,
    ancestor_paths,
    chunks,
    is_published,
    load_hidden_ids,
    load_page_rows,
    load_translation_keys,
    page_kinds,
    was_published,
)
from .pages import OWN_PAGE_TYPES, PAGE_TYPES
from .pages.base import SitePage
from .pages.card import CardPage
from .pictures import SiteImage
from .rate_card import RateCardSettings
from .redirects import redirect_keys, snapshot_redirects
from .site_records import SiteRoot, load_site_roots
from .site_setting import SiteSetting
from .snapshot import TranslationKeys, collect_page_ids
from .snapshot_checks import CheckLookup, check_card, check_item, check_navigation, check_page, check_words

Body = Mapping[str, Any]
"""One of ``domain.snapshot_bodies``, by the item's kind."""
Check = Callable[[Mapping[str, Any], Subject, "CheckLookup"], list[Problem]]
PageCheck = Callable[[Mapping[Subject, SitePage]], Mapping[Subject, list[Problem]]]
_AnySetting = type[MenuSettings] | type[FooterSettings] | type[RateCardSettings] | type[InterfaceWords]
SETTINGS: Final[Mapping[str, tuple[_AnySetting, Check]]] = {
    MENU: (MenuSettings, check_navigation),
    FOOTER: (FooterSettings, check_navigation),
    RATE_CARD: (RateCardSettings, partial(check_item, schemas.RateCard)),
    WORDS: (InterfaceWords, check_words),
}
"""Models with one row per site, by the kind of the item."""
PLUGIN_PAGE_TYPES: Final = frozenset(PAGE_TYPES) - {*OWN_PAGE_TYPES}
_page_checks: Final[list[PageCheck]] = []
_PAGE_TYPE_BY_MODEL: Final = {str(page_type._meta.model_name): page_type for page_type in PAGE_TYPES}


class Exported(NamedTuple):
    """Result of a batch. Each key is in one of the two."""

    bodies: dict[ItemKey, Body | None]
    """None for items that do not exist."""
    problems: dict[ItemKey, list[Problem]]


def add_page_check(check: PageCheck) -> None:
    """Add a check of editors' values to that of each release and each form. It gets all pages of a batch at once."""
    if check not in _page_checks:
        _page_checks.append(check)


def export_items(keys: Iterable[ItemKey]) -> dict[ItemKey, Body | None]:
    """Return the bodies by key, None for missing items. Raise SnapshotError with every problem of the batch."""
    bodies, problems = export_batch(keys)
    if problems:
        raise SnapshotError([problem for key in sorted(problems) for problem in problems[key]])
    return bodies


def export_batch(keys: Iterable[ItemKey]) -> Exported:
    """Return bodies, and the problems of items that cannot be published. A page with problems does not stop the
    others."""
    wanted = set(keys)
    roots = load_site_roots()
    sources, unknown = _source_pages({(key.site, key.key) for key in wanted if key.kind in PAGE_KINDS}, roots)
    sources += [
        *_source_settings([key for key in wanted if key.kind in SETTINGS], roots),
        *_source_entries([key for key in wanted if key.kind in COLLECTIONS], roots),
    ]
    bodies: dict[ItemKey, Body | None] = dict.fromkeys(wanted)
    files, lost = export_files(wanted)
    bodies |= files
    bodies |= snapshot_redirects(wanted, roots)
    snapshots, problems = _snapshot_and_check(sources, roots)
    problems = lost | {key: found for key, found in {**unknown, **problems}.items() if key in wanted}
    bodies |= {key: body for key, body in snapshots.items() if key in wanted}
    for key in problems:
        del bodies[key]
    return Exported(bodies, problems)


class Draft(NamedTuple):
    bodies: dict[ItemKey, Body]
    """Includes items with problems."""
    problems: list[Problem]
    warnings: list[Problem]
    """Links that visitors do not see, because their pages are gone."""


def export_draft(page: SitePage) -> dict[ItemKey, Body]:
    """Return the items of a page as it is in memory, saved or not. Raise SnapshotError with all problems."""
    draft = examine_draft(page)
    if draft.problems:
        raise SnapshotError(draft.problems)
    return draft.bodies


def examine_draft(page: SitePage) -> Draft:
    """Return the items of a page as it is in memory, and all its problems."""
    roots = load_site_roots()
    return _examine(_source_draft(page, roots), roots, own=str(page.translation_key))


def snapshot_draft(page: SitePage) -> dict[ItemKey, Body]:
    """Return the items of a page as it is in memory, unchecked, even if it has problems."""
    sources = _source_draft(page, load_site_roots())
    pages = load_translation_keys(id for item in sources for id in collect_page_ids(item.raw))
    return {item.key: item.snapshot(pages) for item in sources}


def export_unsaved(row: Entry | SiteSetting) -> dict[ItemKey, Body]:
    """Return the items of ``examine_unsaved``. Raise SnapshotError with all problems."""
    draft = examine_unsaved(row)
    if draft.problems:
        raise SnapshotError(draft.problems)
    return draft.bodies


def examine_unsaved(row: Entry | SiteSetting) -> Draft:
    """Return the items of an entry, a menu, a footer or a rate card as it is in memory."""
    roots = load_site_roots()
    read_raw(row)
    sources = []
    if isinstance(row, SiteSetting):
        kind, check = next((kind, check) for kind, (model, check) in SETTINGS.items() if isinstance(row, model))
        own = [key for key, root in roots.items() if root.wagtail_site_id == row.site_id]
        others = type(row)._default_manager.filter(live=True).exclude(site_id=row.site_id)
        filled = {other.site_id: other for other in only_shown(others) if other.is_filled()} | {row.site_id: row}
        for site in (*own, *(key for key in roots if inherited_site(key) in own)):
            shown = _shown_setting(site, filled, roots)
            if shown is not None and (shown is row or shown is not filled.get(roots[site].wagtail_site_id)):
                sources.append(_SourceItem(ItemKey(site, kind, MAIN), "", "", shown.raw(), shown.snapshot, check))
    else:
        check = partial(check_item, type(row).schema)
        for site in roots:
            if body := row.snapshot(_locales(site, roots)):
                sources.append(_SourceItem(ItemKey(site, row.kind, row.key), str(row), "", [], _fixed(body), check))
    return _examine(sources, roots)


def all_item_keys() -> set[ItemKey]:
    """Return the keys of all content that can be published now."""
    roots = load_site_roots()
    hidden = load_hidden_ids()
    keys = {
        ItemKey(root.key, kind, row.translation_key)
        for row in load_page_rows(under=roots.values())
        for root in roots.values()
        if is_published(row, root, hidden)
        for kind in page_kinds(row.page_type) or (PAGE,)
    }
    keys |= {ItemKey(ALL_SITES, PICTURE, str(id)) for id in SiteImage.objects.values_list("pk", flat=True)}
    keys |= {ItemKey(ALL_SITES, DOCUMENT, str(id)) for id in Document.objects.values_list("pk", flat=True)}
    for kind, model in COLLECTIONS.items():
        live = model.objects.filter(live=True)
        keys |= {ItemKey(site, kind, key) for key in live.values_list("key", flat=True) for site in roots}
    keys |= {ItemKey(site, kind, MAIN) for kind in SETTINGS for site in roots}
    return keys | redirect_keys(roots) | all_fallback_keys()


def _source_draft(page: SitePage, roots: Mapping[str, SiteRoot]) -> list["_SourceItem"]:
    root = next((root for root in roots.values() if page.path.startswith(root.root_path)), None)
    if root is None:
        raise SnapshotError([Problem(Subject("", PAGE, "", page.title), UnknownSite())])
    read_raw(page)
    key, page_type = str(page.translation_key), str(page._meta.model_name)
    row = PageRow(page.pk or 0, key, root.locale_id, page.path, True, page_type, page._meta.app_label)
    parent = _find_parents([(root, row)], load_hidden_ids())[row.id]
    sources = [_source_page(ItemKey(root.key, PAGE, key), root, page, parent)]
    if isinstance(page, CardPage) and page.has_card():
        sources.append(_source_card(ItemKey(root.key, page.card_kind(), key), root, page, _locales(root.key, roots)))
    return sources


# Items refer to others. They are prepared first, then all references are looked up at once ------------------------


class _SourceItem(NamedTuple):
    """An item before its links are looked up."""

    key: ItemKey
    title: str
    path: str
    raw: list[Any]
    """Raw stream data, which contains the IDs of linked pages."""
    snapshot: Callable[[TranslationKeys], Body]
    check: Check
    fields: type[Schema] | None = None
    """Schema of the fields of a plugin's page."""
    page: SitePage | None = None
    """None for cards and other items."""

    @property
    def subject(self) -> Subject:
        return Subject(*self.key, self.title, self.path)


def _source_pages(
    wanted: Collection[tuple[str, str]], roots: Mapping[str, SiteRoot]
) -> tuple[list[_SourceItem], dict[ItemKey, list[Problem]]]:
    """Return the items of these pages (site, translation key): each page, and its card if it has one.

    Also return the problems of pages whose plugin is missing, which cannot be exported.
    """
    sources: list[_SourceItem] = []
    unknown: dict[ItemKey, list[Problem]] = {}
    if not wanted:
        return sources, unknown
    hidden = load_hidden_ids()
    rows = load_page_rows(translation_keys=[key for _, key in wanted])
    known = {(row.translation_key, row.locale_id): row for row in rows}
    published: list[tuple[SiteRoot, PageRow]] = []
    for site, translation_key in sorted(wanted):
        root = roots.get(site)
        row = root and known.get((translation_key, root.locale_id))
        if root and row and is_published(row, root, hidden):
            published.append((root, row))
    own = {(root.key, row.translation_key) for root, row in published}
    fallbacks = find_fallbacks(sorted(set(wanted) - own), known, hidden)
    shown = [*published, *((source, row) for _, source, row in fallbacks)]
    parents = _find_parents(shown, hidden)
    pages = _load_pages({row for _, row in shown})
    titles = dict(
        Page.objects.filter(pk__in=[row.id for _, row in published if row.is_missing]).values_list("pk", "title")
    )
    for root, row in published:
        key = ItemKey(root.key, PAGE, row.translation_key)
        if row.is_missing:
            unknown[key] = [Problem(Subject(*key, titles[row.id]), UnknownPageType(f"{row.app}.{row.page_type}"))]
            continue
        page = pages[row.id]
        if types := find_unknown_types(page.body):
            path = page.path_in_site(root.root_url_path)
            kinds = [ItemKey(root.key, kind, row.translation_key) for kind in page_kinds(row.page_type)]
            unknown |= {kind: [Problem(Subject(*key, page.title, path), UnknownBlock(types[0]))] for kind in kinds}
            continue
        sources.append(_source_page(key, root, page, parents[row.id]))
        if isinstance(page, CardPage) and page.has_card():
            sources.append(
                _source_card(
                    ItemKey(root.key, page.card_kind(), row.translation_key), root, page, _locales(root.key, roots)
                )
            )
    if fallbacks:
        sources += _source_fallbacks(fallbacks, pages, parents)
    return sources, unknown


def _source_fallbacks(
    fallbacks: list[tuple[str, SiteRoot, PageRow]], pages: Mapping[int, SitePage], parents: Mapping[int, str | None]
) -> list[_SourceItem]:
    """Return the source's pages as items of the sites that show them, unless a page of the site has the path."""
    found = []
    for site, source, row in fallbacks:
        page = pages.get(row.id)
        if page and not find_unknown_types(page.body):
            item = _source_page(ItemKey(site, PAGE, row.translation_key), source, page, parents[row.id])
            found.append(item._replace(snapshot=partial(_snapshot_fallback, item, source.key)))
    taken = find_taken((item.key.site, item.path) for item in found)
    return [item for item in found if (item.key.site, item.path) not in taken]


def _snapshot_fallback(item: _SourceItem, source: str, pages: TranslationKeys) -> Body:
    return {**item.snapshot(pages), "fallback": source}


def _source_page(key: ItemKey, root: SiteRoot, page: SitePage, parent: str | None) -> _SourceItem:
    path = page.path_in_site(root.root_url_path)
    raw = list(page.body.raw_data)
    blocks: Mapping[str, SiteBlock] = page.body.stream_block.child_blocks
    changed = page.last_published_at or page.first_published_at or page.latest_revision_created_at
    formats = load_formats(tuple(settings.SITES_REGISTRY.plugins))

    def snapshot(pages: TranslationKeys) -> PageBody:
        body: PageBody = {
            "path": path,
            "template": page.page_type,
            "title": page.title,
            "head": {"title": page.seo_title or page.title, "description": page.search_description},
            "blocks": [blocks[child["type"]].snapshot(child["value"], child["id"], pages) for child in raw],
            "anchors": [anchor for child in raw if (anchor := SiteBlock.snapshot_anchor(child["value"]))],
            "parent": parent,
            "changed": changed.isoformat() if changed else None,
            "switcher_hidden": page.switcher_hidden,
        }
        if newer := {type: formats.of_block(type) for type in {child["type"] for child in raw} & formats.blocks.keys()}:
            body["block_formats"] = newer
        if type(page) in PLUGIN_PAGE_TYPES:
            body["header"] = page.header
        if page.Fields:
            body["fields"] = page.snapshot_fields(pages)
            if (format := formats.of_page_type(page.page_type)) > 1:
                body["fields_format"] = format
        return body

    linking = [*raw, *raw_fields(page)] if page.Fields else raw
    check = partial(check_page, fields=page.Fields)
    return _SourceItem(key, page.title, path, linking, snapshot, check, page.Fields, page)


def _source_card(key: ItemKey, root: SiteRoot, page: CardPage, locales: list[int]) -> _SourceItem:
    path = page.path_in_site(root.root_url_path)
    return _SourceItem(
        key, page.title, path, [], _fixed(page.snapshot_card(key.site, locales)), partial(check_card, page.Card)
    )


def _find_parents(published: list[tuple[SiteRoot, PageRow]], hidden: Collection[int]) -> dict[int, str | None]:
    """Return, by page ID, the translation key of the nearest published page above. Folders are skipped."""
    above = {row.id: (root, ancestor_paths(row.tree_path, root)) for root, row in published}
    rows = {
        row.tree_path: row for row in load_page_rows(tree_paths=(path for _, paths in above.values() for path in paths))
    }
    return {
        id: next(
            (rows[path].translation_key for path in paths if path in rows and is_published(rows[path], root, hidden)),
            None,
        )
        for id, (root, paths) in above.items()
    }


def _load_pages(rows: Iterable[PageRow]) -> dict[int, SitePage]:
    """Return the pages with their bodies: one query for each page type, and one for each relation of its cards."""
    found: dict[int, SitePage] = {}
    for model, page_type in _PAGE_TYPE_BY_MODEL.items():
        pages = page_type.objects.all()
        if issubclass(page_type, CardPage):
            pages = pages.prefetch_related(*page_type.card_related)
        for ids in chunks(sorted(row.id for row in rows if row.page_type == model)):
            found |= pages.in_bulk(ids)
    return found


def _source_settings(keys: Collection[ItemKey], roots: Mapping[str, SiteRoot]) -> list[_SourceItem]:
    sources = []
    for kind, (model, check) in SETTINGS.items():
        sites = sorted(key.site for key in keys if key.kind == kind and key.site in roots)
        if not sites:
            continue
        rows = model.objects.filter(live=True).prefetch_related(*model.related)
        filled = {row.site_id: row for row in only_shown(rows) if row.is_filled()}
        for site in sites:
            if row := _shown_setting(site, filled, roots):
                sources.append(_SourceItem(ItemKey(site, kind, MAIN), "", "", row.raw(), row.snapshot, check))
    return sources


def _shown_setting(site: str, filled: Mapping[int, SiteSetting], roots: Mapping[str, SiteRoot]) -> SiteSetting | None:
    """Return the version that a site shows. ``filled``: versions with content by Wagtail's site."""
    versions = [filled.get(roots[key].wagtail_site_id) for key in _with_inherited(site, roots)]
    own, inherited = versions[0], versions[-1]
    return own.over(inherited if len(versions) > 1 else None) if own else inherited


def _source_entries(keys: Collection[ItemKey], roots: Mapping[str, SiteRoot]) -> list[_SourceItem]:
    sources = []
    now = clock.now()
    for kind, model in COLLECTIONS.items():
        wanted = sorted(key for key in keys if key.kind == kind and key.site in roots)
        if not wanted:
            continue
        entries = model.objects.filter(key__in={key.key for key in wanted}, live=True)
        known = {entry.key: entry for entry in only_shown(entries.prefetch_related(*model.related), now)}
        for key in wanted:
            entry = known.get(key.key)
            body = entry and entry.snapshot(_locales(key.site, roots))
            if entry and body:
                check = partial(check_item, model.schema)
                sources.append(_SourceItem(key, str(entry), "", [], _fixed(body), check))
    return sources


def _fixed(body: Body) -> Callable[[TranslationKeys], Body]:
    return lambda pages: body


def inherited_site(site: str) -> str | None:
    """Return the key of the site whose content ``site`` inherits, or None."""
    rules = settings.SITES_REGISTRY.sites.get(site)
    inherits: str | None = rules.inherits if rules else None
    return inherits


def _snapshot_and_check(
    sources: list[_SourceItem], roots: Mapping[str, SiteRoot]
) -> tuple[dict[ItemKey, Body], dict[ItemKey, list[Problem]]]:
    """Return the bodies of items without problems, and the problems of the others."""
    snapshots, problems, _ = _snapshot_and_find(sources, roots)
    bodies = {key: body for key, body in snapshots.items() if key not in problems}
    _block_together(bodies, problems)
    return bodies, problems


def _examine(sources: list[_SourceItem], roots: Mapping[str, SiteRoot], own: str = "") -> Draft:
    bodies, problems, warnings = _snapshot_and_find(sources, roots, own)
    return Draft(bodies, list(dict.fromkeys(chain(*problems.values()))), list(dict.fromkeys(warnings)))


def _snapshot_and_find(
    sources: list[_SourceItem], roots: Mapping[str, SiteRoot], own: str = ""
) -> tuple[dict[ItemKey, Body], dict[ItemKey, list[Problem]], list[Problem]]:
    """Return all bodies, their problems, and warnings. ``own``: key of a page that counts as published."""
    translation_keys = load_translation_keys(id for item in sources for id in collect_page_ids(item.raw))
    snapshots = {item.key: item.snapshot(translation_keys) for item in sources}
    lookups = _load_lookups(snapshots, roots, own)
    problems: dict[ItemKey, list[Problem]] = {}
    warnings: list[Problem] = []
    for item in sources:
        lookup = lookups[item.key.site]
        if lookup.gone:
            snapshots[item.key], lost = drop_lost_links(
                item.key.kind, snapshots[item.key], item.subject, lookup, item.fields
            )
            warnings += lost
        if found := item.check(snapshots[item.key], item.subject, lookup):
            problems[item.key] = found
    pages = {item.subject: item.page for item in sources if item.page is not None}
    for check in _page_checks if pages else ():
        for subject, found in check(pages).items():
            problems.setdefault(ItemKey(*subject[:3]), []).extend(found)
    return snapshots, problems, warnings


def _block_together(bodies: dict[ItemKey, Body], problems: dict[ItemKey, list[Problem]]) -> None:
    """Block a page together with its card.

    Otherwise lists could link to a page that is in no release, or the page could lack values that its layout takes from
    the card.
    """
    of_pages: dict[tuple[str, str], list[Problem]] = {}
    for key, found in problems.items():
        if key.kind in PAGE_KINDS:
            of_pages.setdefault((key.site, key.key), []).extend(found)
    for key in [*bodies, *problems]:
        if key.kind in PAGE_KINDS and (key.site, key.key) in of_pages:
            bodies.pop(key, None)
            problems[key] = of_pages[key.site, key.key]


def _load_lookups(snapshots: Mapping[ItemKey, Body], roots: Mapping[str, SiteRoot], own: str) -> dict[str, CheckLookup]:
    """Return, for each site, the targets of its items' references: pages of the site and the default site, images,
    documents."""
    references = {(ref.kind, ref.key) for body in snapshots.values() for ref in find_references(body)}
    linked = {key for kind, key in references if kind == "page"}
    erased = {key for key in linked if key.startswith(DELETED_PAGE)}
    rows = load_page_rows(translation_keys=linked - erased)
    hidden = load_hidden_ids() if rows else set()
    pictures = load_pictures([key for kind, key in references if kind == "picture"])
    documents = load_documents([key for kind, key in references if kind == "document"])
    default_site, sources = settings.SITES_REGISTRY.company.default_site, settings.SITES_REGISTRY.sources()
    default = roots.get(default_site)
    lookups = {}
    for site in {key.site for key in snapshots}:
        reachable = [root for root in (roots[site], default) if root]
        pages = {row.translation_key for row in rows for root in reachable if is_published(row, root, hidden)}
        if sources.get(site, default_site) != default_site:  # else its fallbacks are pages of the default site
            known = {(row.translation_key, row.locale_id): row for row in rows}
            wanted = [(site, key) for key in linked - pages]
            pages |= {row.translation_key for _, _, row in find_fallbacks(wanted, known, hidden)}
        locales = {root.locale_id for root in reachable}
        once = {row.translation_key for row in rows if was_published(row) and row.locale_id in locales}
        gone = (once | erased) - pages - {own}
        lookups[site] = CheckLookup(frozenset({*pages, own}), pictures, documents, frozenset(gone))
    return lookups


def _locales(site: str, roots: Mapping[str, SiteRoot]) -> list[int]:
    return [roots[key].locale_id for key in _with_inherited(site, roots)]


def _with_inherited(site: str, roots: Mapping[str, SiteRoot]) -> list[str]:
    """Return the site, followed by the site it inherits from."""
    inherits = inherited_site(site)
    return [site, inherits] if inherits and inherits in roots else [site]

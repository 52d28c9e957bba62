"""The only place where models become frozen items, in batches with a fixed number of queries."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.conf import settings

from ..domain.references import find_references
from .blocks.base import SiteBlock
from .collections.offices import Office
from .errors import ContentError, ContentProblem
from .freeze import PageKeys, collect_page_ids
from .frozen_checks import CheckLookup, check_navigation, check_page
from .items import ALL_SITES, FOOTER, MAIN, MENU, OFFICE, PAGE, PICTURE, ItemKey
from .navigation.footer import FooterSettings
from .navigation.menu import MenuSettings
from .page_rows import (
    PageRow,
    ancestor_paths,
    chunks,
    is_published,
    load_hidden_ids,
    load_page_rows,
    load_translation_keys,
)
from .pages import FAMILIES
from .pages.base import SitePage
from .pictures import SiteImage
from .site_records import SiteRoot, load_site_roots

Body = dict[str, Any]
NAVIGATION: Final[Mapping[str, type[MenuSettings] | type[FooterSettings]]] = {
    MENU: MenuSettings,
    FOOTER: FooterSettings,
}
_FAMILY_BY_MODEL: Final = {family._meta.model_name: family for family in FAMILIES}


class Exported(NamedTuple):
    """Outcome of a batch. A key is in one of the two."""

    bodies: dict[ItemKey, Body | None]
    """None: there is no such item (any more)."""
    problems: dict[ItemKey, list[ContentProblem]]


def export_items(keys: Iterable[ItemKey]) -> dict[ItemKey, Body | None]:
    """Frozen bodies by key, None for what is gone. Raises ContentError with every problem of the batch."""
    bodies, problems = export_batch(keys)
    if problems:
        raise ContentError([problem for key in sorted(problems) for problem in problems[key]])
    return bodies


def export_batch(keys: Iterable[ItemKey]) -> Exported:
    """Frozen bodies, and the problems of those that cannot be published: one bad page does not hold up the others."""
    wanted = set(keys)
    roots = load_site_roots()
    drafts = [
        *_draft_pages([key for key in wanted if key.kind == PAGE], roots),
        *_draft_navigation([key for key in wanted if key.kind in NAVIGATION], roots),
    ]
    bodies: dict[ItemKey, Body | None] = dict.fromkeys(wanted)
    bodies |= _export_pictures([key for key in wanted if key.kind == PICTURE])
    bodies |= _export_offices([key for key in wanted if key.kind == OFFICE], roots)
    frozen, problems = _freeze_and_check(drafts, roots)
    bodies |= frozen
    for key in problems:
        del bodies[key]
    return Exported(bodies, problems)


def all_item_keys() -> set[ItemKey]:
    """Keys of everything there is to publish now."""
    roots = load_site_roots()
    hidden = load_hidden_ids()
    keys = {
        ItemKey(root.key, PAGE, row.translation_key)
        for row in load_page_rows(under=roots.values())
        for root in roots.values()
        if is_published(row, root, hidden)
    }
    keys |= {ItemKey(ALL_SITES, PICTURE, str(id)) for id in SiteImage.objects.values_list("pk", flat=True)}
    keys |= {ItemKey(site, OFFICE, key) for key in Office.objects.values_list("key", flat=True) for site in roots}
    keys |= {ItemKey(site, kind, MAIN) for kind in NAVIGATION for site in roots}
    return keys


# Pages and navigation link to other items: they are drafted first, then all their links are looked up at once ----------


class _Draft(NamedTuple):
    """An item whose links are not known yet."""

    key: ItemKey
    place: str
    raw: list[Any]
    """Raw stream data, in which ids of linked pages are found."""
    freeze: Callable[[PageKeys], Body]
    check: Callable[[Mapping[str, Any], str, CheckLookup], list[ContentProblem]]


def _draft_pages(keys: Collection[ItemKey], roots: Mapping[str, SiteRoot]) -> list[_Draft]:
    if not keys:
        return []
    hidden = load_hidden_ids()
    known = {
        (row.translation_key, row.locale_id): row for row in load_page_rows(translation_keys=[k.key for k in keys])
    }
    published: list[tuple[ItemKey, SiteRoot, PageRow]] = []
    for key in sorted(keys):
        root = roots.get(key.site)
        row = root and known.get((key.key, root.locale_id))
        if root and row and is_published(row, root, hidden):
            published.append((key, root, row))
    parents = _find_parents([(root, row) for _, root, row in published], hidden)
    pages = _load_pages([row for _, _, row in published])
    return [_draft_page(key, root, pages[row.id], parents[row.id]) for key, root, row in published]


def _draft_page(key: ItemKey, root: SiteRoot, page: SitePage, parent: str | None) -> _Draft:
    path = page.path_in_site(root.root_url_path)
    raw = list(page.body.raw_data)
    blocks: Mapping[str, SiteBlock] = page.body.stream_block.child_blocks
    changed = page.last_published_at or page.first_published_at or page.latest_revision_created_at

    def freeze(pages: PageKeys) -> Body:
        return {
            "path": path,
            "template": page.family,
            "title": page.title,
            "head": {"title": page.seo_title or page.title, "description": page.search_description},
            "blocks": [blocks[child["type"]].freeze(child["value"], child["id"], pages) for child in raw],
            "parent": parent,
            "changed": changed.isoformat() if changed else None,
            "switcher_hidden": page.switcher_hidden,
        }

    return _Draft(key, f"“{page.title}” ({path}, {key.site})", raw, freeze, check_page)


def _find_parents(published: list[tuple[SiteRoot, PageRow]], hidden: Collection[int]) -> dict[int, str | None]:
    """By page id the translation key of the nearest published page above it. Folders are passed over."""
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


def _load_pages(rows: list[PageRow]) -> dict[int, SitePage]:
    """The pages with their bodies: one query for each family among them."""
    found: dict[int, SitePage] = {}
    for model, family in _FAMILY_BY_MODEL.items():
        for ids in chunks([row.id for row in rows if row.family == model]):
            found |= family.objects.in_bulk(ids)
    return found


def _draft_navigation(keys: Collection[ItemKey], roots: Mapping[str, SiteRoot]) -> list[_Draft]:
    drafts = []
    for kind, model in NAVIGATION.items():
        sites = sorted(key.site for key in keys if key.kind == kind and key.site in roots)
        if not sites:
            continue
        filled = {row.site_id: row for row in model.objects.all() if row.is_filled()}
        for site in sites:
            for source in _with_inherited(site, roots):
                row = filled.get(roots[source].wagtail_site_id)
                if row:
                    place = f"{str(model._meta.verbose_name).capitalize()} ({source})"
                    drafts.append(_Draft(ItemKey(site, kind, MAIN), place, row.raw(), row.freeze, check_navigation))
                    break
    return drafts


def inherited_site(site: str) -> str | None:
    """Key of the site whose content ``site`` shows where it has none of its own."""
    entry = settings.SITES_REGISTRY.sites.get(site)
    inherits: str | None = entry.inherits if entry else None
    return inherits


def _freeze_and_check(
    drafts: list[_Draft], roots: Mapping[str, SiteRoot]
) -> tuple[dict[ItemKey, Body], dict[ItemKey, list[ContentProblem]]]:
    page_keys = load_translation_keys(id for draft in drafts for id in collect_page_ids(draft.raw))
    frozen = {draft.key: draft.freeze(page_keys) for draft in drafts}
    lookups = _load_lookups(frozen, roots)
    bodies: dict[ItemKey, Body] = {}
    problems: dict[ItemKey, list[ContentProblem]] = {}
    for draft in drafts:
        found = draft.check(frozen[draft.key], draft.place, lookups[draft.key.site])
        if found:
            problems[draft.key] = found
        else:
            bodies[draft.key] = frozen[draft.key]
    return bodies, problems


def _load_lookups(frozen: Mapping[ItemKey, Body], roots: Mapping[str, SiteRoot]) -> dict[str, CheckLookup]:
    """For each site what its items may refer to: pages of its own or of the default site, and pictures."""
    references = {(ref.kind, ref.key) for body in frozen.values() for ref in find_references(body)}
    rows = load_page_rows(
        translation_keys=[key for kind, key in references if kind == "page" and not key.startswith("deleted-page-")]
    )
    hidden = load_hidden_ids() if rows else set()
    pictures = _load_pictures([key for kind, key in references if kind == "picture"])
    default = roots.get(settings.SITES_REGISTRY.company.default_site)
    lookups = {}
    for site in {key.site for key in frozen}:
        reachable = [root for root in (roots[site], default) if root]
        pages = {row.translation_key for row in rows for root in reachable if is_published(row, root, hidden)}
        lookups[site] = CheckLookup(frozenset(pages), pictures)
    return lookups


# Items without links --------------------------------------------------------------------------------------------------


def _export_pictures(keys: Collection[ItemKey]) -> dict[ItemKey, Body]:
    return {ItemKey(ALL_SITES, PICTURE, id): body for id, body in _load_pictures([key.key for key in keys]).items()}


def _load_pictures(ids: Iterable[str]) -> dict[str, Body]:
    """Pictures whose files are made, by id."""
    found: dict[str, Body] = {}
    for chunk in chunks(sorted({int(id) for id in ids})):
        rows = SiteImage.objects.filter(pk__in=chunk).values_list("pk", "published")
        found |= {str(id): published for id, published in rows if published}
    return found


def _export_offices(keys: Collection[ItemKey], roots: Mapping[str, SiteRoot]) -> dict[ItemKey, Body]:
    if not keys:
        return {}
    offices = Office.objects.filter(key__in={key.key for key in keys}).select_related("category")
    known = {office.key: office for office in offices.prefetch_related("texts", "category__names")}
    return {
        key: known[key.key].freeze(_locales(key.site, roots)) for key in keys if key.key in known and key.site in roots
    }


def _locales(site: str, roots: Mapping[str, SiteRoot]) -> list[int]:
    return [roots[key].locale_id for key in _with_inherited(site, roots)]


def _with_inherited(site: str, roots: Mapping[str, SiteRoot]) -> list[str]:
    """The site and, after it, the one it inherits from."""
    inherits = inherited_site(site)
    return [site, inherits] if inherits and inherits in roots else [site]

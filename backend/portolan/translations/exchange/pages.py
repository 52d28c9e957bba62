"""Find the pages of a site and their sources."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from wagtail.models import Page

from ...content.change_sets.models import ChangeSet, ChangeSetItem
from ...content.pages.base import SitePage
from ...content.site_records import SiteRoot, load_site_roots
from ...domain.routes import normalise_path
from ..sources import source_site
from .units import Languages

_AT_ONCE: Final = 100


class NothingToDo(Exception):
    """The request names a site, page or change set that does not exist. The message says which there are."""


class Pair(NamedTuple):
    """A page of the source site, with the page of the other site if it exists."""

    source: SitePage
    page: SitePage | None


def find_roots(site: str) -> tuple[SiteRoot, SiteRoot]:
    """Return the source site's root and the site's own. Raise NothingToDo."""
    roots = load_site_roots()
    if site not in roots:
        raise NothingToDo(f"There is no site {site!r}. Sites: {', '.join(settings.SITES_REGISTRY.sites)}.")
    source = source_site(site)
    if source is None:
        raise NothingToDo(f"The pages of the site {site} have no source to translate. Name another site.")
    return roots[source], roots[site]


def languages_of(site: str) -> Languages:
    source, _ = find_roots(site)
    sites = settings.SITES_REGISTRY.sites
    return Languages(sites[source.key].language, sites[site].language, site)


def find_ids(source: SiteRoot, addresses: Collection[str], change_set: int | None) -> list[int]:
    """Return the IDs of source pages in the order of the tree: the named ones, those of a change set, or all live ones.

    Raise NothingToDo for a path or change set that does not exist.
    """
    pages = _below(source).values_list("pk", "url_path", "live", "translation_key")
    rows = [(pk, _address(url, source), live, key) for pk, url, live, key in pages.order_by("path")]
    if change_set is not None:
        keys = _keys_of_set(change_set)
        rows = [row for row in rows if row[3] in keys]
    wanted = {normalise_path(address) for address in addresses}
    if missing := sorted(wanted - {row[1] for row in rows}):
        where = f"in change set {change_set}" if change_set is not None else f"on site {source.key}"
        raise NothingToDo(f"There is no page {', '.join(missing)} {where}. Name pages by their path there.")
    if wanted:
        return [pk for pk, address, _, _ in rows if address in wanted]
    return [pk for pk, _, live, _ in rows if live or change_set is not None]


def load_pairs(ids: Sequence[int], site: SiteRoot) -> Iterator[Pair]:
    """Yield the pages with few queries. Folders are left out, because they have no texts."""
    for some in _in_parts(ids):
        sources = _specific(Page.objects.filter(pk__in=some))
        found = _specific(_below(site).filter(translation_key__in=[page.translation_key for page in sources]))
        by_key = {page.translation_key: page for page in found}
        yield from (Pair(page, by_key.get(page.translation_key)) for page in sources if isinstance(page, SitePage))


def find_ids_by_key(source: SiteRoot, keys: Collection[UUID]) -> list[int]:
    """Return the IDs of the source site's pages with these translation keys, parents first."""
    return list(_below(source).filter(translation_key__in=keys).order_by("path").values_list("pk", flat=True))


def address_of(page: Page, root: SiteRoot) -> str:
    """Return the page's path on its site."""
    return _address(page.url_path, root)


def draft_of(page: Any) -> Any:
    """Return the page's draft in memory, or the page if it has none."""
    has_draft = page.latest_revision_id and (page.has_unpublished_changes or not page.live)
    return page.latest_revision.as_object() if has_draft else page


def _keys_of_set(number: int) -> frozenset[UUID]:
    change_set = ChangeSet.objects.filter(pk=number).first()
    if change_set is None:
        raise NothingToDo(f"There is no change set {number}. The studio shows the number in the set's URL.")
    items = change_set.items.filter(
        content_type=ContentType.objects.get_for_model(Page), what=ChangeSetItem.PUBLISH
    ).values_list("object_id", flat=True)
    return frozenset(Page.objects.filter(pk__in=list(items)).values_list("translation_key", flat=True))


def _below(root: SiteRoot) -> Any:
    return Page.objects.filter(path__startswith=root.root_path, locale_id=root.locale_id)


def _specific(pages: Any) -> list[Any]:
    return list(pages.select_related("latest_revision").order_by("path").specific())


def _address(url_path: str, root: SiteRoot) -> str:
    return normalise_path(url_path.removeprefix(root.root_url_path))


def _in_parts(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    return (ids[start : start + _AT_ONCE] for start in range(0, len(ids), _AT_ONCE))

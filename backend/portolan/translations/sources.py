"""Find the source of a page: the page on the site from which its site translates or copies."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from django.conf import settings

from ..content.site_records import SiteRoot, load_site_roots
from ..sites.registry import Registry
from .models import PageText


def source_site(site: str) -> str | None:
    """Return the key of the site whose pages are translated on ``site``; None if it has pages of its own.

    A site of a group with other pages than the default site has no source.
    """
    return source_sites().get(site)


def source_sites() -> Mapping[str, str]:
    """Return the source of each site that has one, in the order of the site configuration."""
    registry: Registry = settings.SITES_REGISTRY
    return registry.sources()


def translated_sites(source: str) -> list[str]:
    """Return the sites that translate or copy pages of ``source``."""
    return [site for site, other in source_sites().items() if other == source]


def memory_languages(site: str) -> str | None:
    """Return the languages of a site's source and its own, without regions: ``en>de``. None if both are equal."""
    source = source_site(site)
    if source is None:
        return None
    sites = settings.SITES_REGISTRY.sites
    languages = [str(sites[key].language).partition("-")[0] for key in (source, site)]
    return None if languages[0] == languages[1] else ">".join(languages)


def site_of(tree_path: str, locale_id: int) -> SiteRoot | None:
    """Return the site of a page, by its place in the tree and its locale; None for a page in the trash."""
    roots = load_site_roots().values()
    return next((root for root in roots if root.locale_id == locale_id and tree_path.startswith(root.root_path)), None)


def find_text(key: UUID, site: str) -> PageText | None:
    """Return the published text of the source of a page on ``site``."""
    return find_texts(key, [site]).get(site)


def find_texts(key: UUID, sites: Iterable[str]) -> Mapping[str, PageText]:
    """Return the published text of the source for each site, with one query."""
    roots = load_site_roots()
    sources = {site: roots[source] for site in sites if (source := source_site(site)) and source in roots}
    rows = PageText.objects.filter(
        page__translation_key=key, page__locale_id__in={root.locale_id for root in sources.values()}
    ).select_related("page", "text")
    by_locale = {row.page.locale_id: row for row in rows if site_of(row.page.path, row.page.locale_id)}
    return {site: by_locale[root.locale_id] for site, root in sources.items() if root.locale_id in by_locale}

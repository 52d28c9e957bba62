"""Find the pages of a source that a site shows in the source's language, because it has no translation."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, ClassVar, Final, NamedTuple

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from wagtail.models import Page

from ..domain.fallbacks import FallbackRule, is_shown
from .items import PAGE, ItemKey
from .page_rows import PageRow, is_published, load_hidden_ids, load_page_rows, page_kinds
from .site_records import SiteRoot, load_site_roots

NEVER: Final = frozenset({"homepage", "errorpage"})
"""Model names of page types that each site must have itself."""


class PageFallback(models.Model):
    """A site's choice for pages that it has not translated: for all, for a page type, or for one page."""

    site = models.CharField(max_length=12)
    page_type = models.CharField(max_length=100, blank=True)  # model name; empty: all page types
    page_key = models.CharField(max_length=36, blank=True)  # translation key; empty: all pages of the type
    is_shown = models.BooleanField()  # True: the source's page; False: none (404)

    wagtail_reference_index_ignore = True

    class Meta:
        verbose_name = _("page in the original's language")
        verbose_name_plural = _("pages in the original's language")
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("site", "page_type", "page_key"), name="one_fallback_choice")
        ]

    def __str__(self) -> str:
        return f"{self.site} {self.page_type}{self.page_key}: {self.is_shown}"


class SiteFallbacks(NamedTuple):
    """The choices of one site."""

    source: SiteRoot
    rules: list[FallbackRule]

    def covers(self, row: PageRow) -> bool:
        return self.covers_page(row.page_type, row.translation_key)

    def covers_page(self, page_type: str, key: str) -> bool:
        return page_type not in NEVER and is_shown(self.rules, page_type, key)


def load_fallbacks() -> Mapping[str, SiteFallbacks]:
    """Return the choices of each site that shows pages of its source."""
    found: dict[str, list[FallbackRule]] = {}
    for choice in PageFallback.objects.all():
        rule = FallbackRule(choice.page_type, choice.page_key, choice.is_shown)
        found.setdefault(choice.site, []).append(rule)
    shown = {site: rules for site, rules in found.items() if any(rule.is_shown for rule in rules)}
    sources, roots = settings.SITES_REGISTRY.sources(), load_site_roots() if shown else {}
    return {
        site: SiteFallbacks(roots[sources[site]], rules)
        for site, rules in shown.items()
        if site in roots and sources.get(site) in roots
    }


def find_fallbacks(
    wanted: Collection[tuple[str, str]], known: Mapping[tuple[str, int], PageRow], hidden: Collection[int]
) -> list[tuple[str, SiteRoot, PageRow]]:
    """Return the source pages to show for ``wanted`` pages (site, key): site, source and source page.

    ``known``: all pages with these keys, by key and locale.
    """
    sites = load_fallbacks() if wanted else {}
    roots = load_site_roots() if sites else {}
    found = []
    for site, key in wanted:
        if site not in sites:
            continue
        source, own = sites[site].source, known.get((key, roots[site].locale_id))
        row = known.get((key, source.locale_id))
        is_left_out = own is not None and own.id in hidden and own.tree_path.startswith(roots[site].root_path)
        if row and is_published(row, source, hidden) and sites[site].covers(row) and not is_left_out:
            found.append((site, source, row))
    return found


def find_taken(paths: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return those of the paths (site and path) at which the site has a live page of its own."""
    roots = load_site_roots()
    wanted = {_url_path(roots[site], path): (site, path) for site, path in paths}
    found = Page.objects.filter(url_path__in=list(wanted), live=True).values_list("url_path", flat=True)
    return {wanted[url_path] for url_path in found}


def fallback_keys(keys: Iterable[ItemKey], url_paths: Iterable[str]) -> set[ItemKey]:
    """Return the items of other sites and pages that a change of these pages may give a page, or take it from.

    ``url_paths``: Wagtail's URL paths of the pages, before and after the change. A page of a site takes the path of a
    fallback.
    """
    sites = load_fallbacks()
    if not sites:
        return set()
    pages = {key for key in keys if key.kind == PAGE}
    found = {
        ItemKey(site, PAGE, key.key) for site, known in sites.items() for key in pages if key.site == known.source.key
    }
    roots = load_site_roots()
    for site in sites.keys() & {key.site for key in pages}:
        own, source = roots[site].root_url_path, sites[site].source.root_url_path
        there = [source + url.removeprefix(own) for url in url_paths if url.startswith(own) and url != own]
        if there:
            condition = Q()
            for url in there:
                condition |= Q(url_path__startswith=url)
            found |= {ItemKey(site, PAGE, str(key)) for key in _keys(Page.objects.filter(condition))}
    return found


def keys_of_choice(choice: PageFallback) -> set[ItemKey]:
    """Return the pages of a site that a choice may add or remove."""
    return {
        ItemKey(choice.site, PAGE, row.translation_key)
        for row in _source_rows(choice.site)
        if choice.page_type in ("", row.page_type) and choice.page_key in ("", row.translation_key)
    }


def all_fallback_keys() -> set[ItemKey]:
    """Return the keys of all pages that sites may show from their source."""
    return {
        ItemKey(site, PAGE, row.translation_key)
        for site, known in load_fallbacks().items()
        for row in _source_rows(site)
        if known.covers(row)
    }


def _source_rows(site: str) -> list[PageRow]:
    source = load_site_roots().get(settings.SITES_REGISTRY.sources().get(site, ""))
    hidden = load_hidden_ids()
    rows = load_page_rows(under=[source]) if source else []
    return [row for row in rows if source and is_published(row, source, hidden) and page_kinds(row.page_type)]


def _keys(pages: Any) -> Iterable[Any]:
    return pages.values_list("translation_key", flat=True)


def _url_path(root: SiteRoot, path: str) -> str:
    return f"{root.root_url_path}{path.lstrip('/')}/"

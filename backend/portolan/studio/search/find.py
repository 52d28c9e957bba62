"""Search with Wagtail's search backend (full text of SQLite or PostgreSQL): whole words, and beginnings of titles.

Menus, footers and redirects are few, so they are searched directly.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop
from wagtail.documents.models import Document
from wagtail.models import Page
from wagtail.permissions import policy_registry
from wagtail.search.backends import get_search_backend

from ...content.collections import COLLECTIONS
from ...content.export import SETTINGS
from ...content.fields import BlocksField
from ...content.page_rows import load_hidden_ids
from ...content.page_search import COMMON, by_title
from ...content.pages.base import SitePage
from ...content.pictures import SiteImage
from ...content.redirects import Redirect
from ...content.site_records import SiteRoot, load_site_roots
from ...content.typed_texts import typed_texts
from ...domain.letters import fold
from ..redirects.own_sites import seen_redirects
from ..site_names import name_sites, site_name
from .excerpts import Piece, mark, split_words

MOST: Final = 20
"""Results to show of one kind."""
_MOST_READ: Final = 2 * MOST + 1
"""Pages to read. Some are copies of others."""
_ADDRESS: Final = re.compile(r"(?:https?://[^/\s]+)?(/\S*)")
_ANY: Final = ("add", "change", "delete", "view")


class Hit(NamedTuple):
    title: str
    kind: str
    """Kind of content, as shown to editors."""
    where: str
    """Names of sites, and the URL; empty for content without a site."""
    edit_url: str
    excerpt: list[Piece]


class Group(NamedTuple):
    name: str
    hits: list[Hit]
    more: int
    """Number of further results."""


class Search(NamedTuple):
    query: str
    words: list[str]
    sites: Mapping[str, SiteRoot]
    """Sites to search."""
    is_every: bool
    user: User | AnonymousUser
    is_common: list[bool]
    """Not empty if very many results of one kind contain the words."""


def search(query: str, site: str, user: User | AnonymousUser) -> list[Group]:
    """Return the groups with results, the most wanted kinds first. ``site``: a key, or empty for all."""
    roots = load_site_roots()
    chosen = {site: roots[site]} if site in roots else dict(roots)
    asked = Search(query, split_words(query), chosen, len(chosen) == len(roots), user, [])
    groups = (_group(gettext(name), [*find(asked)]) for name, find in _KINDS.items()) if asked.words else ()
    return [group for group in groups if group.hits]


def _group(name: str, hits: list[Hit]) -> Group:
    return Group(name, hits[:MOST], max(0, len(hits) - MOST))


# Kinds


def _find_pages(asked: Search) -> Iterator[Hit]:
    below = [Q(path__startswith=root.root_path) for root in asked.sites.values()]
    if not below:
        return
    may_see = policy_registry.get_by_type(Page).explorable_instances(asked.user).filter(reduce(or_, below))
    if (address := _ADDRESS.fullmatch(asked.query.strip())) and (path := address.group(1).rstrip("/")):
        found = list(may_see.filter(url_path__endswith=f"{path}/").specific()[:_MOST_READ])
    else:
        found = _look(may_see.specific(), asked, _MOST_READ)
    ids = {page.pk for page in found}
    roots = load_site_roots()
    shown_on = _find_copies(ids, roots)
    for page in found:
        if page.alias_of_id in ids:
            continue  # a copy is edited at its source
        text = page.searched_text() if isinstance(page, SitePage) else ""
        where = _say_where(page, shown_on.get(page.pk, []), roots)
        state = "" if page.live else gettext(", draft")
        yield Hit(
            page.draft_title or page.title,
            capfirst(page._meta.verbose_name) + state,
            where,
            reverse("wagtailadmin_pages:edit", args=[page.pk]),
            mark(text, asked.words),
        )


def _find_copies(ids: Collection[int], roots: Mapping[str, SiteRoot]) -> dict[int, list[str]]:
    """Return for each page the keys of the sites that show a live copy of it."""
    hidden = load_hidden_ids()
    found: dict[int, list[str]] = {}
    copies = Page.objects.filter(alias_of__in=ids, live=True).exclude(pk__in=hidden).order_by("path")
    for source, path in copies.values_list("alias_of", "path"):
        if site := _site_of(path, roots):
            found.setdefault(source, []).append(site.key)
    return found


def _say_where(page: Any, copies: Iterable[str], roots: Mapping[str, SiteRoot]) -> str:
    """Return site and path, and the other sites that show the page or from which it is inherited."""
    site = _site_of(page.path, roots)
    if site is None:
        return ""
    path = page.path_in_site(site.root_url_path) if isinstance(page, SitePage) else ""
    where = f"{site_name(site.key)}, {path}" if path else site_name(site.key)
    if page.alias_of_id and (source := _site_of(page.alias_of.path, roots)):
        return gettext("{where}; inherits from {site}").format(where=where, site=site_name(source.key))
    if names := ", ".join(map(site_name, copies)):
        return gettext("{where}; also on {sites}").format(where=where, sites=names)
    return where


def _site_of(path: str, roots: Mapping[str, SiteRoot]) -> SiteRoot | None:
    return next((root for root in roots.values() if path.startswith(root.root_path)), None)


def _find_entries(asked: Search) -> Iterator[Hit]:
    for model in COLLECTIONS.values():
        entries: Any = model
        if not policy_registry.get_by_type(model).user_has_any_permission(asked.user, _ANY):
            continue
        hits = _look(entries.objects.all(), asked)
        for entry in sorted(hits, key=lambda entry: _rank(str(entry), asked.query)):
            keys = _sites_of(entry)
            if keys and not asked.is_every and not keys & asked.sites.keys():
                continue
            if not (url := _find_url(entry, asked.user)):
                continue
            yield Hit(
                str(entry),
                capfirst(str(model._meta.verbose_name)),
                name_sites(keys) if keys else "",
                url,
                [],
            )


def _find_url(row: Any, user: User | AnonymousUser) -> str:
    """Return the URL of its form or its read-only view; empty if the user may open neither."""
    policy, views = policy_registry.get(row), row.snippet_viewset
    if policy.user_has_permission_for_instance(user, "change", row):
        return reverse(views.get_url_name("edit"), args=[row.pk])
    if views.inspect_view_enabled and policy.user_has_permission_for_instance(user, "view", row):
        return reverse(views.get_url_name("inspect"), args=[row.pk])
    return ""


def _sites_of(entry: Any) -> set[str]:
    """Return the site keys of an entry's translations; empty if it has none."""
    translations = getattr(entry, "translations", None)
    return set(translations.values_list("locale__record", flat=True)) - {None} if translations is not None else set()


def _find_settings(asked: Search) -> Iterator[Hit]:
    """Search menus, footers and rate cards: one for each site."""
    by_site = {root.wagtail_site_id: root.key for root in asked.sites.values()}
    for model, _ in SETTINGS.values():
        settings: Any = model
        if not policy_registry.get_by_type(model).user_has_any_permission(asked.user, _ANY):
            continue
        streams = [field for field in model._meta.get_fields() if isinstance(field, BlocksField)]
        for row in settings.objects.filter(site_id__in=by_site):
            texts = [text for field in streams for text in _typed(row, field)]
            text = " · ".join(filter(None, texts))
            if all(word in fold(text) for word in asked.words) and (url := _find_url(row, asked.user)):
                name = capfirst(str(model._meta.verbose_name))
                yield Hit(name, name, site_name(by_site[row.site_id]), url, mark(text, asked.words))


def _find_redirects(asked: Search) -> Iterator[Hit]:
    if not policy_registry.get_by_type(Redirect).user_has_any_permission(asked.user, _ANY):
        return
    address = _ADDRESS.fullmatch(asked.query.strip())
    part = fold(address.group(1) if address else asked.query.strip())
    rows = seen_redirects(asked.user).filter(Q(site=None) | Q(site__in=asked.sites)).select_related("site")
    found = (row for row in rows if any(part in fold(text) for text in (row.source, row.address, row.note)))
    for row in islice(found, MOST + 1):
        if url := _find_url(row, asked.user):
            where = site_name(row.site.key) if row.site else gettext("all sites")
            yield Hit(row.source, gettext("Redirect"), where, url, mark(row.note, asked.words) if row.note else [])


def _find_pictures(asked: Search) -> Iterator[Hit]:
    may_see = policy_registry.get_by_type(SiteImage).instances_user_has_any_permission_for(
        asked.user, ["change", "choose"]
    )
    for picture in _look(SiteImage.objects.filter(pk__in=may_see.values("pk")), asked):
        yield Hit(picture.title, gettext("Image"), "", reverse("wagtailimages:edit", args=[picture.pk]), [])


def _find_documents(asked: Search) -> Iterator[Hit]:
    may_see = policy_registry.get_by_type(Document).instances_user_has_any_permission_for(
        asked.user, ["change", "choose"]
    )
    for document in _look(Document.objects.filter(pk__in=may_see.values("pk")), asked):
        yield Hit(document.title, gettext("Document"), "", reverse("wagtaildocs:edit", args=[document.pk]), [])


_KINDS: Final[Mapping[str, Callable[[Search], Iterable[Hit]]]] = {
    gettext_noop("Pages"): _find_pages,
    gettext_noop("Entries"): _find_entries,
    gettext_noop("Menus, footers and rate cards"): _find_settings,
    gettext_noop("Redirects"): _find_redirects,
    gettext_noop("Images"): _find_pictures,
    gettext_noop("Documents"): _find_documents,
}


def _look(rows: Any, asked: Search, most: int = MOST + 1) -> list[Any]:
    """Return rows, best first.

    First rows whose title equals the query or begins with it, then rows with the whole words anywhere, then titles with
    a word that begins with the query: ``north`` finds Northwind.
    """
    backend = get_search_backend()
    found = {row.pk: row for row in _titled(rows, asked.query, most)}
    for look in (backend.search, backend.autocomplete):
        if len(found) < most:
            more = {row.pk: row for row in _best(look, asked, rows, most)}
            found |= {pk: row for pk, row in more.items() if pk not in found}
    return list(found.values())[:most]


def _titled(rows: Any, query: str, most: int) -> list[Any]:
    names = {field.name for field in rows.model._meta.get_fields()} & {"title", "draft_title"}
    if not names:
        return []
    begins = reduce(or_, (Q(**{f"{name}__istartswith": query.strip()}) for name in names))
    return list(rows.filter(begins).order_by(by_title(query, *names), "pk")[:most])


def _rank(title: str, query: str) -> int:
    """Return 0 if the title equals the query, 1 if it begins with it, else 2.

    >>> [_rank(title, "port") for title in ("Port", "Ports", "Airport")]
    [0, 1, 2]
    """
    title, query = title.casefold(), query.strip().casefold()
    return 0 if title == query else 1 if title.startswith(query) else 2


def _best(look: Callable[..., Any], asked: Search, rows: Any, most: int) -> list[Any]:
    """Return the matching rows, best first.

    Databases rank every row with a word, which is slow for common words. For these, return the first rows unranked.
    """
    query = asked.query
    ids = [
        row.pk
        for row in look(query, rows.model.objects.filter(pk__in=rows.values("pk")), order_by_relevance=False)[:COMMON]
    ]
    if len(ids) == COMMON:
        asked.is_common.append(True)
    if len(ids) > 1 and not asked.is_common:
        return list(look(query, rows.filter(pk__in=ids))[:most])
    return list(rows.filter(pk__in=ids[:most])) if ids else []


def _typed(row: Any, field: BlocksField) -> Iterator[str]:
    return typed_texts(getattr(row, field.name))

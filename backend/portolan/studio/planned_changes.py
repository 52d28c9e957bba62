"""Find all pages that a planned change affects, without changing them.

This includes child pages and live copies, by the rules of ``studio.inheritance``.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from django.utils.translation import gettext
from wagtail.models import Page

from ..content.items import PAGE
from ..content.page_places import why_not_move
from ..content.rules import why_reserved
from ..content.site_records import SiteRoot, load_site_roots
from ..domain.routes import is_page_path, normalise_path
from ..releases.reader import ItemId
from .consequences import Planned
from .inheritance import Follower, find_followers_of_move, find_followers_of_slug
from .site_names import site_name
from .use_rows import PlacedPage, list_page_items


class Plan(NamedTuple):
    pages: Planned
    problems: tuple[str, ...] = ()
    """Reasons why it is not possible."""
    staying: tuple[str, ...] = ()
    """Live copies that stay, with the reasons."""


def plan_slug(page: Page, slug: str) -> Plan:
    """Plan a new slug of the page."""
    before = Page.objects.values_list("slug", flat=True).get(pk=page.pk)
    if slug == before or not slug or page.depth <= 2:  # a home page's slug is not in its URL
        return Plan({})
    if "/" in slug or not is_page_path(f"/{slug}"):
        return Plan(
            {},
            (
                gettext("“{slug}” cannot be part of a URL. Use lower-case letters, digits and hyphens.").format(
                    slug=slug
                ),
            ),
        )
    if reason := why_reserved(slug, page.get_parent()):
        return Plan({}, (reason,))
    if taken := page.get_siblings(inclusive=False).filter(slug=slug).first():
        return Plan({}, (_say_taken(taken),))
    roots = load_site_roots()
    pages: dict[ItemId, str | None] = {}
    staying: list[str] = []

    def rename(one: Page) -> None:
        pages.update(_shift(one, _stem(one) + f"{slug}/", roots))
        for follower in find_followers_of_slug(one, before, slug):
            if follower.parent:
                rename(follower.copy)
            else:
                staying.append(_say_staying(follower))

    rename(page)
    return Plan(pages, (), tuple(staying))


def plan_move(page: Page, parent: Page) -> Plan:
    """Plan a move of the page and its child pages."""
    roots = load_site_roots()
    if reason := why_not_move(page, parent):
        return Plan({}, (reason,))
    pages: dict[ItemId, str | None] = {}
    staying: list[str] = []

    def move(one: Page, below: Page) -> None:
        pages.update(_shift(one, f"{below.url_path}{one.slug}/", roots))
        for follower in find_followers_of_move(one, one.get_parent(), below):
            if follower.parent:
                move(follower.copy, follower.parent)
            else:
                staying.append(_say_staying(follower))

    move(page, parent)
    return Plan(pages, (), tuple(staying))


def plan_removal(pages: Iterable[Page | PlacedPage]) -> Plan:
    """Plan to unpublish or delete pages."""
    return Plan(dict.fromkeys(list_page_items(pages)))


def _shift(page: Page, url_path: str, roots: Mapping[str, SiteRoot]) -> dict[ItemId, str | None]:
    """Return the new paths of a page and its child pages for a new ``url_path``."""
    root = _root_of(page, roots)
    if root is None:
        return {}
    rows = Page.objects.filter(path__startswith=page.path).values_list("url_path", "translation_key")
    return dict(_shifted(root, page.url_path, url_path, rows))


def _shifted(
    root: SiteRoot, before: str, after: str, rows: Iterable[tuple[str, object]]
) -> Iterator[tuple[ItemId, str | None]]:
    for url_path, key in rows:
        there = after + url_path.removeprefix(before)
        path = normalise_path(there.removeprefix(root.root_url_path)) if there.startswith(root.root_url_path) else None
        yield ItemId(root.key, PAGE, str(key)), path


def _root_of(page: Page, roots: Mapping[str, SiteRoot]) -> SiteRoot | None:
    return next((root for root in roots.values() if page.path.startswith(root.root_path)), None)


def _stem(page: Page) -> str:
    return str(page.url_path)[: -len(page.slug) - 1]


def _say_taken(other: Page) -> str:
    return gettext(
        "“{title}” already has this URL. Choose another slug, or change the slug of that page first."
    ).format(title=other.title)


def _say_staying(follower: Follower) -> str:
    names = {record.locale_id: site_name(key) for key, record in load_site_roots().items()}
    site = names.get(follower.copy.locale_id, str(follower.copy.locale))
    if follower.obstacle:
        return gettext("The URL stays on {site}, because “{title}” already has the new one there.").format(
            site=site, title=follower.obstacle.title
        )
    return gettext("The page stays in place on {site}, because that site does not have the new parent page.").format(
        site=site
    )

"""Fill in a menu's items without a title: title, teaser and image of the page.

Each site shows its own version of the page, so one menu works for every site that inherits it, and an edit of the page
changes the menu. A site without the page shows the default site's, which the link points to.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ..domain.cards import CARD_KINDS
from ..domain.snapshot_bodies import JsonObject, MenuBody, PageBody
from ..releases.index import Page
from ..releases.reader import ItemId
from .snapshot import Snapshot

HERO = "hero"


class ChosenPage(NamedTuple):
    """The fields of a page that lists show, with unresolved references."""

    title: str
    teaser: str
    picture: JsonObject | None


FindPage = Callable[[str], ChosenPage | None]
"""By translation key."""


def read_chosen_page(page: Page, snapshot: Snapshot) -> ChosenPage:
    """Return the page's card.

    Without one, use its description for search engines and the image of its hero.
    """
    body = snapshot.page_body(page)
    kind = CARD_KINDS.get(page.template)
    card = snapshot.body(ItemId(page.content_site, kind, page.key)) if kind else None
    value: JsonObject = card["value"] if card else {}
    teaser = value.get("summary") or body["head"]["description"]
    pictures = [*value.values(), *_hero_pictures(body)]
    return ChosenPage(body["title"], teaser, next(filter(_is_picture, pictures), None))


def fill_chosen_pages(menu: MenuBody, find: FindPage) -> MenuBody:
    """Return the menu with titles, teasers and images of its items' pages."""
    items = [{**item, "submenu": [_fill_item(each, find) for each in item["submenu"]]} for item in menu["items"]]
    return {**menu, "items": items}


def list_chosen_pages(menu: Mapping[str, Any]) -> Iterator[str]:
    """Yield the translation keys of pages whose texts the menu shows."""
    for item in menu["items"]:
        for each in item["submenu"]:
            without_title = [each["url"]] if not each["title"] else []
            without_title += [link for link in each["linkList"] if not link["title"]]
            yield from (str(link["$page"]) for link in without_title if link and "$page" in link)


def _fill_item(item: JsonObject, find: FindPage) -> JsonObject:
    filled = {**item, "linkList": [_fill_link(link, find) for link in item["linkList"]]}
    page = None if item["title"] else _find(item["url"], find)
    if page is None:
        return filled
    return filled | {
        "title": page.title,
        "description": item["description"] or page.teaser,
        "url": {**item["url"], "title": page.title},
        "img": item["img"] or page.picture,
    }


def _fill_link(link: JsonObject, find: FindPage) -> JsonObject:
    page = None if link["title"] else _find(link, find)
    return {**link, "title": page.title} if page else link


def _find(link: JsonObject | None, find: FindPage) -> ChosenPage | None:
    return find(str(link["$page"])) if link and "$page" in link else None


def _hero_pictures(body: PageBody) -> Iterator[Any]:
    return (block.get("picture") for block in body["blocks"] if block["type"] == HERO)


def _is_picture(value: Any) -> bool:
    return isinstance(value, dict) and "$picture" in value

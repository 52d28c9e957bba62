"""Sub-menus of every kind: optional fields, and their snapshots."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.core.exceptions import ValidationError

from portolan.content.export import export_items
from portolan.content.items import ItemKey
from portolan.content.models import ContactPage, HomePage, MenuSettings
from portolan.content.navigation.menu import VIDEOS_IN_MENU, MenuItemBlock
from portolan.domain.references import PageTarget, resolve
from portolan.schemas.navigation import MenuItem

PICTURE = {"url": "/media/a.svg", "width": 4, "height": 3, "vector": "/media/a.svg"}


class AnyLookup:
    """Everything exists; there are more videos than a menu shows."""

    def page(self, key: str) -> PageTarget | None:
        return PageTarget("/somewhere")

    def picture(self, key: str) -> dict[str, Any] | None:
        return PICTURE

    def document(self, key: str) -> dict[str, Any] | None:
        return None

    def items(self, kind: str) -> list[Any]:
        cover = {"$picture": "1", "alt": ""}
        return [{"id": f"{kind}-{n}", "title": "T", "cover": cover, "videoId": "demo-000001"} for n in range(9)]

    def placed(self, kind: str) -> list[Any]:
        return []

    def own_page(self) -> str | None:
        return None

    def placeholder(self, name: str) -> str | None:
        return name

    def is_external(self, url: str) -> bool:
        return False


def test_a_menu_of_tabs_freezes_what_fills_them(
    sites: Any, homes: Mapping[str, HomePage], add_page: Callable[..., Any]
) -> None:
    contact = add_page(homes["en"], ContactPage, "contact-us", title="Contact us")
    tabs = [
        {"title": "Guides", "link_list": [{"title": "Contact", "page": contact.pk}]},
        {"title": "Videos", "content_type": "rnd-videos"},
        {"title": "News", "content_type": "news"},
    ]
    item = {
        "key": "insights",
        "title": "Insights",
        "theme": "tabs",
        "submenu": tabs,
        "parent_link": {"title": "All of it", "page": contact.pk},
    }
    MenuSettings.objects.create(
        site=sites["en"].wagtail_site,
        items=[{"type": "item", "value": item}],
        contact=[{"type": "link", "value": {"title": "Contact us", "page": contact.pk}}],
    )
    key = ItemKey("en", "menu", "main")
    frozen = export_items([key])[key]
    assert frozen is not None
    item = MenuItem.model_validate(resolve(frozen["items"][0], AnyLookup()))
    guides, videos, news = item.submenu
    assert [link.title for link in guides.link_list] == ["Contact"]
    assert videos.content_type == "rnd-videos"
    assert [video.id for video in videos.videos] == [f"video-{n}" for n in range(VIDEOS_IN_MENU)]
    assert (news.content_type, news.videos) == ("news", [])
    assert item.options.theme == "tabs"
    assert item.parent_link and item.parent_link.title == "All of it"


@pytest.mark.parametrize(
    ("theme", "entry", "message"),
    [
        ("text-links", {}, "has no target"),
        ("text-links", {"url": "https://x.example"}, None),
        ("text-links", {"url": "https://x.example", "title": ""}, "Enter a title, or choose a page"),
        ("tabs", {"link_list": [{"title": "", "url": "https://x.example"}]}, "Enter the text of the link"),
        ("image-cards", {"url": "https://x.example"}, "has no image"),
        ("tabs", {}, "is empty"),
        ("tabs", {"content_type": "news"}, None),
        ("tabs", {"link_list": [{"title": "X", "url": "https://x.example"}]}, None),
    ],
)
def test_what_each_kind_of_sub_menu_needs(theme: str, entry: dict[str, Any], message: str | None) -> None:
    block = MenuItemBlock()
    value = block.to_python({"title": "T", "key": "t", "theme": theme, "submenu": [{"title": "E", **entry}]})
    if message is None:
        block.clean(value)
        return
    with pytest.raises(ValidationError) as refused:
        block.clean(value)
    assert message in str(refused.value.as_json_data())


@pytest.mark.parametrize("theme", ["text-links", "image-cards", "tabs"])
def test_a_page_needs_no_title_and_no_picture_of_the_menu_s_own(
    homes: Mapping[str, HomePage], add_page: Callable[..., Any], theme: str
) -> None:
    page = add_page(homes["en"], ContactPage, "contact-us", title="Contact us")
    block = MenuItemBlock()
    entry = {"page": page.pk, "link_list": [{"page": page.pk}]}
    value = block.clean(block.to_python({"title": "T", "key": "t", "theme": theme, "submenu": [entry]}))
    [item] = block.snapshot(block.get_prep_value(value), {page.pk: "key"})["submenu"]
    assert (item["title"], item["url"], item["img"]) == ("", {"$page": "key", "title": ""}, None)
    assert item["linkList"] == [{"$page": "key", "title": ""}]

"""Header menu: one per site. A site that inherits another's pages shows that site's menu until it has its own."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail import blocks
from wagtail.admin.panels import FieldPanel, Panel
from wagtail.blocks.list_block import ListBlockValidationError
from wagtail.contrib.settings.models import register_setting

from ...domain.snapshot_bodies import MenuBody
from ..blocks.base import LineBlock, LinkBlock, PictureBlock, TargetBlock
from ..fields import BlocksField
from ..items import VIDEO
from ..rules import check_anchor
from ..schedule_panel import SchedulePanel
from ..site_setting import SiteSetting
from ..snapshot import TranslationKeys, list_items, snapshot_stream
from ..trimmed import Trimmed

VIDEOS_IN_MENU: Final = 6


class KeyBlock(Trimmed, blocks.CharBlock):
    """A permanent name for styles, tests and statistics, also when the title changes."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            max_length=40,
            validators=(check_anchor,),
            **{
                "help_text": _("A short permanent name that visitors do not see, e.g. services."),
                **kwargs,
            },
        )


_OF_THE_PAGE: Final = _("Empty: the title of the page below, in the language of each site.")


class MenuLinkBlock(LinkBlock):
    """A link that shows the title of its page if it has none of its own (``publisher.chosen_pages``)."""

    title = LineBlock(required=False, max_length=80, help_text=_OF_THE_PAGE)

    def problems(self, value: Mapping[str, Any]) -> dict[str, ValidationError]:
        return TargetBlock.problems(self, value) if value["page"] else super().problems(value)


class SubmenuItemBlock(TargetBlock):
    """An item of a sub-menu. Published as :class:`~portolan.schemas.navigation.SubmenuItem`.

    Without a title, it shows the title, teaser and image of its page (``publisher.chosen_pages``).
    """

    title = LineBlock(required=False, max_length=60, help_text=_OF_THE_PAGE)
    description = LineBlock(
        required=False,
        max_length=140,
        help_text=_("If this and the title are empty: the page's summary, or its description for search engines."),
    )
    img = PictureBlock(
        required=False,
        label=_("Image"),
        help_text=_("For image cards. If this and the title are empty: the page's image."),
    )
    link_list = blocks.ListBlock(
        MenuLinkBlock(),
        max_num=16,
        default=[],
        collapsed=True,
        label=_("Links"),
        help_text=_("For tabs: the links in the tab."),
    )
    content_type = blocks.ChoiceBlock(
        choices=[("rnd-videos", _("Insight videos")), ("news", _("Latest news"))],
        required=False,
        label=_("Automatic content"),
        help_text=_("For tabs, instead of links: always up to date."),
    )

    class Meta:
        label = _("Item")
        label_format = "{title} {page} {url}"
        target_required = False
        form_layout = ["title", "description", "page", "anchor", "url", "img", "link_list", "content_type"]

    def problems(self, value: Mapping[str, Any]) -> dict[str, ValidationError]:
        if value["title"] or value["page"]:
            return super().problems(value)
        missing = ValidationError(gettext("Enter a title, or choose a page whose title is shown."), code="required")
        return {"title": missing, **super().problems(value)}

    def snapshot(self, raw: Mapping[str, Any], pages: TranslationKeys) -> dict[str, Any]:
        title = raw.get("title") or ""
        link = self.child_blocks["link_list"].child_block
        content = raw.get("content_type") or None
        return {
            "title": title,
            "description": raw.get("description") or "",
            "url": self.snapshot_target(raw, pages, title),
            "img": self.child_blocks["img"].snapshot(raw.get("img") or {}, pages),
            "linkList": [link.snapshot(item, pages) for item in list_items(raw.get("link_list"))],
            "contentType": content,
            "videos": {"$items": VIDEO, "first": VIDEOS_IN_MENU} if content == "rnd-videos" else [],
        }


class MenuItemBlock(TargetBlock):
    """Published as :class:`~portolan.schemas.navigation.MenuItem`."""

    title = LineBlock(max_length=40)
    key = KeyBlock()
    theme = blocks.ChoiceBlock(
        choices=[("text-links", _("Text links")), ("image-cards", _("Image cards")), ("tabs", _("Tabs"))],
        default="text-links",
        label=_("Sub-menu shown as"),
    )
    submenu = blocks.ListBlock(SubmenuItemBlock(), max_num=24, default=[], collapsed=True, label=_("Sub-menu"))
    parent_link = LinkBlock(
        required=False, label=_("Link below the sub-menu"), help_text=_("The page for the whole sub-menu.")
    )

    class Meta:
        icon = "list-ul"
        label_format = "{title} ({theme})"
        target_required = False
        form_layout = ["title", "key", "page", "anchor", "url", "theme", "submenu", "parent_link"]

    def problems(self, value: Mapping[str, Any]) -> dict[str, ValidationError]:
        problems = super().problems(value)
        if not (value["page"] or value["url"] or len(value["submenu"])):
            problems["page"] = ValidationError(
                gettext("A menu item needs a page, a URL or a sub-menu."), code="required"
            )
        missing = [what for item in value["submenu"] if (what := _missing(item, value["theme"]))]
        if missing:
            problems["submenu"] = ListBlockValidationError(
                non_block_errors=[ValidationError(text, code="required") for text in missing]
            )
        return problems

    def snapshot(self, raw: Mapping[str, Any], pages: TranslationKeys) -> dict[str, Any]:
        title = raw.get("title") or ""
        block = self.child_blocks["submenu"].child_block
        return {
            "key": raw.get("key") or "",
            "title": title,
            "to": self.snapshot_target(raw, pages, title),
            "submenu": [block.snapshot(item, pages) for item in list_items(raw.get("submenu"))],
            "parentLink": self.child_blocks["parent_link"].snapshot(raw.get("parent_link") or {}, pages),
            "options": {"theme": raw.get("theme") or "text-links"},
        }


def _missing(item: Mapping[str, Any], theme: str) -> str | None:
    """Return the error of an item that is incomplete for this theme, or None."""
    has_target = item["page"] or item["url"]
    if theme == "tabs":
        if not (has_target or len(item["link_list"]) or item["content_type"]):
            return gettext("The tab “{item}” is empty. Add links, or choose automatic content.").format(
                item=item["title"]
            )
    elif not has_target:
        return gettext("“{item}” has no target. Choose a page or enter a URL.").format(item=item["title"])
    elif theme == "image-cards" and item["title"] and not item["img"]["image"]:
        return gettext("The card “{item}” has no image. Choose one.").format(item=item["title"])
    return None


@register_setting
class MenuSettings(SiteSetting):
    items = BlocksField(
        [("item", MenuItemBlock())], blank=True, max_num=8, collapsed=True, verbose_name=_("menu items")
    )
    contact = BlocksField(
        [("link", LinkBlock())],
        blank=True,
        max_num=1,
        verbose_name=_("contact button"),
        help_text=_("On every page."),
    )

    panels: ClassVar[list[Panel]] = [FieldPanel("items"), FieldPanel("contact"), SchedulePanel(expires=False)]

    class Meta:
        verbose_name = _("header menu")

    def raw(self) -> list[Any]:
        return [*self.items.raw_data, *self.contact.raw_data]

    def snapshot(self, pages: TranslationKeys) -> MenuBody:
        return {
            "items": snapshot_stream(self.items, pages),
            "contact": next(iter(snapshot_stream(self.contact, pages)), None),
        }

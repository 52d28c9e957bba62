"""Header menu: one per site. A site that inherits another's pages shows that site's menu until it has its own."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from wagtail import blocks
from wagtail.admin.panels import FieldPanel, Panel
from wagtail.contrib.settings.models import BaseSiteSetting, register_setting

from ..blocks.base import LineBlock, LinkBlock, TargetBlock
from ..fields import BlocksField
from ..freeze import PageKeys, freeze_stream, list_items
from ..rules import check_anchor


class KeyBlock(blocks.CharBlock):
    """A name that stays when titles change: styles, tests and statistics go by it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            max_length=40,
            validators=(check_anchor,),
            **{"help_text": "A short name that visitors never see and that stays as it is, e.g. services.", **kwargs},
        )


class SubmenuEntryBlock(TargetBlock):
    """Published as :class:`~portolan.shapes.navigation.SubmenuEntry`."""

    title = LineBlock(max_length=60)
    description = LineBlock(required=False, max_length=140)

    class Meta:
        label = "Entry"
        label_format = "{title}"
        form_layout = ["title", "description", "page", "anchor", "url"]

    def freeze(self, raw: Mapping[str, Any], pages: PageKeys) -> dict[str, Any]:
        title = raw.get("title") or ""
        return {
            "title": title,
            "description": raw.get("description") or "",
            "link": self.freeze_target(raw, pages, title),
        }


class MenuItemBlock(TargetBlock):
    """Published as :class:`~portolan.shapes.navigation.MenuItem`."""

    title = LineBlock(max_length=40)
    key = KeyBlock()
    submenu = blocks.ListBlock(SubmenuEntryBlock(), max_num=24, default=[], label="Sub-menu")

    class Meta:
        icon = "list-ul"
        label_format = "{title}"
        target_required = False
        form_layout = ["title", "key", "page", "anchor", "url", "submenu"]

    def problems(self, value: Mapping[str, Any]) -> dict[str, ValidationError]:
        problems = super().problems(value)
        if not (value["page"] or value["url"] or len(value["submenu"])):
            problems["page"] = ValidationError("A menu item needs a page, an address or a sub-menu.", code="required")
        return problems

    def freeze(self, raw: Mapping[str, Any], pages: PageKeys) -> dict[str, Any]:
        title = raw.get("title") or ""
        entry = self.child_blocks["submenu"].child_block
        return {
            "key": raw.get("key") or "",
            "title": title,
            "to": self.freeze_target(raw, pages, title),
            "submenu": [entry.freeze(item, pages) for item in list_items(raw.get("submenu"))],
        }


@register_setting(icon="list-ul", order=100)
class MenuSettings(BaseSiteSetting):
    items = BlocksField([("item", MenuItemBlock())], blank=True, max_num=8, verbose_name="menu items")
    contact = BlocksField(
        [("link", LinkBlock())],
        blank=True,
        max_num=1,
        verbose_name="contact button",
        help_text="On every page.",
    )

    panels: ClassVar[list[Panel]] = [FieldPanel("items"), FieldPanel("contact")]

    class Meta:
        verbose_name = "header menu"

    def raw(self) -> list[Any]:
        return [*self.items.raw_data, *self.contact.raw_data]

    def is_filled(self) -> bool:
        """An editor who only looks at an empty form leaves an empty row behind."""
        return bool(self.raw())

    def freeze(self, pages: PageKeys) -> dict[str, Any]:
        return {
            "items": freeze_stream(self.items, pages),
            "contact": next(iter(freeze_stream(self.contact, pages)), None),
        }

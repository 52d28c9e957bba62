"""Footer: one per site. A site that inherits another's pages shows that site's footer until it has its own."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from wagtail import blocks
from wagtail.admin.panels import FieldPanel, Panel
from wagtail.contrib.settings.models import register_setting

from ...domain.snapshot_bodies import FooterBody
from ..blocks.base import LineBlock, LinkBlock
from ..fields import BlocksField
from ..schedule_panel import SchedulePanel
from ..site_setting import SiteSetting
from ..snapshot import TranslationKeys, list_items, snapshot_stream
from .menu import KeyBlock


class FooterLinkBlock(LinkBlock):
    """Published as :class:`~portolan.schemas.navigation.FooterLink`."""

    region = blocks.ChoiceBlock(
        choices=[("cis", _("Visitors from the CIS"))],
        required=False,
        help_text=_("Empty: all visitors."),
    )

    new_tab = blocks.BooleanBlock(
        required=False,
        default=False,
        label=_("Open in a new tab"),
        help_text=_("Links to other companies' sites always do."),
    )

    class Meta:
        form_layout = ["title", "page", "anchor", "url", "region", "new_tab"]

    def snapshot(self, raw: Mapping[str, Any], pages: TranslationKeys) -> dict[str, Any]:
        return {
            "link": super().snapshot(raw, pages),
            "region": raw.get("region") or None,
            "target": "_blank" if raw.get("new_tab") else None,
        }


class FooterGroupBlock(blocks.StructBlock):
    """Published as :class:`~portolan.schemas.navigation.FooterGroup`."""

    title = LineBlock(max_length=60)
    key = KeyBlock()
    links = blocks.ListBlock(FooterLinkBlock(), min_num=1, max_num=24, collapsed=True)

    class Meta:
        icon = "list-ul"
        label_format = "{title}"

    def snapshot(self, raw: Mapping[str, Any], pages: TranslationKeys) -> dict[str, Any]:
        link = self.child_blocks["links"].child_block
        return {
            "key": raw.get("key") or "",
            "title": raw.get("title") or "",
            "links": [link.snapshot(item, pages) for item in list_items(raw.get("links"))],
        }


@register_setting
class FooterSettings(SiteSetting):
    groups = BlocksField(
        [("group", FooterGroupBlock())], blank=True, max_num=5, collapsed=True, verbose_name=_("link groups")
    )
    legal_links = BlocksField(
        [("link", LinkBlock())],
        blank=True,
        max_num=6,
        help_text=_("In the copyright bar."),
        verbose_name=_("legal links"),
    )
    offices_link = BlocksField(
        [("link", LinkBlock())],
        blank=True,
        max_num=1,
        help_text=_("Below the office cards: link to the page with all offices."),
        verbose_name=_("link to all offices"),
    )

    personal_data = BlocksField(
        [("link", LinkBlock())],
        blank=True,
        max_num=1,
        help_text=_(
            "Visitors from Belarus see this link instead of the privacy policy, because their law requires a separate "
            "document. Upload it under Documents and enter its URL (/media/documents/…)."
        ),
        verbose_name=_("personal data (Belarus)"),
    )

    panels: ClassVar[list[Panel]] = [
        FieldPanel("groups"),
        FieldPanel("legal_links"),
        FieldPanel("personal_data"),
        FieldPanel("offices_link"),
        SchedulePanel(expires=False),
    ]

    class Meta:
        verbose_name = _("footer")

    def raw(self) -> list[Any]:
        streams = (self.groups, self.legal_links, self.offices_link, self.personal_data)
        return [child for stream in streams for child in stream.raw_data]

    def snapshot(self, pages: TranslationKeys) -> FooterBody:
        return {
            "groups": snapshot_stream(self.groups, pages),
            "legal_links": snapshot_stream(self.legal_links, pages),
            "offices_link": next(iter(snapshot_stream(self.offices_link, pages)), None),
            "personal_data": next(iter(snapshot_stream(self.personal_data, pages)), None),
        }

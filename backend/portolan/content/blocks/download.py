"""Download: a document for visitors, with its type and size."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail.documents.blocks import DocumentChooserBlock

from ...schemas.base import BlockData
from ...schemas.media import DocumentFile
from .base import LineBlock, ParagraphBlock, SiteBlock


class DownloadData(BlockData):
    type: Literal["download"] = "download"
    title: str
    text: str = ""
    document: DocumentFile
    link_title: str


class DownloadBlock(SiteBlock):
    """A download. Editors replace its file under Documents in the studio, and the block then offers the new file."""

    Data = DownloadData
    EXAMPLES = {
        "default": {
            "tone": "navy",
            "title": "The list, to print and tick off",
            "text": "Two pages, without our name on them. Take it into your own handover.",
            "document": 1,
            "link_title": "Handover checklist",
        },
        "plain": {"title": "Terms in full", "document": 1, "link_title": "Download the terms"},
    }

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    document = DocumentChooserBlock()
    link_title = LineBlock(
        max_length=80, label=_("Link"), help_text=_("The text of the link, e.g. the document's name.")
    )

    class Meta:
        icon = "download"
        label = _("Download")
        group = _("Texts")

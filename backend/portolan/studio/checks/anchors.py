"""Return the anchors of a page for the link form."""

from django.http import HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from wagtail.models import Page

from ...content.pages.base import SitePage


def list_anchors(request: HttpRequest) -> JsonResponse:
    """Return the anchors of the published page. Anchors of drafts would give broken links."""
    number = request.GET.get("page", "")
    page = get_object_or_404(Page, pk=int(number) if number.isdecimal() else 0).specific
    found = []
    if isinstance(page, SitePage):
        labels = {type: str(block.label) for type, block in page.body.stream_block.child_blocks.items()}
        for child in page.body.raw_data:
            if anchor := child["value"].get("anchor"):
                found.append({"anchor": anchor, "title": child["value"].get("anchor_title") or labels[child["type"]]})
    reply = JsonResponse({"anchors": found})
    reply["Cache-Control"] = "no-store"
    return reply

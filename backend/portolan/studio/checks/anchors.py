"""The places on a page that a link can lead to, for the form that asks for one."""

from django.http import HttpRequest, JsonResponse
from django.shortcuts import get_object_or_404
from wagtail.models import Page

from ...content.pages.base import SitePage


def list_anchors(request: HttpRequest) -> JsonResponse:
    """Of the page as it is published: a link to what is only in its draft would lead nowhere."""
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

"""Comments from preview links, as the studio shows them."""

from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse

from .models import PreviewComment


class Said(NamedTuple):
    """A comment from a preview link."""

    by: str
    at: datetime
    where: str
    text: str
    url: str
    """URL to reply, at the field of the page; empty without a page."""


def say_comment(row: PreviewComment) -> Said:
    return Said(row.name, row.at, _say_where(row), row.text, _url(row))


def _say_where(row: PreviewComment) -> str:
    site = settings.SITES_REGISTRY.sites.get(row.site)
    where = f"{site.name} {row.path}" if site else row.path
    return f"{where}, {row.about}" if row.about else where


def _url(row: PreviewComment) -> str:
    if not row.comment:
        return ""
    return f"{reverse('wagtailadmin_pages:edit', args=[row.comment.page_id])}?comment={row.comment_id}"

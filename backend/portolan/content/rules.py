"""Check editors' input in the studio, so that invalid content never reaches a release."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from wagtail.models import Page
from wagtail.rich_text import RichText

from ..domain.company import PLACEHOLDERS
from ..domain.media_addresses import DOCUMENTS, MEDIA, is_open
from ..domain.reserved import is_reserved_anchor, is_reserved_path
from ..domain.routes import is_page_path
from .documents import find_upload, public_documents
from .rich_text import find_hrefs, is_allowed_url

HOME_DEPTH: Final = 2
"""Depth of the sites' home pages in the tree."""
_BRACES: Final = re.compile(r"\{\s*[A-Za-z_][\w-]*\s*\}")
_KNOWN: Final = frozenset(f"{{{name}}}" for name in PLACEHOLDERS)
_ANCHOR: Final = re.compile(r"^[a-z][a-z0-9-]*$")
_SLUG: Final = re.compile(r"^[a-z0-9][a-z0-9-]*$")


def check_placeholders(value: str | RichText | None) -> None:
    """Reject ``{foo}``: only the company's figures can be in braces."""
    text = value.source if isinstance(value, RichText) else value or ""
    unknown = sorted({found for found in _BRACES.findall(text) if found not in _KNOWN})
    if unknown:
        raise ValidationError(
            gettext("Unknown placeholder {names}. Use one of {names2}, or remove the braces.").format(
                names=", ".join(unknown), names2=", ".join(sorted(_KNOWN))
            ),
            code="placeholder",
        )


def check_links(value: str | RichText | None) -> None:
    """Reject URLs in a rich text that are not allowed, or whose page should be chosen instead."""
    source = value.source if isinstance(value, RichText) else value or ""
    for href in find_hrefs(source):
        check_url(href)


def check_url(url: str) -> None:
    """Reject invalid URLs, and URLs of our own pages, which editors choose instead of typing."""
    if not is_allowed_url(url):
        raise ValidationError(
            gettext("{url!r} is not a valid link. Start with https://, http://, mailto: or tel:.").format(url=url),
            code="url",
        )
    if url.startswith(MEDIA):
        _check_file(url)
    elif url.startswith("/"):
        raise ValidationError(
            gettext(
                "{url!r} is one of our pages. Choose the page instead of typing its URL, so that the link follows the page."
            ).format(url=url),
            code="url",
        )


def _check_file(url: str) -> None:
    if not is_open(url) and not url.startswith(DOCUMENTS):
        raise ValidationError(
            gettext("{url!r} is private to the studio. Upload the file under Documents, and use its URL.").format(
                url=url
            ),
            code="url",
        )
    document = find_upload(url)
    if document is not None and not public_documents().filter(pk=document.pk).exists():
        raise ValidationError(
            gettext(
                "“{document}” is in a private collection, and a link would make it public. Move it to a public collection first."
            ).format(document=document),
            code="url",
        )


def check_slug(value: str) -> None:
    if not _SLUG.match(value):
        raise ValidationError(
            gettext(
                "{value!r} is not a valid key. Use lower-case letters, digits and hyphens, e.g. web-development."
            ).format(value=value),
            code="slug",
        )


def check_page_slug(value: str, parent: Page | None = None) -> None:
    """Check the slug of a page. ``parent``: the page above. Below a site's home page, the slug is the whole path."""
    if not is_page_path(f"/{value}"):
        raise ValidationError(
            gettext("{slug!r} cannot be part of a URL. Use lower-case letters, digits and hyphens.").format(slug=value),
            code="slug",
        )
    if parent is not None and (reason := why_reserved(value, parent)):
        raise ValidationError(reason, code="slug")


def why_reserved(slug: str, parent: Page) -> str:
    """Return why a page below ``parent`` cannot have this slug, with the fix; empty if it can."""
    if parent.depth != HOME_DEPTH or not is_reserved_path(f"/{slug}"):
        return ""
    return gettext("The website uses /{slug} itself. Use another slug, such as our-{slug}.").format(slug=slug)


def check_anchor(value: str) -> None:
    if not _ANCHOR.match(value):
        raise ValidationError(
            gettext(
                "{value!r} is not a valid anchor. Use lower-case letters, digits and hyphens, e.g. offices."
            ).format(value=value),
            code="anchor",
        )


def check_block_anchor(value: str) -> None:
    """Reject invalid anchors, and anchors that the page uses itself."""
    check_anchor(value)
    if is_reserved_anchor(value):
        raise ValidationError(
            gettext("Every page uses the name {value} itself. Use another anchor, such as our-{value}.").format(
                value=value
            ),
            code="anchor",
        )


def find_unusable_anchors(blocks: Sequence[Mapping[str, Any]]) -> dict[int, int | None]:
    """Return the positions of blocks whose anchor is already used.

    The value is the position of the block that has the anchor, or None if the page uses it itself. ``blocks``: values
    by field, as in forms and release items. Each tab of a block has the block's anchor with a number.
    """
    found: dict[int, int | None] = {}
    seen: dict[str, int] = {}
    for place, block in enumerate(blocks):
        anchor = block.get("anchor")
        if not anchor:
            continue
        names = [anchor, *(f"{anchor}-{number}" for number, _ in enumerate(block.get("tabs") or (), start=1))]
        taken = next((seen[name] for name in names if name in seen), None)
        if taken is not None or is_reserved_anchor(anchor):
            found[place] = taken
        for name in names:
            seen.setdefault(name, place)
    return found

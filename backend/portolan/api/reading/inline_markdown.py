"""Filters of the page's template."""

import re
from typing import Final

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_CODE: Final = re.compile(r"`([^`]+)`")
_STRONG: Final = re.compile(r"\*\*([^*]+)\*\*")


@register.filter
def inline_markdown(text: str) -> SafeString:
    """Return the document's Markdown as HTML: ``code`` and strong words.

    >>> inline_markdown("Send `a<b`.")
    'Send <code>a&lt;b</code>.'
    """
    return mark_safe(_STRONG.sub(r"<strong>\1</strong>", _CODE.sub(r"<code>\1</code>", escape(text))))  # noqa: S308


@register.filter
def paragraphs(text: str) -> list[SafeString]:
    return [inline_markdown(part) for part in re.split(r"\n\s*\n", text.strip()) if part]

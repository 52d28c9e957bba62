"""Uses of an object, and consequences of its removal, for templates that replace Wagtail's."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import get_text_list
from django.utils.translation import gettext, ngettext
from wagtail.models import Page

from ..usage import find_object, list_uses_of
from ..use_rows import (
    UseRow,
    all_below_with_copies,
    count_page_uses,
    count_places,
    list_uses,
    with_copies,
    with_everything_below,
)
from ..uses import LinkCounts
from ..what_follows import WhatFollows, follow_move, follow_removal

register = template.Library()


@register.simple_tag
def places_of(usage_url: str | None) -> int | None:
    """Return the number of its uses on the sites, if they are tracked."""
    used = find_object(usage_url) if usage_url else None
    if isinstance(used, Page):
        return count_page_uses(with_copies(used))
    return None if used is None else count_places(list_uses_of(used))


@register.simple_tag
def uses_behind(usage_url: str | None) -> dict[str, Any] | None:
    """Return its uses, to show before it is unpublished or deleted. Wagtail's usage URL tells which."""
    used = find_object(usage_url) if usage_url else None
    if used is None:
        return None
    if isinstance(used, Page):
        return uses_of_pages([used], is_deletion="describe_on_delete" in (usage_url or ""))
    return _sort(list_uses(used), is_page=False)


@register.simple_tag
def uses_of_pages(pages: Iterable[Page], is_deletion: bool) -> dict[str, Any]:
    """Return the uses and consequences for pages that are removed together."""
    pages = list(pages)
    going = with_everything_below(*pages) if is_deletion else with_copies(*pages)
    below = [] if is_deletion else all_below_with_copies(*pages)
    return {
        **_sort(list_uses(*going), is_page=True),
        "is_deletion": is_deletion,
        "count": len(going),
        "follows": follow_removal(going),
        "below": follow_removal(below) if below else None,
    }


@register.simple_tag
def what_follows_move(page: Page, destination: Page) -> WhatFollows:
    return follow_move(page, destination)


@register.filter
def names(values: Iterable[str]) -> SafeString:
    """Return the names for a sentence, each with its own text direction."""
    return format_html_join(", ", "<bdi>{}</bdi>", ((value,) for value in values))


@register.filter
def say_places(links: LinkCounts) -> SafeString:
    """Return the places of links as the end of a sentence; empty if there are none."""
    said = [
        ngettext(
            "on <strong>{count} page</strong> (texts, buttons, lists)",
            "on <strong>{count} pages</strong> (texts, buttons, lists)",
            links.pages,
        ),
        ngettext("in <strong>{count} menu</strong>", "in <strong>{count} menus</strong>", links.menus),
        ngettext("in <strong>{count} footer</strong>", "in <strong>{count} footers</strong>", links.footers),
    ]
    counts = (links.pages, links.menus, links.footers)
    found: list[str] = [format_html(one, count=count) for one, count in zip(said, counts, strict=True) if count]
    return mark_safe(get_text_list(found, gettext("and")))  # noqa: S308  (each part is escaped)


@register.filter
def items_of(rows: Iterable[dict[str, Any]]) -> list[Any]:
    """Return the objects of a bulk action from Wagtail's rows."""
    return [row["item"] for row in rows]


def _sort(rows: list[UseRow], is_page: bool) -> dict[str, Any]:
    return {
        "breaking": [row for row in rows if row.breaks],
        "others": [row for row in rows if not row.breaks],
        "is_page": is_page,
    }

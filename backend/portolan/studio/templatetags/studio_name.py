"""Names, for templates: the studio's, and of those whose changes a release holds."""

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from ..authors import is_person, name_person

register = template.Library()


@register.simple_tag
def studio_name() -> str:
    name: str = settings.WAGTAIL_SITE_NAME
    return name


@register.filter
def person(author: str) -> str:
    """As a release has it."""
    return name_person(author)


@register.filter
def by_person(author: str) -> SafeString:
    """The same at the end of a line: ``by Anna Lind``; what is no person is named alone."""
    name = format_html("<bdi>{}</bdi>", name_person(author))
    return format_html(gettext("by {by}"), by=name) if is_person(author) else name


@register.filter
def by_person_text(author: str) -> str:
    """That as text alone."""
    name = name_person(author)
    return gettext("by {by}").format(by=name) if is_person(author) else name

"""Names for templates: of the studio, and of the authors of a release."""

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
    """Return the name of an author as stored in a release."""
    return name_person(author)


@register.filter
def by_person(author: str) -> SafeString:
    """Return for example ``by Anna Lind``; the plain name if the author is not a person."""
    name = format_html("<bdi>{}</bdi>", name_person(author))
    return format_html(gettext("by {by}"), by=name) if is_person(author) else name


@register.filter
def by_person_text(author: str) -> str:
    """Return the same as plain text."""
    name = name_person(author)
    return gettext("by {by}").format(by=name) if is_person(author) else name

"""The language in which the content of the form on this screen is written."""

import json

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ..content_language import describe_languages

register = template.Library()


@register.simple_tag(takes_context=True)
def content_language(context: Context) -> SafeString | str:
    """Return the element that ``content-language.js`` reads; empty on screens without a content form."""
    thing = getattr(context.get("form"), "instance", None)
    languages = describe_languages(thing)
    if languages is None:
        return ""
    return format_html('<meta name="studio-content-language" content="{}">', json.dumps(languages))

"""Links to the screen *Preview*, and comments from preview links."""

from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

from django import template
from django.conf import settings
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from ...domain.previews import Shown
from ..previews.links import list_comments_of
from ..previews.screen import url_of

register = template.Library()


@register.simple_tag
def preview_link(shown: str, subject: Any) -> SafeString | str:
    if not settings.PREVIEW_DOMAIN:
        return ""
    return format_html('<a href="{}" data-preview-link>{}</a>', url_of(Shown(shown), str(subject)), _("Preview"))


@register.simple_tag
def preview_day(day: date) -> SafeString | str:
    """Return a link that shows all sites at the end of a future day, in the user's time zone."""
    if not settings.PREVIEW_DOMAIN or day < timezone.localdate():
        return ""
    at = timezone.make_aware(datetime.combine(day, time(23, 59)))
    url = url_of(Shown.DATE, at.isoformat())
    return format_html(
        '<a class="preview-day" href="{}">{}<span class="w-sr-only"> {}</span></a>', url, _("Preview"), f"{day:%d %B}"
    )


@register.inclusion_tag("studio/previews/comments.html")
def preview_comments(shown: str, subject: Any) -> Mapping[str, Any]:
    return {"comments": list_comments_of(Shown(shown), str(subject))}

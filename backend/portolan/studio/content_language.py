"""Describe the language and direction of a form's content. ``content-language.js`` sets both on its fields."""

from typing import Any, TypedDict

from django.conf import settings
from wagtail.models import Page

from ..content.collections.base import Entry, TranslatedEntry
from ..content.collections.offices import OfficeCategory
from ..content.site_records import load_site_roots
from ..content.site_setting import SiteSetting


class Language(TypedDict):
    lang: str
    dir: str


class ContentLanguages(TypedDict):
    own: Language | None
    """Language of the whole form; ``None`` if it belongs to all sites."""
    rows: dict[str, Language]
    """Languages of rows that choose a site, by locale ID."""


def describe_languages(thing: Any) -> ContentLanguages | None:
    """Return the languages of a form, or ``None`` if its content belongs to no site."""
    if isinstance(thing, Page):
        own = _by_locale().get(str(thing.locale_id))
        return {"own": own, "rows": {}} if own else None
    if isinstance(thing, SiteSetting):
        key = next((key for key, root in load_site_roots().items() if root.wagtail_site_id == thing.site_id), None)
        return {"own": language_of(key), "rows": {}} if key else None
    if isinstance(thing, Entry | OfficeCategory):
        is_in_rows = isinstance(thing, TranslatedEntry)  # other entries have texts of the default site
        own = None if is_in_rows else language_of(settings.SITES_REGISTRY.default_site.key)
        return {"own": own, "rows": _by_locale()}
    return None


def _by_locale() -> dict[str, Language]:
    return {str(root.locale_id): language_of(key) for key, root in load_site_roots().items()}


def language_of(key: str) -> Language:
    site = settings.SITES_REGISTRY.sites[key]
    return {"lang": site.language, "dir": site.dir}

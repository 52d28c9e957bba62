"""Sites that inherit another's pages: a page published there gets a live copy (a Wagtail alias) on every heir.

The copy follows its source until an editor overrides it ("convert alias" in the studio).
"""

from typing import Any

from django.conf import settings
from wagtail.models import Page
from wagtail.signals import page_published

from ..content.pages.base import TreePage
from ..content.site_records import SiteRecord
from ..sites.registry import Registry


def connect() -> None:
    """Copy each page to its site's heirs when it is published for the first time."""
    page_published.connect(_on_published, dispatch_uid="portolan.studio.inheritance")


def disconnect() -> None:
    """For tests of what lies below the studio."""
    page_published.disconnect(dispatch_uid="portolan.studio.inheritance")


def copy_to_heirs(page: TreePage) -> list[TreePage]:
    """Give every heir of the page's site that lacks the page a live copy of it. Returns the copies that were made."""
    copies: list[TreePage] = []
    for record in _heirs(settings.SITES_REGISTRY, page):
        if not page.get_translations(inclusive=True).filter(locale=record.locale_id).exists():
            copies.append(page.copy_for_translation(record.locale, copy_parents=True, alias=True))
    return copies


def _heirs(registry: Registry, page: TreePage) -> list[SiteRecord]:
    owner = SiteRecord.objects.filter(locale=page.locale_id).first()
    keys = [site.key for site in registry.sites.values() if owner and site.inherits == owner.key]
    return list(SiteRecord.objects.filter(key__in=keys).select_related("locale")) if keys else []


def _on_published(instance: Page, alias: bool = False, **_: Any) -> None:
    if not alias and isinstance(instance, TreePage):
        copy_to_heirs(instance)

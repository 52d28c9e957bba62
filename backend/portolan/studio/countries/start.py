"""Create the first drafts of a new site: chosen pages of the default site, its menu and its footer, in one change set."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from wagtail.models import Locale, Page

from ...content.change_sets.holding import add
from ...content.change_sets.models import ChangeSet
from ...content.export import SETTINGS
from ...content.pages.error import ErrorPage
from ...content.pages.home import HomePage
from ...content.pages.legal import LegalPage
from ...content.site_records import SiteRecord, load_site_roots
from ...content.site_setting import SiteSetting
from ...content.snapshot import collect_page_ids
from ...translations.tracking import note_base
from ..permissions import sync_role_groups
from ..site_settings.rows import find_shown
from ..site_settings.viewset import begin
from ..site_sync import sync_sites
from ..translations.changing import copy_page

_ALWAYS: Final = (HomePage, ErrorPage)
"""Types of pages that every site needs."""


class SourcePage(NamedTuple):
    """A live page of the default site that the new site can start with."""

    key: UUID
    title: str
    level: int
    is_required: bool
    is_suggested: bool
    """True if the menu or the footer links to the page, and for legal pages."""


class Started(NamedTuple):
    change_set: ChangeSet
    pages: int


def list_source_pages() -> list[SourcePage]:
    """Return the live pages of the default site in the order of the tree."""
    root = load_site_roots()[settings.SITES_REGISTRY.company.default_site]
    pages = Page.objects.filter(path__startswith=root.root_path, locale_id=root.locale_id, live=True)
    linked = linked_pages()
    return [
        SourcePage(
            key=page.translation_key,
            title=page.title,
            level=page.depth - len(root.root_path) // Page.steplen,
            is_required=issubclass(page.specific_class, _ALWAYS),
            is_suggested=page.pk in linked or issubclass(page.specific_class, LegalPage),
        )
        for page in pages.order_by("path").select_related("content_type")
        if page.specific_class is not None
    ]


@transaction.atomic
def start_site(site: str, wanted: Collection[UUID], user: Any) -> Started:
    """Create the site's home page, drafts, menu and footer. Raises SiteSyncError; then nothing is changed."""
    sync_sites(settings.SITES_REGISTRY, settings.ENVIRONMENT, settings.PORT)
    sync_role_groups()
    root = load_site_roots()[site]
    locale = Locale.objects.get(pk=root.locale_id)
    change_set = ChangeSet.objects.create(
        name=_("Launch: {site}").format(site=settings.SITES_REGISTRY.sites[site].name)[:120], owner=user
    )
    chosen = [page for page in list_source_pages() if page.is_required or page.key in wanted]
    pages = list(_create_pages((page.key for page in chosen), locale, user))
    for source in _default_settings():
        add(change_set, begin(type(source), site, user, source), user)
    for page in pages:
        add(change_set, page, user)
    return Started(change_set, len(pages))


def is_started(site: str) -> bool:
    return SiteRecord.objects.filter(key=site).exists()


def linked_pages() -> set[int]:
    """Return the IDs of pages that the default site's menu and footer link to."""
    return {id for row in _default_settings() for id in collect_page_ids(row.raw())}


def _default_settings() -> Iterator[SiteSetting]:
    """Yield the default site's menu, footer and rate card. Interface words are not copied: a language has its own."""
    for model, _check in SETTINGS.values():
        if model.begins_as_copy and (row := find_shown(model, settings.SITES_REGISTRY.company.default_site)):
            yield row


def _create_pages(keys: Iterable[UUID], locale: Locale, user: Any) -> Iterator[Page]:
    """Create the pages and missing pages above them as drafts, and yield each once."""
    source = load_site_roots()[settings.SITES_REGISTRY.company.default_site]
    originals = Page.objects.filter(locale_id=source.locale_id, path__startswith=source.root_path)
    known: set[int] = set()
    for original in originals.filter(translation_key__in=list(keys)).order_by("path").specific():
        page = copy_page(original, locale, user)
        if isinstance(original, HomePage):
            page = _fill_home(page.specific, original, user)
        own = Page.objects.filter(
            path__in=[page.path[:end] for end in range(page.steplen, len(page.path) + 1, page.steplen)]
        )
        for each in own.filter(locale=locale, depth__gt=1).order_by("path"):
            if each.pk not in known:
                known.add(each.pk)
                yield each.specific


def _fill_home(home: Any, original: Any, user: Any) -> Any:
    """Give the empty home page the original's content as a draft."""
    stored = original.serializable_data()
    rows = {name: [{**row, "pk": None} for row in said] for name, said in stored.items() if isinstance(said, list)}
    own = {"slug": home.slug, "go_live_at": None, "expire_at": None, "wagtail_admin_comments": []}
    filled = home.with_content_json({**stored, **rows, **own})
    filled.draft_title = filled.title
    filled.save(clean=False)
    filled.save_revision(user=user, clean=False, log_action="wagtail.copy_for_translation")
    note_base(filled)
    return filled

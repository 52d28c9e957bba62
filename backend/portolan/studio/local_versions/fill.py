"""Make local versions of pages, menus, footers, rate cards and entries that had content of their own before.

Nothing changes on the sites: a text that only the original has changed counts as kept, so that the change is offered.
"""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from wagtail.models import ModelLogEntry, Page

from ...content.collections import COLLECTIONS
from ...content.collections.base import TranslatedEntry
from ...content.export import SETTINGS, inherited_site
from ...content.local_versions import LocalVersion
from ...content.site_records import load_site_roots
from ...content.site_setting import SiteSetting
from ...domain.merging import BODY, Path, differences
from ..merging.versions import Content
from ..site_settings.rows import find_source
from .content import Thing, read, version_of
from .following import begin, begin_new_translations


def fill_local_versions() -> None:
    """Add the missing rows. A second call changes nothing."""
    for page, source in _find_detached():
        first = page.revisions.order_by("created_at", "pk").first()
        _begin_with(page, source, read(first.as_object() if first else page))
    for model, _ in SETTINGS.values():
        begin_settings(model)
    begin_entries()


def begin_entries() -> None:
    """Store the base of all translations of inheriting sites that have none."""
    roots = load_site_roots()
    locales = [root.locale_id for key, root in roots.items() if inherited_site(key) in roots]
    for model in COLLECTIONS.values():
        if issubclass(model, TranslatedEntry):
            entries: Any = model._default_manager.filter(live=True)
            for entry in entries.filter(translations__locale_id__in=locales).distinct():
                begin_new_translations(entry)


def begin_settings(model: type[SiteSetting]) -> None:
    """Make local versions of all menus, footers or rate cards of inheriting sites that are none yet.

    The base is the copy that an editor began with. Without such a copy it is the source's present content.
    """
    for own, source in _find_own(model):
        created = ModelLogEntry.objects.for_instance(own).filter(action="wagtail.create", revision__isnull=False)
        first = created.select_related("revision").order_by("pk").first()
        _begin_with(own, source, read(first.revision.as_object() if first else source))


def _begin_with(thing: Thing, source: Thing, base: Content) -> None:
    """Keep the places that only the source has changed, because a site shows its own text now."""
    begin(thing, source, base)
    own, theirs, before = (version_of(each, thing) for each in (read(thing), read(source), base))
    changed_here = {*differences(before, own)}
    paths = [path for path in differences(own, theirs) if path not in changed_here and path != (BODY,)]
    known = before.blocks.keys() & own.blocks.keys()
    kept = dict.fromkeys(_place_of(path) for path in paths if len(path) == 1 or path[1] in known)
    LocalVersion.objects.of(thing).update(kept=[list(path) for path in kept])


def _find_detached() -> Iterator[tuple[Page, Page]]:
    """Yield each page of an inheriting site that is no live copy, with its original of the same type."""
    roots, sites = load_site_roots(), settings.SITES_REGISTRY.sites
    pages_type = ContentType.objects.get_for_model(Page)
    known = LocalVersion.objects.filter(content_type=pages_type).values("object_id")
    for key, root in roots.items():
        above = roots.get((sites[key].inherits or "") if key in sites else "")
        if above is None:
            continue
        pages = Page.objects.filter(path__startswith=root.root_path, alias_of=None).exclude(pk__in=known)
        for page in pages.filter(live=True).iterator():
            source = Page.objects.filter(
                translation_key=page.translation_key, path__startswith=above.root_path, live=True
            ).first()
            if source and source.specific_class is page.specific_class is not None:
                yield page.specific, source.specific


def _find_own(model: type[SiteSetting]) -> Iterator[tuple[Any, Any]]:
    """Yield the own settings of inheriting sites that are no local versions, each with its source."""
    roots = load_site_roots()
    heirs = {root.wagtail_site_id: key for key, root in roots.items() if inherited_site(key) in roots}
    for own in model._default_manager.filter(site_id__in=heirs):
        if not own.is_filled() or LocalVersion.objects.of(own).exists():
            continue
        source = find_source(model, heirs[own.site_id])
        if source and source.is_filled():
            yield own, source


def _place_of(path: Path) -> Path:
    """Return the block of a block's field, because editors keep whole blocks."""
    return path[:2]

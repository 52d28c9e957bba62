"""Make local versions of pages that were detached from their original before local versions existed.

Their base is their first revision, which Wagtail saved when the live copy was detached. Nothing changes on the sites: a
text that differs from the original counts as kept, so that the original's version is offered.
"""

from collections.abc import Iterator

from django.conf import settings
from wagtail.models import Page

from ...content.local_versions import LocalVersion
from ...content.site_records import load_site_roots
from ...domain.merging import Path, differences
from .content import read_page, version_of


def fill_local_versions() -> None:
    """Add the missing rows. A second call changes nothing."""
    for page, source in _find_detached():
        first = page.revisions.order_by("created_at", "pk").first()
        base = read_page(first.as_object() if first else page)
        own, theirs = version_of(read_page(page), page), version_of(read_page(source), source)
        kept = dict.fromkeys(_place_of(path) for path in differences(own, theirs) if len(path) > 1 or path[0] != "body")
        LocalVersion.objects.create(
            page_id=page.pk,
            source_id=source.pk,
            fields=base.fields,
            blocks=list(base.blocks.values()),
            kept=[list(path) for path in kept],
        )


def _find_detached() -> Iterator[tuple[Page, Page]]:
    """Yield each page of an inheriting site that is no live copy, with its original of the same type."""
    roots, sites = load_site_roots(), settings.SITES_REGISTRY.sites
    for key, root in roots.items():
        above = roots.get((sites[key].inherits or "") if key in sites else "")
        if above is None:
            continue
        pages = Page.objects.filter(path__startswith=root.root_path, alias_of=None, local_version=None)
        for page in pages.filter(live=True).iterator():
            source = Page.objects.filter(
                translation_key=page.translation_key, path__startswith=above.root_path, live=True
            ).first()
            if source and source.specific_class is page.specific_class is not None:
                yield page.specific, source.specific


def _place_of(path: Path) -> Path:
    """Return the block of a block's field, because editors keep whole blocks."""
    return path[:2]

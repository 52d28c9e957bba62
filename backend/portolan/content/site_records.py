"""Map the sites of the site configuration to Wagtail's rows. ``portolan sites sync`` writes the rows."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from django.conf import settings
from django.db import models
from wagtail.models import Locale, Site

from .once import once


class SiteRecord(models.Model):
    """A configured site in the database. ``key`` is its key in ``sites.toml``."""

    key = models.CharField(max_length=12, primary_key=True)
    wagtail_site = models.OneToOneField(Site, on_delete=models.PROTECT, related_name="record")
    locale = models.OneToOneField(Locale, on_delete=models.PROTECT, related_name="record")
    is_reviewed = models.BooleanField(
        default=False, db_default=False
    )  # publishing there requires a reviewer: decision 33

    wagtail_reference_index_ignore = True

    class Meta:
        ordering = ("key",)

    def __str__(self) -> str:
        return self.key


class AddedSite(models.Model):
    """A site that was added in the studio: an entry of the site configuration that is not in ``sites.toml``.

    If ``sites.toml`` has the same key, its entry is used.
    """

    key = models.CharField(max_length=12, primary_key=True)
    config = models.TextField()  # JSON of sites.registry.Site without its key
    added_at = models.DateTimeField(auto_now_add=True)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    wagtail_reference_index_ignore = True

    class Meta:
        ordering = ("added_at", "key")

    def __str__(self) -> str:
        return self.key


class SiteRoot(NamedTuple):
    """The place of a site's pages: its home page is the root of its tree."""

    key: str
    locale_id: int
    wagtail_site_id: int
    root_page_id: int
    root_path: str
    """Treebeard's path of the home page: prefix of the paths of all its pages."""
    root_url_path: str


_kept: ContextVar[Mapping[str, SiteRoot] | None] = ContextVar("site roots", default=None)


@contextmanager
def site_roots_kept() -> Iterator[None]:
    """Cache ``load_site_roots`` for many saves. Do not move home pages inside."""
    token = _kept.set(load_site_roots())
    try:
        yield
    finally:
        _kept.reset(token)


def load_site_roots() -> Mapping[str, SiteRoot]:
    """Return the configured sites by key, in one query. Rows of removed sites are skipped."""
    kept = _kept.get()
    return once("site roots", _read_site_roots) if kept is None else kept


def _read_site_roots() -> Mapping[str, SiteRoot]:
    rows = SiteRecord.objects.filter(key__in=settings.SITES_REGISTRY.sites).values_list(
        "key",
        "locale_id",
        "wagtail_site_id",
        "wagtail_site__root_page_id",
        "wagtail_site__root_page__path",
        "wagtail_site__root_page__url_path",
    )
    return {row[0]: SiteRoot(*row) for row in rows}

"""Update Wagtail's sites, locales and home pages from the site configuration. No content is removed."""

from collections.abc import Iterable
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from django.db import transaction
from wagtail.models import Locale, Page, Site

from ..content.export import all_item_keys
from ..content.items import ItemKey
from ..content.pages.home import HomePage
from ..content.site_records import SiteRecord
from ..releases.changes import note_changes
from ..releases.models import ReleaseItem
from ..schemas.codes import Environment
from ..sites.locale_codes import locales_of
from ..sites.registry import Registry
from ..sites.registry import Site as RegisteredSite

_PORTS: Final = {"http": 80, "https": 443}


class SiteSyncError(Exception):
    """The update failed, and the transaction was rolled back."""


class Address(NamedTuple):
    hostname: str
    port: int


class SyncReport(NamedTuple):
    changes: list[str]
    """Descriptions of the changes."""
    leftovers: list[str]
    """Removed sites, whose content is kept but not published."""
    affected: set[str]
    """Keys of sites whose items may have changed."""


@transaction.atomic
def sync_sites(registry: Registry, environment: Environment, port: int) -> SyncReport:
    """Create and update rows from the site configuration."""
    report = _Sync(registry, environment, port).run()
    if report.affected:
        frozen = ReleaseItem.objects.filter(until=None, site__in=report.affected).values_list("site", "kind", "key")
        note_changes(
            {key for key in all_item_keys() if key.site in report.affected} | {ItemKey(*row) for row in frozen}
        )
    return report


class _Sync:
    def __init__(self, registry: Registry, environment: Environment, port: int) -> None:
        self._registry = registry
        self._environment = environment
        self._port = port
        self._records = {record.key: record for record in SiteRecord.objects.select_related("wagtail_site", "locale")}
        self._codes = {key: locale.code for key, locale in locales_of(registry).items()}
        self._report = SyncReport([], [], set())

    def run(self) -> SyncReport:
        self._remove_wagtails_welcome()
        self._make_room()
        default = self._registry.company.default_site
        order = sorted(
            self._registry.sites.values(), key=lambda registered: (registered.key != default, registered.inherits or "")
        )
        for (
            registered
        ) in order:  # the default site first, inheriting sites last: others share the translation key of its home page
            if registered.key in self._records:
                self._update(registered, self._records[registered.key])
            else:
                self._records[registered.key] = self._create(registered)
        Site.clear_site_root_paths_cache()  # some rows were changed without signals
        return self._report

    def _remove_wagtails_welcome(self) -> None:
        """Remove the welcome site and page of Wagtail's first migration, if they are unused."""
        for site in Site.objects.filter(record=None):
            welcome = site.root_page
            untouched = welcome.specific_class is Page and welcome.numchild == 0
            if not untouched:
                raise SiteSyncError(
                    f"The studio has a site at {site.hostname}:{site.port} with its own pages that is not in "
                    "sites.toml. Move its pages, delete it under Settings, Sites, and run this again."
                )
            site.delete()
            welcome.delete()
        for page in Page.objects.filter(
            depth=2, numchild=0, sites_rooted_here=None, title__startswith="Welcome to your new"
        ):
            if page.specific_class is Page:
                page.delete()

    def _make_room(self) -> None:
        """Free host names and languages for other sites, so that sites can be renamed in any order."""
        for key, record in self._records.items():
            registered = self._registry.sites.get(key)
            if registered is None:
                self._retire(record)
                continue
            before, code = record.locale.language_code, self._codes[key]
            if before != code:
                is_other = _language(before) != _language(code)
                what = "language" if is_other else "locale"
                self._say(key, f"{what} {before} becomes {code}", affects_items=is_other)
                Locale.objects.filter(pk=record.locale_id).update(language_code=f"x-{key}")
            if Address(record.wagtail_site.hostname, record.wagtail_site.port) != self._address(registered):
                Site.objects.filter(pk=record.wagtail_site_id).update(hostname=f"{key}.moving.invalid")

    def _retire(self, record: SiteRecord) -> None:
        pages = Page.objects.descendant_of(record.wagtail_site.root_page, inclusive=True).count()
        self._report.leftovers.append(
            f"{record.key}: is not in sites.toml. Its pages ({pages}) stay in the studio unpublished. "
            "Add the site to sites.toml again, or delete the pages in the studio."
        )
        hostname = f"{record.key}.removed.invalid"
        if record.wagtail_site.hostname != hostname:
            self._say(record.key, "its host name is released", affects_items=True)
            Site.objects.filter(pk=record.wagtail_site_id).update(hostname=hostname, is_default_site=False)
        code = record.locale.language_code
        if any(self._codes.get(key) == code for key in self._records):  # another site takes over the language
            Locale.objects.filter(pk=record.locale_id).update(language_code=f"x-removed-{record.key}")

    def _create(self, registered: RegisteredSite) -> SiteRecord:
        locale = self._claim_locale(registered)
        home = self._create_home(registered, locale)
        site = Site(root_page=home)
        self._write_site(site, registered)
        self._say(registered.key, f"created: {self._origin(registered)}, {registered.language}", affects_items=True)
        return SiteRecord.objects.create(key=registered.key, wagtail_site=site, locale=locale)

    def _claim_locale(self, registered: RegisteredSite) -> Locale:
        code = self._codes[registered.key]
        locale, _ = Locale.objects.get_or_create(language_code=code)
        owner = SiteRecord.objects.filter(locale=locale).first()
        if owner is not None:
            raise SiteSyncError(
                f"sites.{registered.key}.language: {registered.language} is the language of the pages of {owner.key!r}, which "
                f"was removed or renamed. Restore the key {owner.key!r}, or delete its pages in the studio."
            )
        return locale

    def _create_home(self, registered: RegisteredSite, locale: Locale) -> HomePage:
        """Create the home page as an empty draft, or as a live copy on an inheriting site."""
        root = Page.get_first_root_node()
        source = self._home_of(registered.inherits)
        if source is not None:
            return source.create_alias(
                parent=root, update_slug=registered.key, update_locale=locale, reset_translation_key=False
            )
        home = HomePage(title=registered.name, slug=registered.key, locale=locale, live=False)
        original = self._home_of(self._registry.company.default_site)
        if original is not None:
            home.translation_key = original.translation_key
        return root.add_child(instance=home)

    def _home_of(self, key: str | None) -> HomePage | None:
        record = self._records.get(key or "")
        return HomePage.objects.get(pk=record.wagtail_site.root_page_id) if record else None

    def _update(self, registered: RegisteredSite, record: SiteRecord) -> None:
        code = self._codes[registered.key]
        Locale.objects.filter(pk=record.locale_id).exclude(language_code=code).update(language_code=code)
        before = record.wagtail_site
        after = Site.objects.get(pk=before.pk)
        self._write_site(after, registered)
        for name in ("hostname", "port", "site_name", "is_default_site"):
            if getattr(before, name) != getattr(after, name):
                field = name.replace("_", " ")
                self._say(registered.key, f"{field} {getattr(before, name)} becomes {getattr(after, name)}")

    def _write_site(self, site: Site, registered: RegisteredSite) -> None:
        site.hostname, site.port = self._address(registered)
        site.site_name = f"{self._registry.company.name} {registered.name}"
        is_default = registered.key == self._registry.company.default_site
        if is_default:
            Site.objects.exclude(pk=site.pk).filter(is_default_site=True).update(is_default_site=False)
        site.is_default_site = is_default
        if site.pk is None or _differs(site):
            site.save()

    def _origin(self, registered: RegisteredSite) -> str:
        return registered.origin(self._environment, self._port)

    def _address(self, registered: RegisteredSite) -> Address:
        origin = urlsplit(self._origin(registered))
        return Address(origin.hostname or "", origin.port or _PORTS[origin.scheme])

    def _say(self, key: str, change: str, affects_items: bool = False) -> None:
        self._report.changes.append(f"{key}: {change}")
        if affects_items:
            self._report.affected.add(key)


def _language(code: str) -> str:
    """Remove the suffix that distinguishes sites of one language."""
    return code.partition("-x-")[0]


def _differs(site: Site) -> bool:
    fields: Iterable[str] = ("hostname", "port", "site_name", "is_default_site", "root_page_id")
    stored = Site.objects.filter(pk=site.pk).values_list(*fields).first()
    return stored != tuple(getattr(site, name) for name in fields)

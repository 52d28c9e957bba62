"""Loading a whole folder of fixtures, in the order in which one thing needs another."""

from pathlib import Path
from typing import Final
from uuid import UUID

from portolan.content.navigation.footer import FooterSettings
from portolan.content.navigation.menu import MenuSettings
from portolan.content.site_records import SiteRecord
from portolan.sites.registry import Registry

from .batch import saved_at_once
from .collections import FILES, CollectionLoader, needs_pages
from .documents import load_documents
from .fixtures import Fixtures, SiteFixtures, read_fixtures
from .navigation import load_navigation
from .offices import OfficeLoader
from .pages import PageLoader, SiteTree, family_fields
from .pictures import load_pictures
from .problems import FixtureError, FixtureProblem
from .rates import load_rates
from .report import SeedReport

_NOTHING: Final = SiteFixtures()


def read_demo(root: Path, registry: Registry) -> Fixtures:
    """Everything below ``root``. Raises FixtureError with all problems that can be seen without a database."""
    return read_fixtures(root, registry, FILES)


def load_fixtures(fixtures: Fixtures, registry: Registry, draw: Path, report: SeedReport) -> None:
    """Load all of it. Raises FixtureError with all problems; what is good has been loaded by then."""
    _Loading(fixtures, registry, draw, report).run()


def count_entries(fixtures: Fixtures) -> int:
    """How often ``SeedReport.begin`` will be called."""
    own = fixtures.sites.values()
    single = sum(1 for site in own for fixture in (site.menu, site.footer, site.rates) if fixture)
    entries = sum(len(shared.data) for shared in fixtures.collections.values())
    pages = sum(len(site.pages) for site in own)
    return len(fixtures.pictures.data["pictures"]) + len(fixtures.offices.data["offices"]) + entries + pages + single


class _Loading:
    def __init__(self, fixtures: Fixtures, registry: Registry, draw: Path, report: SeedReport) -> None:
        self._fixtures = fixtures
        self._registry = registry
        self._draw = draw
        self._report = report
        self._problems: list[FixtureProblem] = []

    def run(self) -> None:
        self._pictures = load_pictures(self._fixtures, self._draw, self._report, self._problems)
        self._documents = load_documents(self._fixtures.root / "documents", self._report)
        default = self._registry.company.default_site
        with saved_at_once():
            OfficeLoader(self._fixtures.offices, default, self._report, self._problems).load()
        self._load_collections(placed=False)  # pages name facets
        self._load_pages()
        self._load_collections(placed=True)
        self._load_settings()
        if self._problems:
            raise FixtureError(self._problems)

    def _load_collections(self, placed: bool) -> None:
        """Those whose entries are placed on pages, or the others."""
        default = self._registry.company.default_site
        targets = self._plant([default], {})[default]
        for name in self._fixtures.collections:
            if needs_pages(FILES[name]) == placed:
                with saved_at_once():
                    CollectionLoader(name, self._fixtures, targets, self._report, self._problems).load()

    def _load_pages(self) -> None:
        """Sites with the originals first: heirs have live copies of those pages by the time they are overridden."""
        keys: dict[str, UUID] = {}
        fields = family_fields()
        originals = [key for key, site in self._registry.sites.items() if not site.inherits]
        originals.sort(key=lambda key: key != self._registry.company.default_site)
        for sites in (originals, [key for key in self._registry.sites if key not in originals]):
            trees = self._plant(sites, keys)
            loaders = {key: PageLoader(tree, fields, keys, self._report, self._problems) for key, tree in trees.items()}
            for key, loader in loaders.items():
                loader.make_drafts(self._site(key).pages)
            for key, loader in loaders.items():
                loader.publish(self._site(key).pages)

    def _load_settings(self) -> None:
        """Menus, footers and rate cards."""
        for key, tree in self._plant(list(self._registry.sites), {}).items():
            site, found = tree.record.wagtail_site, self._site(key)
            for model, fixture in ((MenuSettings, found.menu), (FooterSettings, found.footer)):
                if fixture is not None:
                    load_navigation(model, site, fixture, tree, self._report, self._problems)
            if found.rates is not None:
                load_rates(site, found.rates, tree, self._report, self._problems)

    def _plant(self, sites: list[str], keys: dict[str, UUID]) -> dict[str, SiteTree]:
        """Trees of these sites, each of which falls back on the default site's."""
        records = {
            record.key: record for record in SiteRecord.objects.select_related("wagtail_site__root_page", "locale")
        }
        default = self._registry.company.default_site
        files = self._pictures, self._documents
        fallback = SiteTree(records[default], *files, None)
        trees = {key: fallback if key == default else SiteTree(records[key], *files, fallback) for key in sites}
        for tree in (fallback, *trees.values()):
            for path, page in tree.pages():
                keys.setdefault(path, page.translation_key)
        return trees

    def _site(self, key: str) -> SiteFixtures:
        return self._fixtures.sites.get(key, _NOTHING)

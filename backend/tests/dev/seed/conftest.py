"""A small folder of fixtures for three sites, and what loads it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
from django.test import TestCase, override_settings
from wagtail.models import Page

from portolan.content.site_records import SiteRecord
from portolan.sites.registry import Registry
from portolan.studio.site_sync import sync_sites
from portolan_dev.seed.load import load_fixtures, read_demo
from portolan_dev.seed.problems import FixtureError
from portolan_dev.seed.report import SeedReport

from ...shared_content import ensure, shared
from ...studio.conftest import no_publisher, registry_with

__all__ = ("no_publisher",)

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'
HOME = """
title = "{title}"
template = "home"
[head]
title = "{title} of the company"
description = "What a search result says of this page, in as many characters as are read."
[[blocks]]
type = "hero"
title = "{title}"
actions = [{{ title = "About", page = "/about-us", anchor = "offices" }}]
picture = {{ picture = "mark", alt = "" }}
"""
PAGE = """
title = "{title}"
template = "{template}"
[[blocks]]
type = "rich_text"
html = \"\"\"
<h2>{title}</h2>
<p>See <a page="/about-us#offices">our offices</a>.</p>
\"\"\"
"""
MENU = """
[[items]]
key = "services"
title = "Services"
[[items.submenu]]
title = "Web"
description = "Sites"
page = "/services/web"
[contact]
title = "Contact"
page = "/about-us"
"""
FOOTER = """
[[groups]]
key = "company"
title = "Company"
links = [{ title = "About", page = "/about-us" }, { title = "Careers", url = "https://people.example/", region = "cis" }]
[[legal_links]]
title = "Imprint"
page = "/about-us"
[offices_link]
title = "All offices"
page = "/about-us"
anchor = "offices"
"""
OFFICES = """
[categories.hub]
icon = "anchor"
name.en = "Hub"
name.de = "Zentrum"
[[offices]]
key = "dallas"
country = "us"
phone = "+1 214-555-0140"
lat = 32.7
lng = -96.8
category = "hub"
sets = ["default"]
city.en = "Dallas"
city.de = "Dallas (Texas)"
address.en = "1 Pier"
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "fixtures"


def write_files(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


@pytest.fixture
def write(root: Path) -> Callable[[dict[str, str]], None]:
    """Puts files into the folder of fixtures."""
    return partial(write_files, root)


SMALL: Final = {
    "pictures.toml": '[pictures.mark]\nfile = "pictures/mark.svg"\ntitle = "Mark"\n',
    "pictures/mark.svg": SVG,
    "offices.toml": "offices = []\n[categories]\n",
    "en/pages/home.toml": 'title = "Home"\ntemplate = "home"\n',
    "en/pages/services/web.toml": 'title = "Web"\ntemplate = "service"\n',
}


@pytest.fixture
def small_folder(root: Path, write: Callable[[dict[str, str]], None]) -> Path:
    """One site with two pages and a picture."""
    write(SMALL)
    return root


FOLDER: Final = SMALL | {
    "offices.toml": OFFICES,
    "en/menu.toml": MENU,
    "en/footer.toml": FOOTER,
    "en/pages/home.toml": HOME.format(title="Home"),
    "en/pages/about-us.toml": PAGE.format(title="About us", template="about"),
    "en/pages/services/web.toml": PAGE.format(title="Web", template="service"),
    "en/pages/404.toml": PAGE.format(title="Not found", template="error"),
    "uk/pages/about-us.toml": PAGE.format(title="About us in Britain", template="about"),
    "de/pages/home.toml": HOME.format(title="Startseite"),
    "de/pages/services/web.toml": PAGE.format(title="Netz", template="service"),
}


@pytest.fixture
def folder(root: Path, write: Callable[[dict[str, str]], None]) -> Path:
    """Something of everything, on three sites."""
    write(FOLDER)
    return root


def build_registry() -> Registry:
    return registry_with("en", "uk", "de")


@pytest.fixture
def registry(settings, media):
    settings.SITES_REGISTRY = build_registry()
    ensure("registry")
    return settings.SITES_REGISTRY


@shared("registry")
def make_registered_sites(media: Path) -> None:
    registry = build_registry()
    with override_settings(SITES_REGISTRY=registry):
        sync_sites(registry, "local", 8000)


@pytest.fixture
def load(root, registry):
    return partial(load_folder, root, registry)


def load_files(files: dict[str, str]) -> None:
    """For shared content on top of "registry"."""
    registry = build_registry()
    with TemporaryDirectory() as name, override_settings(SITES_REGISTRY=registry):
        write_files(Path(name), files)
        assert load_folder(Path(name), registry).changed_anything()


def load_folder(root: Path, registry: Registry) -> SeedReport:
    report = SeedReport()
    with TestCase.captureOnCommitCallbacks(execute=True):
        load_fixtures(read_demo(root, registry), registry, root / "draw.py", report)
    return report


def page(path: str, site: str = "en") -> Any:
    record = SiteRecord.objects.get(key=site)
    return Page.objects.get(url_path=f"/{site}{path}", locale=record.locale).specific


def problems(error: Any) -> list[str]:
    return [str(problem) for problem in error.value.problems]


def find_problems(load: Callable[[], Any], file: Path, old: str, new: str) -> list[str]:
    """What loading says once ``new`` stands in a file in place of ``old``."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FixtureError) as error:
        load()
    return problems(error)

"""A ninth country needs only configuration and content, no code: Italy joins and is published."""

import os
import sys
from datetime import date
from pathlib import Path

import pytest

from portolan.builds.live import read_live
from portolan.builds.manifest import read_manifest
from portolan.builds.store import ContentStore
from portolan.config.empty_database import begin_database
from portolan.config.project import ROOT
from portolan.domain.company import company_age
from portolan.sites.load import load_registry

from .processes import run_program

pytestmark = pytest.mark.one_worker  # they share a setup of half a minute

ITALY = """
[sites.it]
language = "it-IT"
hreflang = ["it"]
og_locale = "it_IT"
name = "Italia"
endonym = "Italiano"
short_label = "IT"
dir = "ltr"
date_locale = "it-IT"
switcher = { shown = true, listed = true }
country = "it"
phone = "visitor"
office_rule = "own"
office_sets = ["default"]
consent = { theme = "by-country", profile = "strict" }
origins.local = "http://it.localhost:{port}"
origins.staging = "https://it.staging.brightmoor.example"
origins.production = "https://brightmoor-it.example"
"""
MENU = """
[contact]
title = "{contact}"
page = "/contact-us"
[[items]]
key = "company"
title = "{company}"
page = "/about-us"
"""
FOOTER = """
[offices_link]
title = "{offices}"
page = "/about-us"
anchor = "offices"
[[groups]]
key = "company"
title = "{company}"
[[groups.links]]
title = "{about}"
page = "/about-us"
"""
PAGE = """
title = "{title}"
template = "{template}"
[head]
title = "{head}"
description = "{description}"
[[blocks]]
type = "hero"
title = "{hero}"
actions = [{{ title = "{action}", page = "{to}" }}]
"""
OFFICES = """
[[blocks]]
type = "offices"
anchor = "offices"
title = "Le nostre sedi"
"""
FILES = {
    "it/menu.toml": MENU.format(contact="Contatti", company="Azienda"),
    "it/footer.toml": FOOTER.format(offices="Tutte le sedi", company="Azienda", about="Chi siamo"),
    "it/pages/home.toml": PAGE.format(
        title="Home",
        template="home",
        head="{company}: software su misura",
        description="Progettiamo, costruiamo e gestiamo software su misura per porti, cliniche, banche e fabbriche.",
        hero="Software per chi non si ferma mai",
        action="Chi siamo",
        to="/about-us",
    ),
    "it/pages/about-us.toml": PAGE.format(
        title="Chi siamo",
        template="about",
        head="Chi siamo: {company}",
        description="Una società di ingegneria del software con {offices} sedi e {age} anni di esperienza sul campo.",
        hero="Chi siamo",
        action="Home",
        to="/",
    )
    + OFFICES,
    "it/pages/404.toml": PAGE.format(
        title="Pagina non trovata",
        template="error",
        head="Pagina non trovata",
        description="La pagina richiesta non esiste, o non esiste più: dalla pagina iniziale si arriva ovunque.",
        hero="Fuori dalla carta",
        action="Torna all'inizio",
        to="/",
    ),
    "it/pages/500.toml": PAGE.format(
        title="Errore del server",
        template="error",
        head="Errore del server",
        description="Il server non riesce a rispondere: riprovate tra qualche minuto, oppure tornate all'inizio.",
        hero="Mare mosso",
        action="Torna all'inizio",
        to="/",
    ),
    "en/menu.toml": MENU.format(contact="Contact", company="Company"),
    "en/footer.toml": FOOTER.format(offices="All offices", company="Company", about="About us"),
    "pictures.toml": "[pictures]\n",
}
FILES |= {
    f"en/pages/{name}.toml": PAGE.format(
        title=title,
        template=template,
        head=f"{title} of the company",
        description=f"{title}: what a search result says of this page, in as many characters as are read there.",
        hero=title,
        action="To the beginning",
        to="/about-us" if name == "home" else "/",
    )
    + (OFFICES if name == "about-us" else "")
    for name, title, template in (
        ("home", "Home", "home"),
        ("about-us", "About us", "about"),
        ("contact-us", "Contact us", "contact"),
        ("404", "Not found", "error"),
        ("500", "Server error", "error"),
    )
}


@pytest.fixture(scope="module")
def italy(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Path:
    """A var folder with a small international site and Italy, made by an operator's commands."""
    folder = tmp_path_factory.mktemp("italy")
    registry = (ROOT / "sites.toml").read_text(encoding="utf-8")
    (folder / "sites.toml").write_text(registry + ITALY, encoding="utf-8")
    demo = folder / "fixtures"
    for name, text in FILES.items():
        file = demo / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (demo / "offices.toml").symlink_to(ROOT / "fixtures" / "demo" / "offices.toml")
    (folder / "var").mkdir()
    begin_database(folder / "var" / "portolan.sqlite3", "en")
    for arguments in (("sites", "sync"), ("seed", "--dir", str(demo)), ("publish", "--no-pictures")):
        _portolan(folder, *arguments)
    return folder / "var"


def test_the_ninth_site_is_live_in_its_own_language(italy: Path) -> None:
    home = _read(italy, "it", "/").decode()
    assert 'lang="it-IT"' in home
    assert "<title>Brightmoor: software su misura</title>" in home
    assert "Software per chi non si ferma mai" in home
    about = _read(italy, "it", "/about-us").decode()
    registry = load_registry(italy.parent / "sites.toml")
    age = company_age(registry.company.founded, date.today())
    assert f"con {registry.figures.offices} sedi e {age} anni di esperienza sul campo." in about


def test_a_page_it_lacks_is_reached_on_the_international_site(italy: Path) -> None:
    assert 'href="http://localhost:8123/contact-us"' in _read(italy, "it", "/").decode()


def test_the_other_sites_name_it_as_a_language_and_an_alternate(italy: Path) -> None:
    home = _read(italy, "en", "/").decode().replace("hrefLang", "hreflang")
    assert '<link rel="alternate" hreflang="it" href="http://it.localhost:8123"/>' in home
    assert 'href="http://it.localhost:8123" hreflang="it" lang="it-IT"' in home  # the switcher's entry


def test_a_site_without_content_keeps_nobody_waiting(italy: Path) -> None:
    assert set(read_live(italy / "builds").builds) == {"en", "uk", "it"}


def _read(var: Path, site: str, path: str) -> bytes:
    builds = var / "builds"
    file = read_manifest(builds, site, read_live(builds).builds[site]).files[path]
    return ContentStore(builds).read(file.digest) or b""


def _portolan(folder: Path, *arguments: str) -> None:
    done = run_program(
        [Path(sys.executable).with_name("portolan"), *arguments],
        env={
            **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
            "PORTOLAN_VAR_DIR": str(folder / "var"),
            "PORTOLAN_SITES_FILE": str(folder / "sites.toml"),
            "PORTOLAN_PORT": "8123",
        },
    )
    assert done.returncode == 0, f"portolan {' '.join(arguments)}\n{done.stdout}\n{done.stderr}"

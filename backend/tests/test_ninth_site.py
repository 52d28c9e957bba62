"""A ninth country is an entry and content, no code: Italy joins with data alone, and is published."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from portolan.builds.live import read_live
from portolan.builds.manifest import read_manifest
from portolan.builds.store import ContentStore
from portolan.config.env import ROOT

pytestmark = pytest.mark.one_worker  # they share what takes half a minute to make

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
FILES = {
    "menu.toml": """
[contact]
title = "Contatti"
page = "/contact-us"
[[items]]
key = "company"
title = "Azienda"
page = "/about-us"
""",
    "footer.toml": """
[offices_link]
title = "Tutte le sedi"
page = "/about-us"
anchor = "offices"
[[groups]]
key = "company"
title = "Azienda"
[[groups.links]]
title = "Chi siamo"
page = "/about-us"
""",
    "pages/home.toml": """
title = "Home"
template = "home"
[head]
title = "{company}: software su misura"
description = "Progettiamo, costruiamo e gestiamo software su misura per porti, cliniche, banche e fabbriche."
[[blocks]]
type = "hero"
title = "Software per chi non si ferma mai"
actions = [{ title = "Chi siamo", page = "/about-us" }]
""",
    "pages/about-us.toml": """
title = "Chi siamo"
template = "about"
[head]
title = "Chi siamo: {company}"
description = "Una società di ingegneria del software con {offices} sedi e {age} anni di esperienza sul campo."
[[blocks]]
type = "hero"
title = "Chi siamo"
[[blocks]]
type = "offices"
anchor = "offices"
title = "Le nostre sedi"
""",
    "pages/404.toml": """
title = "Pagina non trovata"
template = "error"
[head]
title = "Pagina non trovata"
description = "La pagina richiesta non esiste, o non esiste più: dalla pagina iniziale si arriva ovunque."
[[blocks]]
type = "hero"
title = "Fuori dalla carta"
actions = [{ title = "Torna all'inizio", page = "/" }]
""",
    "pages/500.toml": """
title = "Errore del server"
template = "error"
[head]
title = "Errore del server"
description = "Il server non riesce a rispondere: riprovate tra qualche minuto, oppure tornate all'inizio."
[[blocks]]
type = "hero"
title = "Mare mosso"
actions = [{ title = "Torna all'inizio", page = "/" }]
""",
}


@pytest.fixture(scope="module")
def italy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A var folder with the international site and Italy, made by the commands an operator would call."""
    folder = tmp_path_factory.mktemp("italy")
    registry = (ROOT / "sites.toml").read_text(encoding="utf-8")
    (folder / "sites.toml").write_text(registry + ITALY, encoding="utf-8")
    demo = folder / "fixtures"
    demo.mkdir()
    for name in ("offices.toml", "pictures.toml", "pictures", "collections", "documents", "en"):
        (demo / name).symlink_to(ROOT / "fixtures" / "demo" / name)
    for name, text in FILES.items():
        file = demo / "it" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for arguments in (("django", "migrate", "-v0"), ("sites", "sync"), ("seed", "--dir", str(demo)), ("publish",)):
        _portolan(folder, *arguments)
    return folder / "var"


def test_the_ninth_site_is_live_in_its_own_language(italy: Path) -> None:
    home = _read(italy, "it", "/").decode()
    assert 'lang="it-IT"' in home
    assert "<title>Brightmoor: software su misura</title>" in home
    assert "Software per chi non si ferma mai" in home
    assert "19" in _read(italy, "it", "/about-us").decode()


def test_a_page_it_lacks_is_reached_on_the_international_site(italy: Path) -> None:
    assert 'href="http://localhost:8123/contact-us"' in _read(italy, "it", "/").decode()


def test_the_other_sites_name_it_as_a_language_and_an_alternate(italy: Path) -> None:
    home = _read(italy, "en", "/").decode()
    assert '<link rel="alternate" hreflang="it" href="http://it.localhost:8123"/>' in home.replace(
        "hrefLang", "hreflang"
    )
    assert '"lang":"it-IT"' in home  # the switcher's entry


def test_a_site_without_content_keeps_nobody_waiting(italy: Path) -> None:
    assert set(read_live(italy / "builds").builds) == {"en", "uk", "it"}


def _read(var: Path, site: str, path: str) -> bytes:
    builds = var / "builds"
    file = read_manifest(builds, site, read_live(builds).builds[site]).files[path]
    return ContentStore(builds).read(file.digest) or b""


def _portolan(folder: Path, *arguments: str) -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("portolan"), *arguments],
        env={
            **os.environ,
            "PORTOLAN_VAR_DIR": str(folder / "var"),
            "PORTOLAN_SITES_FILE": str(folder / "sites.toml"),
            "PORTOLAN_PORT": "8123",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"portolan {' '.join(arguments)}\n{done.stdout}\n{done.stderr}"

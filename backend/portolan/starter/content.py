"""Build the starter's pages for the configured sites as fixtures: one structure, texts by language."""

import tomllib
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from string import Template
from typing import Any, Final

from ..fixtures.files import Fixture, Fixtures, SiteFixtures, path_of_file
from ..sites.registry import Registry, Site

_HERE: Final = Path(__file__).parent
_SITE: Final = _HERE / "site"
_TEXTS: Final = _HERE / "texts"
_FALLBACK: Final = "en"
_TODAY: Final = "$today"
_PICTURE: Final = "pictures/placeholder.svg"
_PHONE: Final = "+44 20 7946 0000"
"""From a range reserved for fiction."""
_COLLECTION: Final = "Starter"


def languages() -> list[str]:
    """Return the languages that have texts, as the first part of a language tag."""
    return sorted(file.stem for file in _TEXTS.glob("*.toml"))


def read_texts(language: str) -> Mapping[str, str]:
    """Return the texts of a language tag's language; English if there are none."""
    file = _TEXTS / f"{language.partition('-')[0]}.toml"
    return _read(file if file.exists() else _TEXTS / f"{_FALLBACK}.toml")


def build_starter(registry: Registry, folder: Path, today: date) -> Fixtures:
    """Return the pages of all sites that do not inherit. Their files are written to ``folder``."""
    (folder / _PICTURE).parent.mkdir(parents=True, exist_ok=True)
    (folder / _PICTURE).write_text(_draw_placeholder(registry.brand.colours.ground, registry.brand.colours.accent))
    own = {key: site for key, site in registry.sites.items() if not site.inherits}
    texts = {key: read_texts(site.language) for key, site in own.items()}
    country = registry.default_site.country or "gb"
    return Fixtures(
        folder,
        Fixture(Path("pictures.toml"), {"pictures": {"placeholder": {"file": _PICTURE, "title": "Placeholder"}}}),
        Fixture(Path("offices.toml"), _build_offices(texts, country)),
        {"phones": Fixture(Path("phones.toml"), {"main": {"phone": _PHONE, "default": True, "countries": [country]}})},
        {key: _build_site(site, texts[key], country, today) for key, site in own.items()},
        _COLLECTION,
    )


def _build_site(site: Site, texts: Mapping[str, str], country: str, today: date) -> SiteFixtures:
    values = {**texts, "country": country}

    def fixture(file: Path) -> Fixture:
        return Fixture(file.relative_to(_HERE), _fill(_read(file), values, today))

    folder = _SITE / "pages"
    files = sorted(folder.rglob("*.toml"), key=lambda file: file.relative_to(folder).with_suffix("").parts)
    pages = {path_of_file(file.relative_to(folder).with_suffix("").as_posix()): fixture(file) for file in files}
    return SiteFixtures(menu=fixture(_SITE / "menu.toml"), footer=fixture(_SITE / "footer.toml"), pages=pages)


def _build_offices(texts: Mapping[str, Mapping[str, str]], country: str) -> dict[str, Any]:
    def by_site(name: str) -> dict[str, str]:
        return {key: found[name] for key, found in texts.items()}

    office = {
        "key": "head-office",
        "country": country,
        "phone": _PHONE,
        "lat": 51.5,
        "lng": -0.1,
        "category": "head-office",
        "sets": ["default"],
        "city": by_site("city"),
        "address": by_site("address"),
    }
    category = {"icon": "landmark", "name": by_site("office_category")}
    return {"categories": {"head-office": category}, "offices": [office]}


def _fill(value: Any, texts: Mapping[str, str], today: date) -> Any:
    match value:
        case str() if value == _TODAY:
            return today
        case str():
            return Template(value).substitute(texts)
        case dict():
            return {key: _fill(each, texts, today) for key, each in value.items()}
        case list():
            return [_fill(each, texts, today) for each in value]
    return value


def _draw_placeholder(ground: str, accent: str) -> str:
    circles = "".join(f'<circle cx="1180" cy="620" r="{radius}"/>' for radius in (120, 240, 360, 480, 600, 720))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 1000" width="1600" height="1000">'
        f'<path d="M0 0h1600v1000H0z" fill="{ground}"/><g fill="none" stroke="#fff" stroke-opacity=".14" stroke-width="2">'
        f'{circles}</g><circle cx="1180" cy="620" r="56" fill="{accent}"/></svg>\n'
    )


def _read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))

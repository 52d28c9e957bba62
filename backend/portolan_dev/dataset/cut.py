"""Reduce the demo's content to the pages that show every page type and block, with all they need.

Only writes placeholder files for images and documents.
"""

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any, Final

from PIL import Image

from portolan.fixtures.files import Fixture, Fixtures, SiteFixtures

SITES: Final = ("en", "uk", "de", "ae")
"""The default site, one that inherits from it, one with translations, and one with text from right to left."""
_ALWAYS: Final = ("/", "/404.html", "/500.html", "/offline.html", "/contact-us", "/estimate")
_WITH_EXAMPLES: Final = "/about-us"
_PICTURE: Final = "scene-about"
_ENTRIES: Final = 4
"""Entries per collection whose entries no page names."""
_NAMED: Final = ("facets", "phones")
_LINK: Final = re.compile(r'<a page="([^"#]*)(?:#[^"]*)?">')
_SVG: Final = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'
_PDF: Final = (
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"
)


def cut_fixtures(whole: Fixtures, examples: Mapping[str, Mapping[str, Any]], folder: Path) -> Fixtures:
    """Return the reduced content of ``SITES``, and write placeholder files into ``folder``.

    Links to removed pages go to the home page. Blocks without a page of the demo are added to one from ``examples``,
    which has each block once.
    """
    paths = choose_pages(whole)
    whole = _with_examples(whole, examples)
    default = SITES[0]
    order = [*whole.sites[default].pages, *(path for site in SITES for path in whole.sites[site].pages)]
    kept = {path for path in order if path in paths}
    shared = {
        name: replace(found, data=_first_entries(name, _with_links(found.data, kept)))
        for name, found in whole.collections.items()
    }
    sites = {key: _cut_site(whole.sites[key], kept, shared) for key in SITES}
    pictures = set(_pictures([site.pages for site in sites.values()], sites, shared, whole))
    _write_stand_ins(whole, pictures, folder)
    entries = {name: entry for name, entry in whole.pictures.data["pictures"].items() if name in pictures}
    return Fixtures(
        folder,
        replace(whole.pictures, data={"pictures": _without_drawing(entries)}),
        whole.offices,
        shared,
        sites,
    )


def choose_pages(whole: Fixtures) -> set[str]:
    """Return paths of the default site's pages that together have every page type and block. Greedy and deterministic."""
    pages = whole.sites[SITES[0]].pages
    features = {path: _features(page) for path, page in pages.items()}
    chosen = {path for path in _ALWAYS if path in pages}
    missing = set().union(*features.values()).difference(*(features[path] for path in chosen))
    while missing:
        best = max(sorted(pages), key=lambda path: (len(features[path] & missing), -len(features[path])))
        chosen.add(best)
        missing -= features[best]
    return chosen


def _with_examples(whole: Fixtures, examples: Mapping[str, Mapping[str, Any]]) -> Fixtures:
    site = whole.sites[SITES[0]]
    shown = set().union(*map(_features, site.pages.values()))
    missing = [{"type": name, **_named(data)} for name, data in examples.items() if ("block", name) not in shown]
    page = site.pages[_WITH_EXAMPLES]
    page = replace(page, data={**page.data, "blocks": [*page.data["blocks"], *missing]})
    site = replace(site, pages={**site.pages, _WITH_EXAMPLES: page})
    return replace(whole, sites={**whole.sites, SITES[0]: site})


def _named(value: Any) -> Any:
    """Return an example with names of images and pages instead of ids, as in fixtures."""
    if isinstance(value, list):
        return [_named(entry) for entry in value]
    if not isinstance(value, Mapping):
        return value
    if "image" in value:
        return {"picture": _PICTURE, "alt": value["alt"]}
    return {name: "/" if name == "page" else _named(entry) for name, entry in value.items()}


def _features(page: Fixture) -> set[tuple[str, str]]:
    blocks = page.data.get("blocks", [])
    return {("family", page.data["template"]), *(("block", block["type"]) for block in blocks)}


def _cut_site(site: SiteFixtures, kept: set[str], shared: Mapping[str, Fixture]) -> SiteFixtures:
    def linked(found: Fixture | None) -> Fixture | None:
        return found and replace(found, data=_with_links(found.data, kept))

    return SiteFixtures(
        linked(site.menu),
        linked(site.footer),
        site.rates,
        {path: replace(page, data=_with_links(page.data, kept)) for path, page in site.pages.items() if path in kept},
        {
            name: replace(found, data={key: entry for key, entry in found.data.items() if key in shared[name].data})
            for name, found in site.collections.items()
        },
    )


def _first_entries(name: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    return dict(list(entries.items())[: None if name in _NAMED else _ENTRIES])


def _with_links(value: Any, kept: set[str]) -> Any:
    """Return the value with links to existing pages only."""
    if isinstance(value, str):
        return _LINK.sub(lambda link: link[0] if link[1] in kept else '<a page="/">', value)
    if isinstance(value, list):
        return [_with_links(entry, kept) for entry in value]
    if not isinstance(value, Mapping):
        return value
    changed = {name: _with_links(entry, kept) for name, entry in value.items()}
    page = changed.get("page")
    if isinstance(page, str) and page.startswith("/") and page not in kept:
        changed["page"] = "/"
        changed.pop("anchor", None)
    if isinstance(changed.get("pages"), list):
        changed["pages"] = [path for path in changed["pages"] if path in kept] or ["/"]
    return changed


def _pictures(
    pages: Iterable[Mapping[str, Fixture]],
    sites: Mapping[str, SiteFixtures],
    shared: Mapping[str, Fixture],
    whole: Fixtures,
) -> Iterator[str]:
    known = whole.pictures.data["pictures"]
    everything = [
        *(fixture.data for found in pages for fixture in found.values()),
        *(fixture.data for fixture in shared.values()),
        *(
            found.data
            for site in sites.values()
            for found in (site.menu, site.footer, *site.collections.values())
            if found
        ),
        whole.offices.data,
    ]
    return (text for text in _texts(everything) if text in known)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from _texts(entry)
    elif isinstance(value, list):
        for entry in value:
            yield from _texts(entry)


def _without_drawing(entries: Mapping[str, Any]) -> dict[str, Any]:
    return {name: {**entry, "generated": False} for name, entry in entries.items()}


def _write_stand_ins(whole: Fixtures, pictures: set[str], folder: Path) -> None:
    """Write small files of the same types and names."""
    for name in sorted(pictures):
        file = folder / whole.pictures.data["pictures"][name]["file"]
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".svg":
            file.write_bytes(_SVG)
        else:
            Image.new("RGB", (1600, 900), (2, 13, 28)).save(file)
    films = sorted((whole.root / "documents").glob("*.webm"), key=lambda film: film.stat().st_size)
    (folder / "documents").mkdir(exist_ok=True)
    for document in sorted((whole.root / "documents").iterdir()):
        target = folder / "documents" / document.name
        if PurePath(document.name).suffix == ".pdf":
            target.write_bytes(_PDF)
        else:
            shutil.copy(films[0], target)

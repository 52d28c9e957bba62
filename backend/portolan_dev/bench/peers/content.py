"""Content for the comparison: a services company's site with any number of pages, the same for the same seed.

Of a site's pages, one is home, 2 % are services, 2 % industries, 6 % case studies, and the rest articles. Each has 8 to
14 blocks.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from .words import CITIES, LANGUAGES, NETWORKS, TITLES
from .writer import PageLink, Writer, write_block

FEWEST_PAGES: Final = 20
SEED: Final = 7
_PREFIXES: Final = {"service": "/services/", "industry": "/industries/", "case": "/project-cases/", "article": "/news/"}
_HOME: Final = (
    "hero", "stats", "logos", "cards", "richtext", "caseTeasers", "testimonials", "cards", "richtext", "faq", "stats",
    "caseTeasers", "cards", "form",
)  # fmt: skip
_ARTICLE: Final = ("richtext", "richtext", "richtext", "stats", "caseTeasers", "testimonials", "cards")
_OTHER: Final = ("stats", "cards", "logos", "testimonials", "faq", "richtext", "caseTeasers")


class PlannedPage(NamedTuple):
    kind: str
    path: str
    """With a slash at its end, as other generators write paths."""
    title: str


class PeerSite(NamedTuple):
    language: str
    frame: Mapping[str, Any]
    """Parts that its pages share: menu, footer, offices, consent texts."""
    plan: Sequence[PlannedPage]
    """Every page in the order of page numbers, which begin with 1."""
    pages: Iterator[dict[str, Any]]
    """Content of the pages. Iterate once: it is written as it is read."""


def write_site(index: int, pages: int, seed: int = SEED) -> PeerSite:
    """Return the site with number ``index`` from 0 and at least FEWEST_PAGES pages."""
    again, place = divmod(index, len(LANGUAGES))
    language = f"{LANGUAGES[place]}{again or ''}"
    writer = Writer(seed * 1000 + index)
    plan = [PlannedPage("home", "/", "Software engineering company"), *_plan(writer, pages)]
    frame = _frame(writer, language, plan)
    return PeerSite(language, frame, plan, _pages(writer, language, plan))


def write_files(folder: Path, index: int, pages: int, seed: int = SEED) -> None:
    """Write the site's files for the generators: ``LANGUAGE/site.json`` and ``LANGUAGE/pages/NUMBER.json``."""
    site = write_site(index, pages, seed)
    (folder / site.language / "pages").mkdir(parents=True)
    (folder / site.language / "site.json").write_text(json.dumps(site.frame), encoding="utf-8")
    for page in site.pages:
        file = folder / site.language / "pages" / f"{page['id']:05d}.json"
        file.write_text(json.dumps(page), encoding="utf-8")


def _plan(writer: Writer, pages: int) -> Iterator[PlannedPage]:
    counts = {
        "service": max(4, pages * 2 // 100),
        "industry": max(4, pages * 2 // 100),
        "case": max(6, pages * 6 // 100),
    }
    counts["article"] = pages - 1 - sum(counts.values())
    for kind, count in counts.items():
        for number in range(count):
            title = writer.title(5, 9) if kind == "article" else f"{TITLES[number % len(TITLES)]} {writer.title(1, 2)}"
            slug = "-".join(title.lower().split())[:60]
            yield PlannedPage(kind, f"{_PREFIXES[kind]}{slug}-{number + 1}/", title)


def _links(plan: Sequence[PlannedPage], *kinds: str) -> list[PageLink]:
    return [PageLink(page.path, page.title) for page in plan if page.kind in kinds]


def _linked(plan: Sequence[PlannedPage]) -> list[PageLink]:
    """Return the link targets of texts and cards: all pages except articles."""
    return _links(plan, "home", "service", "industry", "case")


def _frame(writer: Writer, language: str, plan: Sequence[PlannedPage]) -> dict[str, Any]:
    services, industries, cases = (_links(plan, kind) for kind in ("service", "industry", "case"))
    links = _linked(plan)
    menus = (
        ("services", "tabs", services),
        ("industries", "cards", industries),
        ("cases", "cards", cases),
        ("company", "links", links),
        ("insights", "news", links),
    )
    groups = (
        ("Tech stack", services[::-1]),
        ("Industries", industries),
        ("Services", services),
        ("Case studies", cases),
        ("Company", links),
    )
    return {
        "lang": language,
        "dir": "rtl" if language == "ar" else "ltr",
        "company": "Contoso Engineering",
        "menu": [_menu_item(writer, key, kind, targets) for key, kind, targets in menus],
        "footer": [
            {"title": title, "links": [{"title": to.title, "link": to.path} for to in _first_eight(targets)]}
            for title, targets in groups
        ],
        "offices": [_office(writer, number, city) for number, city in enumerate(CITIES)],
        "languages": list(LANGUAGES[:5]),
        "social": list(NETWORKS),
        "consent": {"title": "We use cookies", "text": writer.paragraph(3), "more": writer.paragraph(4)},
    }


def _first_eight(links: Sequence[PageLink]) -> list[PageLink]:
    """Return eight links, repeated if there are fewer."""
    return [links[index % len(links)] for index in range(8)]


def _menu_item(writer: Writer, key: str, kind: str, targets: Sequence[PageLink]) -> dict[str, Any]:
    submenu = [
        {
            "title": to.title,
            "description": writer.sentence(6, 10),
            "url": to.path,
            "img": f"/img/p{number:02d}-s.webp",
        }
        for number, to in enumerate(_first_eight(targets), 1)
    ]
    return {"key": key, "title": key.capitalize(), "to": f"/{key}/", "contentType": kind, "submenu": submenu}


def _office(writer: Writer, number: int, city: str) -> dict[str, Any]:
    draw = writer.random
    return {
        "id": number,
        "city": city,
        "address": f"{draw.randint(1, 200)} {writer.title(2, 3)} Street",
        "phone": f"+{draw.randint(1, 99)} {draw.randint(100, 999)} {draw.randint(1000000, 9999999)}",
        "category": {"name": draw.choice(("Headquarters", "Development", "Sales")), "icon": "pin"},
    }


def _pages(writer: Writer, language: str, plan: Sequence[PlannedPage]) -> Iterator[dict[str, Any]]:
    links, cases = _linked(plan), _links(plan, "case")
    draw = writer.random
    for number, planned in enumerate(plan, 1):
        kinds = _kinds(writer, planned.kind)
        page: dict[str, Any] = {
            "id": number,
            "site": language,
            "lang": language,
            "type": planned.kind,
            "path": planned.path,
            "title": planned.title,
            "description": writer.sentence(12, 20),
            "date": f"20{draw.randint(19, 26)}-{draw.randint(1, 12):02d}-{draw.randint(1, 28):02d}",
            "img": writer.picture(),
            "blocks": [write_block(writer, kind, links, cases) for kind in kinds],
        }
        page["blocks"][0]["title"] = planned.title
        yield page


def _kinds(writer: Writer, kind: str) -> Sequence[str]:
    if kind == "home":
        return _HOME
    inner = _ARTICLE if kind == "article" else _OTHER
    return ["hero", *(writer.random.choice(inner) for _ in range(writer.random.randint(8, 14) - 2)), "form"]

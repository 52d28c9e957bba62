"""Portolan's own content for build benchmarks: sites of an invented company, the same on every run.

A page has 8 to 14 blocks with a hero first, and the text of a typical services page: 35 kB of HTML on average.
"""

import random
from collections.abc import Iterator
from typing import Any

from .items import Item

WORDS = (
    "harbour pilot chart bearing compass anchor ballast beacon berth buoy cable cargo channel coast course crew current "
    "delta draught estuary fathom ferry fleet fog freight galley gale gauge hawser helm horizon hull inlet island keel "
    "knot lagoon latitude ledger lighthouse lock log longitude manifest marina meridian mooring navigator oar passage pier "
    "plot port quay reef rigging rope route rudder sail salvage sea sextant shoal signal sounding star stern storm "
    "strait survey swell tide timber tonnage trade transit tug vessel voyage watch wave wharf wind yard software platform "
    "service data system delivery design quality team release interface testing cloud engineer product the of and to in a "
    "for with on as by from at we our every each more than is are was can will must not before after while because it"
).split()
ICONS = ("anchor", "cloud", "code", "compass", "cpu", "database", "factory", "gauge", "globe", "lock", "rocket", "ship")
SECTIONS = ("services", "industries", "project-cases", "company")
PICTURES = 12
LOGOS = 6
SEED = 7


class Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311  (content, not secrets)
        self._weights = [1.0 / (rank + 4) ** 0.6 for rank in range(len(WORDS))]

    def sentence(self, shortest: int = 9, longest: int = 20) -> str:
        words = self.random.choices(WORDS, self._weights, k=self.random.randint(shortest, longest))
        return f"{' '.join(words).capitalize()}."

    def title(self, shortest: int = 4, longest: int = 8) -> str:
        return " ".join(self.random.choices(WORDS, k=self.random.randint(shortest, longest))).capitalize()

    def paragraph(self, sentences: int) -> str:
        return " ".join(self.sentence() for _ in range(sentences))


def write_pictures() -> Iterator[Item]:
    """Yield the images of all sites."""
    for number in range(PICTURES):
        yield Item("", "picture", str(number), _picture(number))
    for number in range(LOGOS):
        yield Item("", "picture", f"logo-{number}", _logo(number))


def write_site(site: str, index: int, pages: int) -> Iterator[Item]:
    """Yield all other items of a site, pages last. Pages with the same number are translations of each other."""
    seed = SEED + index
    writer = Writer(seed)
    for number in range(8):
        yield Item(site, "office", f"office-{number}", _office(writer, number))
    yield Item(site, "menu", "main", _menu(writer, pages))
    yield Item(site, "footer", "main", _footer(writer, pages))
    for path in ("/404.html", "/500.html"):
        yield Item(site, "page", f"error{path[1:4]}", _page(writer, path, "error", ["hero"], pages))
    for number in range(pages - 2):
        yield Item(site, "page", f"page-{number}", _numbered_page(number, pages, seed))


def edited_page(_site: str, edit: int, pages: int) -> str:
    """Return the key of the page that an edit changes, never the home page."""
    return f"page-{1 + edit % (pages - 3)}"


def _numbered_page(number: int, pages: int, seed: int) -> Any:
    writer = Writer(seed * 1_000_003 + number)
    path = "/" if number == 0 else f"/{SECTIONS[number % len(SECTIONS)]}/page-{number}"
    kinds = ("rich_text", "rich_text", "rich_text", "stats", "call_to_action", "cards")
    if number % 10 == 0:  # most pages are articles
        kinds = ("rich_text", "cards", "stats", "faq", "logos", "call_to_action")
    blocks = ["hero", *writer.random.choices(kinds, k=writer.random.randint(6, 12)), "call_to_action"]
    return _page(writer, path, "home" if number == 0 else "service", blocks, pages)


def _page(writer: Writer, path: str, template: str, kinds: list[str], pages: int) -> Any:
    title = writer.title()
    blocks = [_block(writer, kind, index, pages) for index, kind in enumerate(kinds)]
    return {
        "path": path,
        "template": template,
        "title": title,
        "head": {"title": f"{title} | {{company}}"[:60], "description": writer.sentence(12, 20)},
        "blocks": blocks,
        "parent": None if path == "/" or template == "error" else "page-0",
        "changed": "2026-11-01T09:00:00+00:00",
        "anchors": [],
        "switcher_hidden": False,
    }


def _block(writer: Writer, kind: str, index: int, pages: int) -> Any:
    choose = writer.random
    own = {"type": kind, "id": f"b{index}", "tone": "navy" if index == 0 else "paper", "anchor": None}
    if kind == "hero":
        actions = [_link(writer, pages)]
        return own | {
            "eyebrow": writer.title(2, 3), "title": writer.title(), "text": writer.paragraph(2), "actions": actions,
            "picture": {"$picture": str(choose.randrange(PICTURES)), "alt": writer.title(3, 5)},
        }  # fmt: skip
    if kind == "rich_text":
        return own | {"html": {"$html": _rich_text(writer, pages)}}
    if kind == "cards":
        cards = [
            {
                "title": writer.title(2, 4), "text": writer.paragraph(1), "icon": choose.choice(ICONS), "picture": None,
                "link": _link(writer, pages),
            }
            for _ in range(choose.choice((3, 6)))
        ]  # fmt: skip
        return own | {"title": writer.title(), "text": writer.sentence(), "cards": cards}
    if kind == "stats":
        values = ("{employees}", "{projects}", "{offices}", f"{choose.randint(80, 99)} %")
        stats = [{"value": value, "caption": writer.title(2, 4)} for value in values]
        return own | {"title": writer.title(), "stats": stats}
    if kind == "faq":
        questions = [
            {"question": f"{writer.title(6, 10)}?", "answer": {"$html": f"<p>{writer.paragraph(3)}</p>"}}
            for _ in range(6)
        ]
        return own | {"title": writer.title(), "questions": questions}
    if kind == "logos":
        logos = [
            {"name": writer.title(1, 2), "picture": {"$picture": f"logo-{choose.randrange(LOGOS)}", "alt": ""}}
            for _ in range(8)
        ]
        return own | {"title": writer.title(), "logos": logos}
    return own | {"title": writer.title(), "text": writer.paragraph(1), "actions": [_link(writer, pages)]}


def _rich_text(writer: Writer, pages: int) -> str:
    parts = []
    for index in range(3):
        if index != 1:
            parts.append(f"<h3>{writer.title()}</h3>")
        key = f"page-{writer.random.randrange(min(100, pages - 2))}"
        parts.append(
            f'<p>{writer.paragraph(2)} <a data-page="{key}">{writer.title(2, 4)}</a> {writer.sentence(6, 10)}</p>'
        )
    parts.append(f"<ul>{''.join(f'<li>{writer.sentence(5, 9)}</li>' for _ in range(3))}</ul>")
    return "".join(parts)


def _link(writer: Writer, pages: int) -> Any:
    target = writer.random.randrange(min(100, pages - 2))
    return {"$page": f"page-{target}", "title": writer.title(2, 4), "anchor": None}


def _menu(writer: Writer, pages: int) -> Any:
    items = [
        {
            "key": f"menu-{number}", "title": writer.title(1, 2), "to": None,
            "submenu": [
                {
                    "title": writer.title(2, 4), "description": writer.sentence(6, 10), "url": _link(writer, pages),
                    "img": None, "linkList": [], "contentType": None, "videos": [],
                }
                for _ in range(8)
            ],
            "parentLink": None, "options": {"theme": "text-links"},
        }
        for number in range(5)
    ]  # fmt: skip
    return {"items": items, "contact": _link(writer, pages)}


def _footer(writer: Writer, pages: int) -> Any:
    groups = [
        {
            "key": f"group-{number}", "title": writer.title(1, 2),
            "links": [{"link": _link(writer, pages), "region": None, "target": None} for _ in range(8)],
        }
        for number in range(5)
    ]  # fmt: skip
    legal = [_link(writer, pages) for _ in range(2)]
    return {"groups": groups, "legal_links": legal, "offices_link": _link(writer, pages)}


def _office(writer: Writer, number: int) -> Any:
    return {
        "order": number,
        "value": {
            "id": f"office-{number}", "city": writer.title(1, 1), "country": "gb", "lat": 50.0 + number, "lng": 1.5,
            "address": f"{writer.random.randint(1, 200)} {writer.title(2, 3)} Street", "phone": f"+44 1632 9600{number:02}",
            "category": {"name": writer.random.choice(("Headquarters", "Development", "Sales")), "icon": "code"},
            "sets": ["default"],
        },
    }  # fmt: skip


def _picture(number: int) -> Any:
    variants = {
        device: _variant(number, device, width)
        for device, width in (("mobile", 400), ("tablet", 800), ("desktop", 1200))
    }
    return {"width": 2400, "height": 1350, "vector": None, "focus": None, **variants}


def _logo(number: int) -> Any:
    none = {"mobile": None, "tablet": None, "desktop": None, "focus": None}
    return {"width": 160, "height": 48, "vector": f"/media/logo-{number}.svg", **none}


def _variant(number: int, device: str, width: int) -> Any:
    files = {
        name: f"/media/p{number:02}-{device}{name[4:]}.{name[:4]}" for name in ("webp", "webp2X", "avif", "avif2X")
    }
    return {"width": width, "height": width * 9 // 16, **files}

"""Find the block or field of a broken link.

Publish checks see HTML, but an editor needs the block.

Every page has the menu and the footer, so a problem in them is reported once instead of for each page.
"""

from collections.abc import Callable, Iterable, Iterator
from html import escape
from typing import Any, Final

import orjson

from ..domain.problems import Block, DeadLink, GoneLink, MissingAnchor, MissingMedia, Problem, Subject, UnusableAddress

_PARTS: Final = {
    "menu": (("menu", "items"), ("contact", "contact")),
    "footer": (
        ("footer", "groups"),
        ("legalLinks", "legal_links"),
        ("officesLink", "offices_link"),
        ("personalData", "personal_data"),
    ),
}
"""Parts of shared data with editors' links, and the fields they come from, by the kind of item."""

ReadBlocks = Callable[[str, str], Iterable[dict[str, Any]]]
"""Returns the blocks of a page by site and path, with references resolved."""


def locate_links(problems: list[Problem], site: str, shared: bytes, read_blocks: ReadBlocks) -> list[Problem]:
    """Return the ``problems`` of a site's pages with their places.

    Problems of a link in the frame become one problem of the frame. Problems of a link in a block get the block and the
    field. ``shared``: the site's shared data.
    """
    if not any(_url(problem) for problem in problems):
        return problems
    frame = dict(_find_frame_links(orjson.loads(shared), site))
    return list(dict.fromkeys(_locate(problem, site, frame, read_blocks) for problem in problems))


def _locate(problem: Problem, site: str, frame: dict[str, Subject], read_blocks: ReadBlocks) -> Problem:
    url = _url(problem)
    if not url or problem.site != site or problem.subject.block:
        return problem
    if url in frame:
        return problem._replace(subject=frame[url])
    for number, block in enumerate(read_blocks(site, problem.subject.path), start=1):
        for field in _find(block, url):
            place = Block(str(block.get("id") or ""), number, str(block.get("type")))
            return problem._replace(subject=problem.subject._replace(block=place, field=field))
    return problem


def _url(problem: Problem) -> str:
    match problem.detail:
        case DeadLink(url) | GoneLink(url) | MissingAnchor(url) | UnusableAddress(url) | MissingMedia(url):
            return url
    return ""


def _find_frame_links(shared: dict[str, Any], site: str) -> Iterator[tuple[str, Subject]]:
    for kind, parts in _PARTS.items():
        for part, field in parts:
            for href, place in _hrefs(shared.get(part), field):
                yield href, Subject(site, kind, "main", field=place)


def _hrefs(value: Any, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        if isinstance(value.get("href"), str):
            yield value["href"], place
        for name, part in value.items():
            yield from _hrefs(part, f"{place}.{name}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _hrefs(part, f"{place}.{index}")


def _find(value: Any, url: str, place: str = "") -> Iterator[str]:
    """Yield the places of the URL: alone, or as the target of a link in rich text."""
    if isinstance(value, dict) and url in (value.get("href"), value.get("url")):
        yield place
    elif isinstance(value, str):
        if value == url or f'href="{escape(url)}"' in value:
            yield place
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from _find(part, url, f"{place}.{name}" if place else name)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _find(part, url, f"{place}.{index}")

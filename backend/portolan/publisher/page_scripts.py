"""List the scripts of a page in the browser, with reasons.

The web build (`web/scripts/weight.ts`) lists all scripts and when they load. The page's HTML shows which ones it needs.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, Self

import brotli
import orjson

from ..domain.html_reader import HtmlReader
from .problem import UsageError


class Script(NamedTuple):
    """A script of the web build."""

    name: str
    source: str
    """Path in the folder ``web``."""
    on: str
    """Selector of the elements that need it: an attribute, perhaps after ``main``. Empty: every page."""
    when: str
    """``paint``, ``load``, ``idle``, ``near``, ``lazy``, ``touch`` or ``wake``."""
    urls: tuple[str, ...]
    """The files it needs."""


class PageScript(NamedTuple):
    script: Script
    elements: int
    """Number of elements that need it; 0 if every page has it."""
    size: int
    """Bytes that it adds to earlier scripts, compressed at best quality."""


class PageScripts(NamedTuple):
    scripts: tuple[PageScript, ...]
    """In loading order."""
    is_of_build: bool
    """True if this web build rendered the page. Otherwise the page has another build's scripts until the next
    publish."""
    untouched: int
    """Bytes loaded when a visitor reads to the end without touching the page."""


UNTOUCHED: Final = frozenset(("paint", "load", "idle", "near", "lazy"))


def find_page_scripts(html: str, dist: Path) -> PageScripts:
    """Return the scripts.

    ``dist``: folder of the web build. Raise UsageError if it is unusable.
    """
    try:
        record = orjson.loads((dist / "web-build.json").read_bytes())
        scripts = [Script(**{**script, "urls": tuple(script["urls"])}) for script in record["scripts"]]
        page = _Elements.of(html, scripts)
        found = tuple(_weigh(((script, page.count(script.on)) for script in scripts), dist))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"There is no usable web build in {dist} ({error}), so the scripts are unknown. Reinstall "
            "Portolan, or set PORTOLAN_WEB_DIST to a build. In a checkout, run `npm run build` in web/."
        ) from error
    untouched = sum(each.size for each in found if each.script.when in UNTOUCHED)
    return PageScripts(found, page.build == record["hash"], untouched)


def _weigh(scripts: Iterable[tuple[Script, int]], dist: Path) -> Iterator[PageScript]:
    """Yield the scripts that the page has, with their sizes."""
    there: set[str] = set()
    for script, elements in scripts:
        if script.on and not elements:
            continue
        new = [url for url in script.urls if url not in there]
        there.update(new)
        yield PageScript(
            script, elements, sum(len(brotli.compress((dist / f"client{url}").read_bytes())) for url in new)
        )


class _Elements(HtmlReader):
    """Counts the elements of a page that match each selector."""

    def __init__(self, selectors: Iterable[str]) -> None:
        super().__init__()
        self.build = ""
        self._counts = dict.fromkeys(selectors, 0)
        self._is_in_main = False

    @classmethod
    def of(cls, html: str, scripts: Iterable[Script]) -> Self:
        page = cls(script.on for script in scripts)
        page.read(html)
        return page

    def count(self, selector: str) -> int:
        return self._counts[selector]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "html":
            self.build = attributes.get("data-build") or ""
        elif tag == "main":
            self._is_in_main = True
        for selector in self._counts:
            place, _, attribute = selector.rpartition(" ")
            name, _, value = attribute.strip("[]").partition("=")
            is_there = name in attributes and value in ("", attributes[name])
            if selector and is_there and (place != "main" or self._is_in_main):
                self._counts[selector] += 1

    def handle_endtag(self, tag: str) -> None:
        if tag == "main":
            self._is_in_main = False

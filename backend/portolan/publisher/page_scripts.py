"""Which scripts a page has in the browser, and why. What there is and when it is fetched says the web build
(`web/scripts/weight.ts`), what a page has it for says its HTML.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple, Self

import brotli
import orjson

from ..domain.html_reader import HtmlReader
from .problem import UsageError


class Script(NamedTuple):
    """Code of the web build."""

    name: str
    source: str
    """Path in the folder ``web``."""
    on: str
    """Selector of the elements that a page has it for: an attribute, perhaps with ``main`` in front. Empty: every page."""
    when: str
    """``paint``, ``load``, ``idle``, ``near``, ``lazy``, ``touch`` or ``wake``."""
    urls: tuple[str, ...]
    """The files it needs."""


class PageScript(NamedTuple):
    script: Script
    elements: int
    """How many of the page's elements it is there for; 0 where it is there for none of them, but on every page."""
    size: int
    """Bytes that it adds to what comes before it, compressed at best quality."""


class PageScripts(NamedTuple):
    scripts: tuple[PageScript, ...]
    """In the order in which they come."""
    is_of_build: bool
    """Whether the page was rendered with this web build: if not, it has scripts of another one, until it is published."""
    untouched: int
    """Bytes of what comes while nobody touches anything, the page read to its end."""


UNTOUCHED: Final = frozenset(("paint", "load", "idle", "near", "lazy"))


def find_page_scripts(html: str, dist: Path) -> PageScripts:
    """``dist``: folder of the web build. Raises UsageError where there is none."""
    try:
        record = orjson.loads((dist / "web-build.json").read_bytes())
        scripts = [Script(**{**script, "urls": tuple(script["urls"])}) for script in record["scripts"]]
        page = _Elements.of(html, scripts)
        found = tuple(_weigh(((script, page.count(script.on)) for script in scripts), dist))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"What scripts there are is not known: there is no usable web build in {dist} ({error}). Reinstall "
            "Portolan, or set PORTOLAN_WEB_DIST to a build. In a checkout, run `npm run build` in web/."
        ) from error
    untouched = sum(each.size for each in found if each.script.when in UNTOUCHED)
    return PageScripts(found, page.build == record["hash"], untouched)


def _weigh(scripts: Iterable[tuple[Script, int]], dist: Path) -> Iterator[PageScript]:
    """Of the scripts that are there."""
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
    """Counts the elements of a page that a selector is about."""

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

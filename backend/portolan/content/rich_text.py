"""Convert Wagtail's rich text to the form in a release (``$html`` of ``domain.references``).

The HTML is parsed and built again with only the tags in the lists below.
"""

import re
from collections.abc import Mapping
from html import escape
from typing import Final
from urllib.parse import urlsplit

from ..domain.html_reader import HtmlReader
from ..domain.references import DELETED_PAGE

FEATURES: Final = ("h2", "h3", "h4", "bold", "italic", "ol", "ul", "link", "blockquote", "code", "hr")
"""The editor's toolbar: exactly the tags that are kept below."""

_TAGS: Final = {
    **{tag: tag for tag in ("h2", "h3", "h4", "p", "ul", "ol", "li", "strong", "em", "blockquote", "code")},
    "b": "strong",
    "i": "em",
}
_VOID: Final = ("br", "hr")
_BLOCKS: Final = ("h2", "h3", "h4", "p", "ul", "ol", "blockquote", "hr")
_WITH_CONTENT_DROPPED: Final = (
    "script style iframe object embed template noscript svg math form textarea select title".split()
)
_DROPPED_EMPTY: Final = ("p", "h2", "h3", "h4", "li", "blockquote", "strong", "em")
_SCHEMES: Final = ("http", "https", "mailto", "tel")
_LINK: Final = re.compile(r"<a\b[^>]*>")
_ID: Final = re.compile(r'\bid="([0-9]{1,18})"')
_PAGE_ID: Final = re.compile("[0-9]{1,18}")
_UNSHOWABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
"""Control characters and half characters, which a UTF-8 file cannot contain."""
_ANCHOR: Final = re.compile(r"^[a-z][a-z0-9-]*$")


def snapshot_html(source: str, pages: Mapping[int, str]) -> str:
    """Return clean HTML in which links to pages are ``<a data-page="KEY" data-anchor="A">``.

    ``pages`` maps IDs of pages to translation keys. A missing page becomes the key ``deleted-page-<id>``, which has no
    target, so that the broken link is reported.
    """
    cleaner = _Cleaner(pages)
    cleaner.read(drop_unshowable(source))
    cleaner.close_to(0)
    return "".join(cleaner.parts)


def drop_unshowable(text: str) -> str:
    """Return `text` without characters that are valid only in JSON, e.g. half of an emoji."""
    return _UNSHOWABLE.sub("", text)


def find_page_ids(source: str) -> set[int]:
    """Return the IDs of pages that a stored rich text links to."""
    links = _LINK.findall(source[: source.rfind(">") + 1])  # cut, so that every link in it has an end
    return {int(match[1]) for link in links if ' linktype="page"' in link and (match := _ID.search(link))}


def find_hrefs(source: str) -> list[str]:
    """Return the URLs typed into links of a stored rich text."""
    finder = _HrefFinder()
    finder.read(source)
    return finder.hrefs


def is_allowed_url(url: str) -> bool:
    """Return whether a link may have this target: web, e-mail, phone, or our own path or anchor."""
    if re.search(r"[\x00-\x20\x7f\\]", url):
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    if parts.scheme:
        return parts.scheme in _SCHEMES and bool(parts.netloc if parts.scheme.startswith("http") else parts.path)
    return not parts.netloc and url.startswith(("/", "#"))


class _HrefFinder(HtmlReader):
    def __init__(self) -> None:
        super().__init__()
        self.hrefs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a" and "linktype" not in given:
            self.hrefs.append(given.get("href") or "")


class _Cleaner(HtmlReader):
    """Build clean HTML. Empty elements are removed when they close, in one pass, so that deep nesting stays cheap."""

    def __init__(self, pages: Mapping[int, str]) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._pages = pages
        self._open: list[str] = []
        self._levels: dict[str, list[int]] = {}
        """Positions of each element in `_open`, by name."""
        self._starts: list[int] = []
        """Where in the parts each open element begins."""
        self._filled_to = 0
        """Up to where the parts hold something to be seen."""
        self._dropping: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._dropping or tag in _WITH_CONTENT_DROPPED:
            if tag in _WITH_CONTENT_DROPPED and tag != "embed":  # embed has no end tag
                self._dropping.append(tag)
        elif tag in _VOID:
            if tag in _BLOCKS:
                self._close_paragraph()
            self._add(f"<{tag}>")
        elif tag == "a":
            self._start_link(dict(attrs))
        elif name := _TAGS.get(tag):
            if name in _BLOCKS:
                self._close_paragraph()
            self._start(name, f"<{name}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._dropping:
            if tag == self._dropping[-1]:
                self._dropping.pop()
            return
        if levels := self._levels.get("a" if tag == "a" else _TAGS.get(tag, "")):
            self.close_to(levels[-1])

    def handle_data(self, data: str) -> None:
        if not self._dropping:
            self._add(escape(data, quote=False))

    def close_to(self, depth: int) -> None:
        while len(self._open) > depth:
            name, start = self._open.pop(), self._starts.pop()
            self._levels[name].pop()
            if name in _DROPPED_EMPTY and self._filled_to <= start:
                del self.parts[start:]
            else:
                self._add(f"</{name}>")

    def _start(self, name: str, tag: str) -> None:
        self._levels.setdefault(name, []).append(len(self._open))
        self._open.append(name)
        self._starts.append(len(self.parts))
        self.parts.append(tag)

    def _add(self, part: str) -> None:
        self.parts.append(part)
        if not part.isspace():
            self._filled_to = len(self.parts)

    def _close_paragraph(self) -> None:
        """Close an open paragraph or heading, because it cannot contain block elements."""
        if open := [levels[0] for name in ("p", "h2", "h3", "h4") if (levels := self._levels.get(name))]:
            self.close_to(min(open))

    def _start_link(self, attrs: dict[str, str | None]) -> None:
        if levels := self._levels.get("a"):
            self.close_to(levels[0])
        if attrs.get("linktype") == "page" and _PAGE_ID.fullmatch(id_ := attrs.get("id") or ""):
            key = self._pages.get(int(id_), f"{DELETED_PAGE}{id_}")
            anchor = attrs.get("anchor") or ""
            self._start(
                "a",
                f'<a data-page="{escape(key)}" data-anchor="{anchor}">'
                if _ANCHOR.match(anchor)
                else f'<a data-page="{escape(key)}">',
            )
        elif "linktype" not in attrs and is_allowed_url(href := (attrs.get("href") or "").strip()):
            self._start("a", f'<a href="{escape(href)}">')

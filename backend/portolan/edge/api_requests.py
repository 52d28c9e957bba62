"""Which ready reply a request for the content API asks for. Pure: two requests with equal keys get equal replies."""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

from ..domain.content_api import API_PREFIX, API_VERSION, FALLBACK_SITE, READS, Read
from ..domain.languages import choose_site_by_language

_LONGEST_QUERY: Final = 200
_REMEMBERED: Final = 1024
_KEY: Final = re.compile(rb"[A-Za-z0-9._/-]{1,200}")
"""Country codes and page keys; what else a header holds is for the API to refuse."""
_VALUE: Final = re.compile(r"[A-Za-z0-9]{1,9}")


class ApiKey(NamedTuple):
    site: str
    path: str
    values: tuple[str | None, ...]
    """Of the headers and query parameters that the read depends on, in the table's order."""


class ApiRequests:
    """Reads keys off requests. ``languages`` maps sites to language tags, in the registry's order."""

    def __init__(self, languages: Mapping[str, str]) -> None:
        self._languages = languages
        self._fallback = FALLBACK_SITE if FALLBACK_SITE in languages else None
        self._by_segments = _by_segments()
        self._sites: dict[tuple[bytes, str | None], str | None] = {}
        self._reads: dict[str, Read | None] = {}

    def key(self, scope: Any, host_site: str | None, path: str) -> ApiKey | None:
        """The key of a request for a read that is well-formed; none where only the API itself can tell."""
        if scope["method"] not in ("GET", "HEAD"):
            return None
        read = self._read(path)
        if read is None:
            return None
        language = b""
        given: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name == b"accept-language":
                language = value
            elif name == b"api-version":
                if value != _VERSION:
                    return None
            elif name in _HEADERS:
                given[name] = value
        site = self._site(language, host_site)
        if site is None:
            return None
        if not read.headers and not read.query:
            return ApiKey(site, path, ())
        values: list[str | None] = []
        for header in read.headers:
            raw = given.get(header.lower().encode())
            if raw is not None and not _KEY.fullmatch(raw):
                return None
            values.append(None if raw is None else raw.decode() if header == "Page-Key" else raw.decode().lower())
        if read.query:
            query = _read_query(read, scope["query_string"])
            if query is None:
                return None
            values += query
        return ApiKey(site, path, tuple(values))

    def _read(self, path: str) -> Read | None:
        if path not in self._reads:
            if len(self._reads) >= _REMEMBERED:
                self._reads.clear()
            self._reads[path] = self._find(path.removeprefix(API_PREFIX).split("/"))
        return self._reads[path]

    def _find(self, segments: list[str]) -> Read | None:
        if not all(segments):
            return None
        for pattern, read in self._by_segments.get(len(segments), ()):
            if all(part is None or part == segment for part, segment in zip(pattern, segments, strict=True)):
                return read
        return None

    def _site(self, language: bytes, host_site: str | None) -> str | None:
        key = (language, host_site)
        if key not in self._sites:
            if len(self._sites) >= _REMEMBERED:
                self._sites.clear()
            chosen = choose_site_by_language(language.decode("latin-1"), self._languages)
            self._sites[key] = chosen or host_site or self._fallback
        return self._sites[key]


_VERSION: Final = API_VERSION.encode()
_HEADERS: Final = frozenset(header.lower().encode() for read in READS for header in read.headers)


def _by_segments() -> dict[int, list[tuple[list[str | None], Read]]]:
    """Reads by how many segments their path has; a variable one is None."""
    found: dict[int, list[tuple[list[str | None], Read]]] = {}
    for read in READS:
        pattern = [None if segment.startswith("{") else segment for segment in read.path.split("/")]
        found.setdefault(len(pattern), []).append((pattern, read))
    return found


def _read_query(read: Read, raw: bytes) -> list[str | None] | None:
    """Values of the parameters that matter; none where one stands twice or cannot be right."""
    if not raw:
        return [None] * len(read.query)
    if len(raw) > _LONGEST_QUERY:
        return None
    given: dict[str, str] = {}
    for name, value in parse_qsl(raw.decode("latin-1"), keep_blank_values=True):
        if name in read.query:
            if name in given or not _VALUE.fullmatch(value):
                return None
            given[name] = value
    return [given.get(name) for name in read.query]

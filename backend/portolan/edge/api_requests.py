"""Compute the cache key of a content API request, and the request to Django for a key.

The request to Django is built from the key alone, so requests with equal keys get equal replies.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

from ..domain.content_api import API_PREFIX, API_VERSION, READ_IN_SCOPE, READS, SITE_IN_SCOPE, Read
from ..domain.countries import COUNTRIES
from ..domain.languages import SiteLanguages

_LONGEST_QUERY: Final = 200
_LONGEST_VALUE: Final = 200
"""Longest country codes and page keys. The API rejects longer ones."""
_LONGEST_NUMBER: Final = 9
_REMEMBERED: Final = 1024
_REMEMBERED_BYTES: Final = 100


class ApiKey(NamedTuple):
    site: str
    path: str
    values: tuple[str | None, ...]
    """Values of the headers and query parameters that the read depends on, in the order of ``READS``."""


class ApiRequests:
    """Computes keys. ``languages`` maps sites to language tags, in the order of the site configuration."""

    def __init__(self, languages: Mapping[str, str]) -> None:
        self._choice = SiteLanguages(languages)
        self._by_segments = _by_segments()
        self._sites: dict[tuple[bytes, str | None], str] = {}
        self._reads: dict[str, Read | None] = {}

    def site(self, scope: Any, host_site: str | None) -> str:
        """Return the site of a request. A repeated header is one list (RFC 9110, section 5.3)."""
        language = b",".join(value for name, value in scope["headers"] if name == b"accept-language")
        key = (language, host_site)
        site = self._sites.get(key)
        if site is None:
            site = self._choice.choose(language.decode("latin-1"), host_site)
            if len(language) <= _REMEMBERED_BYTES:
                if len(self._sites) >= _REMEMBERED:
                    self._sites.clear()
                self._sites[key] = site
        return site

    def key(self, scope: Any, site: str, path: str) -> ApiKey | None:
        """Return the key of a read, or None if only the API can answer the request."""
        read = self._read(path)
        if read is None:
            return None
        given: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name in _HEADERS:
                given[name] = given[name] + b"," + value if name in given else value
        if given.get(b"api-version", _VERSION) != _VERSION:
            return None
        if not read.headers and not read.query:
            return ApiKey(site, path, ())
        values: list[str | None] = []
        for header in read.headers:
            raw = given.get(header.lower().encode())
            if raw is not None and len(raw) > _LONGEST_VALUE:
                return None
            values.append(raw if raw is None else _spell(header, raw.decode("latin-1")))
        if read.query:
            query = _read_query(read, scope["query_string"])
            if query is None:
                return None
            values += query
        return ApiKey(site, path, tuple(values))

    def question(self, key: ApiKey, origin: str) -> dict[str, Any]:
        """Return the ASGI request for a key. ``origin``: of the key's site."""
        read = self._read(key.path)
        assert read is not None, f"{key.path} is no read and has no key"
        scheme, _, host = origin.partition("://")
        headers = [(b"host", host.encode("ascii"))]
        for header, value in zip(read.headers, key.values, strict=False):
            if value is not None:
                headers.append((header.lower().encode(), value.encode("latin-1")))
        query = zip(read.query, key.values[len(read.headers) :], strict=True)
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": scheme,
            "path": key.path,
            "raw_path": quote(key.path).encode(),
            "query_string": urlencode([pair for pair in query if pair[1] is not None]).encode(),
            "root_path": "",
            "headers": headers,
            "client": None,
            "server": None,
            SITE_IN_SCOPE: key.site,
            READ_IN_SCOPE: True,
        }

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


_VERSION: Final = API_VERSION.encode()
_COUNTRY: Final = frozenset({"Country-Code", "countryCode"})
_NUMBERS: Final = frozenset({"page", "perPage", "more"})
_HEADERS: Final = frozenset({b"api-version", *(header.lower().encode() for read in READS for header in read.headers)})


def _by_segments() -> dict[int, list[tuple[list[str | None], Read]]]:
    """Return the reads by number of path segments. A variable segment is None."""
    found: dict[int, list[tuple[list[str | None], Read]]] = {}
    for read in READS:
        pattern = [None if segment.startswith("{") else segment for segment in read.path.split("/")]
        found.setdefault(len(pattern), []).append((pattern, read))
    return found


def _spell(name: str, value: str) -> str:
    """Return the normal form of a value, so that equal meanings have equal keys.

    A wrong value stays as it is, because the API's error repeats it.
    """
    if name in _COUNTRY:
        code = value.strip().lower()
        return code if code in COUNTRIES else value
    if name in _NUMBERS and value.isascii() and value.isdigit() and len(value) <= _LONGEST_NUMBER:
        return str(int(value))
    return value


def _read_query(read: Read, raw: bytes) -> list[str | None] | None:
    """Return the relevant parameters, or ``None`` if one is repeated or cannot be decoded."""
    if not raw:
        return [None] * len(read.query)
    if len(raw) > _LONGEST_QUERY or not raw.isascii():
        return None
    given: dict[str, str] = {}
    for name, value in parse_qsl(raw.decode("ascii"), keep_blank_values=True):
        if name in read.query:
            if name in given:
                return None
            given[name] = _spell(name, value)
    return [given.get(name) for name in read.query]

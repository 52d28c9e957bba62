"""The visitor's country: two letters in a cookie for at most a day (decisions: Visitor's country).

Sources are the cookie, then a header of a trusted proxy, then a file that maps networks to countries. The client's
address is only used for this and is not stored.
"""

import logging
import re
import threading
import time
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import parse_qsl

from starlette.types import Scope

from ..domain.countries import COUNTRIES
from .clients import Clients

COOKIE: Final = b"country_code"
MAX_AGE_S: Final = 24 * 60 * 60
_ALSO_KNOWN_AS: Final = {"uk": "gb"}
_LONGEST_QUERY: Final = 2048
_LOOK_EVERY_S: Final = 60
_MISSING: Final = (0, 0)

_log = logging.getLogger(__name__)


class CountryDatabase(Protocol):
    """Networks and their countries."""

    def country(self, address: str) -> str | None: ...


def read_country(text: str) -> str | None:
    """Return a country's code in lower case from a cookie, header or file, or ``None`` if it is not a country.

    >>> read_country("DE"), read_country("UK"), read_country("XX"), read_country("T1"), read_country("<script>")
    ('de', 'gb', None, None, None)
    """
    code = text.strip().lower()
    code = _ALSO_KNOWN_AS.get(code, code)
    return code if code in COUNTRIES else None


class CountryFile:
    """A MaxMind file (MMDB) that an operator provides. It is read again when it changes.

    If the new file is unreadable, the previous one stays in use and the error is logged once.
    """

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._clock = clock
        self._lock = threading.Lock()
        self._reader: Any = None
        self._seen: tuple[int, int] | None = None
        self._looked = float("-inf")

    def country(self, address: str) -> str | None:
        reader = self._current()
        if reader is None:
            return None
        try:
            parsed = ip_address(address)
            found = reader.get(getattr(parsed, "ipv4_mapped", None) or parsed)
        except ValueError:  # not an address, or of a family that the file lacks
            return None
        code = found.get("country", {}).get("iso_code") if isinstance(found, dict) else None
        return read_country(code) if isinstance(code, str) else None

    def _current(self) -> Any:
        now = self._clock()
        if now - self._looked >= _LOOK_EVERY_S:
            with self._lock:
                self._looked = now
                self._look()
        return self._reader

    def _look(self) -> None:
        import maxminddb  # here, because few installations have such a file

        try:
            status = self._path.stat()
            seen = (status.st_ino, status.st_mtime_ns)
        except OSError:
            seen = _MISSING
        if seen == self._seen:
            return
        self._seen = seen
        try:
            self._reader = maxminddb.open_database(self._path, maxminddb.MODE_AUTO)
        except (OSError, ValueError, maxminddb.InvalidDatabaseError) as error:
            _log.error("%s cannot be used to find visitors' countries: %s", self._path, error)


class VisitorCountry:
    """Decides whether a reply sets the cookie, and to which country.

    ``header``: name of the trusted proxies' header. ``override``: accept ``?country=xx``.
    """

    def __init__(self, clients: Clients, header: str, database: CountryDatabase | None, *, override: bool) -> None:
        self._clients = clients
        self._header = header.lower().encode("latin-1")
        self._database = database
        self._override = override

    def set_cookie(self, scope: Scope, secure: bool, named_by_cdn: bool = False) -> bytes | None:
        """Return the ``Set-Cookie`` of an HTML reply; None if it is set already or the country is unknown.

        ``secure``: visitors use https, also if the proxy uses http. ``named_by_cdn``: the CDN sets the
        cookie, so that its cached replies are the same for all visitors.
        """
        wanted = self._overridden(scope["query_string"]) if self._override and scope["query_string"] else None
        known = _cookie(scope)
        if wanted is None:
            if known is not None or named_by_cdn:
                return None
            wanted = self._find(scope)
        if wanted is None or wanted == known:
            return None
        attributes = b"; Secure" if secure else b""
        return b"%s=%s; Max-Age=%d; Path=/; SameSite=Lax%s" % (COOKIE, wanted.encode(), MAX_AGE_S, attributes)

    def _find(self, scope: Scope) -> str | None:
        if self._header and self._clients.is_behind_proxy(scope):
            for name, value in scope["headers"]:
                if name == self._header:
                    return read_country(value.decode("latin-1"))
        return self._database.country(self._clients.address(scope)) if self._database else None

    def _overridden(self, query: bytes) -> str | None:
        if len(query) > _LONGEST_QUERY:
            return None
        given = [value for name, value in parse_qsl(query.decode("latin-1")) if name == "country"]
        return read_country(given[-1]) if given else None


def _cookie(scope: Scope) -> str | None:
    """Return the country in the request's cookies if it is valid."""
    for name, value in scope["headers"]:
        if name == b"cookie":
            found = _IN_COOKIES.search(value)
            if found:
                return read_country(found[1].decode("latin-1"))
    return None


_IN_COOKIES: Final = re.compile(rb"(?:^|;)[ 	]*%s=([^;]{0,20})" % COOKIE)

"""Serve the files of a live site: the best copy that the client accepts, with its headers."""

from hashlib import blake2b
from typing import Final

from ..builds.compress import SMALLEST_BYTES, compress_in_passing, is_worth_a_copy
from ..builds.integrity import is_intact, restore
from ..builds.manifest import Carried, File
from ..builds.store import ContentStore
from ..domain.cdn import CdnRules, kept_headers
from ..domain.routes import OFFLINE_PAGE
from .encodings import Coding
from .headers import NO_STORE, Headers, find_asset_kind
from .live_sites import LiveSite
from .replies import Reply, ReplyCache

_LOOK_FOR_BETTER_S: Final = 2
"""Seconds after which a better compressed copy may exist."""

_MOST_IN_PASSING: Final = 200_000
"""Bytes that are compressed during a request: 1 ms. Pages and their data are smaller by far."""


REPAIRED_WITHIN_S: Final = b"5"
"""Seconds for ``Retry-After`` in replies about a damaged file."""


class DamagedFileError(Exception):
    """A file of a live build and its compressed copies are missing or damaged."""

    def __init__(self, file: File | Carried, path: str, status: int) -> None:
        super().__init__(f"{path} of a live build is damaged. The publisher renders it again.")
        self.file = file
        self.path = path
        """Path of the requested URL, or of an error page."""
        self.status = status
        """Status of the reply."""


class SiteFiles:
    """Replies with the files of live sites, from memory if possible."""

    def __init__(self, store: ContentStore, cache: ReplyCache) -> None:
        self._store = store
        self._cache = cache

    def reply(
        self,
        site: LiveSite,
        path: str,
        codings: tuple[Coding, ...],
        now: float,
        status: int = 200,
        is_exact: bool = False,
    ) -> Reply | None:
        """Return the reply with the file at ``path``, or ``None`` if the site lacks it.

        Raise DamagedFileError if the manifest has the file but it cannot be read undamaged. ``is_exact``: the request
        has the spelling that a CDN may cache.
        """
        file = site.file(path)
        if file is None:
            return None
        asset = find_asset_kind(path)
        kept = site.cdn if status == 200 and asset is None and is_exact else None
        # CDN headers include the path, so equal files at two paths have two replies.
        named = (site.manifest.site, path, kept) if kept else None
        key = (file, codings, status, site.headers, path.startswith(_ERROR_PAGES), asset, named)
        reply = self._cache.get(key, now)
        if reply is None:
            reply = self._build(site, path, file, codings, now, status, kept)
            self._cache.add(key, reply)
        return reply

    def _build(
        self,
        site: LiveSite,
        path: str,
        file: File | Carried,
        codings: tuple[Coding, ...],
        now: float,
        status: int,
        kept: CdnRules | None,
    ) -> Reply:
        compressible = is_worth_a_copy(file)
        found = self._representation(file, codings if compressible else (None,))
        if found is None:
            raise DamagedFileError(file, path, status)
        coding, body, best = found
        headers: Headers = [(b"content-type", file.content_type.encode("latin-1"))]
        if coding:
            headers.append((b"content-encoding", coding.encode("ascii")))
        if compressible:
            headers.append((b"vary", b"accept-encoding"))
        own = self._site_headers(site, path, file, status)
        headers += _for_cdn(own, kept, site.manifest.site, path) if kept else own
        tag = etag = b""
        if status == 200:
            tag = b'"' + file.digest[:16].encode("ascii")
            etag = tag + (b"-" + blake2b(body, digest_size=4).hexdigest().encode("ascii") if coding else b"") + b'"'
        reply = Reply(status, headers, body, tag=tag, etag=etag)
        if not best:
            reply.valid_until = now + _LOOK_FOR_BETTER_S
        return reply

    def _representation(self, file: File | Carried, codings: tuple[Coding, ...]) -> tuple[Coding, bytes, bool] | None:
        """Return the first accepted copy that is stored and undamaged, and whether it is final, or None.

        If no copy is stored, after a reframe of thousands of pages or a publish with ``--brotli 0``, compress one during
        the request. The most requested files are then compressed first.
        """
        for number, coding in enumerate(codings):
            body = self._store.read(file.digest, coding)
            if body is None or not is_intact(body, file, coding):
                continue
            if number == 0:
                return coding, body, coding is None or self._store.has_best_copy(file.digest, coding)
            if coding is None and SMALLEST_BYTES <= file.size <= _MOST_IN_PASSING and (wanted := codings[0]):
                return wanted, compress_in_passing(body, wanted), False
            return coding, body, False
        body = restore(self._store, file)
        return None if body is None else (None, body, False)

    def _site_headers(self, site: LiveSite, path: str, file: File | Carried, status: int) -> Headers:
        asset = find_asset_kind(path)
        if asset is not None:
            return site.headers.of_asset(asset)
        if not file.content_type.startswith("text/html"):
            return list(site.headers.data)
        headers = list(site.headers.page)
        if status >= 500:
            headers = [(name, NO_STORE if name == b"cache-control" else value) for name, value in headers]
        if status == 503:
            headers.append((b"retry-after", REPAIRED_WITHIN_S))
        if path in _ERROR_PAGES and not any(name == b"x-robots-tag" for name, _ in headers):
            headers.append((b"x-robots-tag", b"noindex"))
        return headers


def _for_cdn(headers: Headers, rules: CdnRules, site: str, path: str) -> Headers:
    kept = [(name.encode("ascii"), value.encode("ascii")) for name, value in kept_headers(rules, site, path)]
    return [*kept, *(header for header in headers if header[0] != b"cache-control")]


NOT_FOUND_PAGE: Final = "/404.html"
FAILED_PAGE: Final = "/500.html"
_ERROR_PAGES: Final = (NOT_FOUND_PAGE, FAILED_PAGE, OFFLINE_PAGE)

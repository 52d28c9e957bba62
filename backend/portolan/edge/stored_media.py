"""Fetch media that this machine has no copy of at the first request.

A video is forwarded from the storage until its copy is complete, so that no visitor waits for the whole file.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from starlette.types import Scope, Send

from ..builds.manifest import BuildError
from ..builds.media_copies import LARGE_BYTES, MediaCopies, MediaOrigin
from ..builds.media_lists import MediaFile
from ..builds.store import SUFFIXES
from .headers import NOINDEX
from .media import media_headers, media_tag
from .plain_replies import build_text
from .ranges import RangedReply
from .replies import NOTHING, Reply

_AT_ONCE: Final = 8
_MOST_WAITING: Final = 256
_FILMS_AT_ONCE: Final = 2
_SAY_AGAIN_S: Final = 60.0
_LEFT_ALONE_S: Final = 30.0
"""Seconds until a missing file is requested again."""
_MOST_REMEMBERED: Final = 4096
_PART_BYTES: Final = 1 << 20

_AWAY: Final = build_text(503, "This file cannot be fetched now. Try again in a moment.", (b"retry-after", b"5"))

_log = logging.getLogger(__name__)


class StoredMedia:
    """Fetches media for one process."""

    def __init__(self, copies: MediaCopies, origin: MediaOrigin | None = None) -> None:
        """``origin``: the storage of files that this machine lacks, if there is one."""
        self._copies = copies
        self._origin = origin
        self._turn = asyncio.Semaphore(_AT_ONCE)
        self._coming: dict[str, asyncio.Task[Reply | _Film | None]] = {}
        self._films: dict[str, asyncio.Task[None]] = {}
        self._absent: dict[str, float] = {}
        self._said_at = float("-inf")

    @property
    def folders(self) -> Sequence[Path]:
        """Return the folders of files and copies on this machine."""
        return self._copies.folders

    async def bring(self, name: str, now: float, noindex: bool = False) -> Reply | None:
        """Fetch a file. Return None if it is here now or nowhere, else the reply: a video, or 503."""
        if self._origin is None or self._absent.get(name, now) > now:
            return None
        file = self._origin.find(name) if self._origin.is_near else None
        if self._origin.is_near and file is None:
            return None
        if name not in self._coming:
            if len(self._coming) >= _MOST_WAITING:
                return _AWAY
            self._coming[name] = asyncio.create_task(self._bring(self._origin, name, file, now))
            self._coming[name].add_done_callback(lambda _: self._coming.pop(name, None))
        found = await asyncio.shield(self._coming[name])
        return PassedFilm(found, noindex) if isinstance(found, _Film) else found

    async def _bring(
        self, origin: MediaOrigin, name: str, known: MediaFile | None, now: float
    ) -> "Reply | _Film | None":
        try:
            async with self._turn:
                file = known or await asyncio.to_thread(origin.find, name)
                if file is None:
                    self._note_absent(name, now)
                    return None
                film = _Film(origin, name, file)
                if file.size > LARGE_BYTES:
                    self._begin_copy(film)
                    return film
                await asyncio.to_thread(self._copy, film)
                return None
        except (BuildError, OSError) as error:
            if now - self._said_at >= _SAY_AGAIN_S:
                self._said_at = now
                _log.error("%s", error)
            return _AWAY

    def _copy(self, file: "_Film") -> None:
        if file.name.endswith(".svg"):  # compressed copies first, because a request for the SVG looks for them
            for suffix in SUFFIXES.values():
                with suppress(FileNotFoundError):
                    if beside := file.origin.find(file.name + suffix):
                        self._copies.bring(file.origin, file.name + suffix, beside)
        self._copies.bring(*file)

    def _note_absent(self, name: str, now: float) -> None:
        if len(self._absent) >= _MOST_REMEMBERED:
            self._absent.clear()
        self._absent[name] = now + _LEFT_ALONE_S

    def _begin_copy(self, film: "_Film") -> None:
        if film.name not in self._films and len(self._films) < _FILMS_AT_ONCE:
            self._films[film.name] = asyncio.create_task(self._copy_film(film))
            self._films[film.name].add_done_callback(lambda _: self._films.pop(film.name, None))

    async def _copy_film(self, film: "_Film") -> None:
        try:
            await asyncio.to_thread(self._copies.bring, *film, wait=False)
        except (BuildError, OSError) as error:
            _log.error("%s", error)


class _Film(NamedTuple):
    origin: MediaOrigin
    name: str
    file: MediaFile


class PassedFilm(RangedReply):
    """A video or another large file, forwarded from its storage."""

    __slots__ = ("_film",)

    def __init__(self, film: _Film, noindex: bool) -> None:
        headers = media_headers(PurePosixPath(film.name).suffix.lower())
        tag = media_tag(film.file.changed_ns, film.file.size)
        super().__init__([*headers, NOINDEX] if noindex else headers, "", film.file.size, tag)
        self._film = film

    async def send(self, scope: Scope, if_none_match: bytes, send: Send, cookie: bytes | None = None) -> None:
        if scope["method"] == "HEAD" or self.tag in if_none_match or self._wanted(scope) is not True:
            await super().send(scope, if_none_match, send, cookie)
        else:
            await send(self.start)
            await self._send_bytes(0, self._film.file.size - 1, send)

    async def _send_bytes(self, first: int, last: int, send: Send) -> None:
        at, (origin, name, file) = first, self._film
        while at <= last:
            end = min(at + _PART_BYTES, last + 1)
            data = await asyncio.to_thread(origin.read, name, file, at, end)
            await send({"type": "http.response.body", "body": data, "more_body": True})
            at = end
        await send(NOTHING)

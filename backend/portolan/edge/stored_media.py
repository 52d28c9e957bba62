"""Media that this machine has no copy of: brought from where it is kept when somebody asks for it. A film is passed on from
there until its copy is here, so that nobody waits for all of it.
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
"""What is not kept there is asked for again after this time at the earliest."""
_MOST_REMEMBERED: Final = 4096
_PART_BYTES: Final = 1 << 20

_AWAY: Final = build_text(503, "This file cannot be fetched right now. Ask again in a moment.", (b"retry-after", b"5"))

_log = logging.getLogger(__name__)


class StoredMedia:
    """For one process."""

    def __init__(self, copies: MediaCopies, origin: MediaOrigin | None = None) -> None:
        """``origin``: where files come from that are not here; without one, what is here is all there is."""
        self._copies = copies
        self._origin = origin
        self._turn = asyncio.Semaphore(_AT_ONCE)
        self._coming: dict[str, asyncio.Task[Reply | _Film | None]] = {}
        self._films: dict[str, asyncio.Task[None]] = {}
        self._absent: dict[str, float] = {}
        self._said_at = float("-inf")

    @property
    def folders(self) -> Sequence[Path]:
        """Where files and copies are on this machine."""
        return self._copies.folders

    async def bring(self, name: str, now: float, noindex: bool = False) -> Reply | None:
        """None where its file is here now, or is kept nowhere. Otherwise what to answer: a film, or that the store is away."""
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
        if file.name.endswith(".svg"):  # its compressed copies first: whoever finds the drawing looks for them
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
    """A film, or another large file, from where it is kept."""

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

"""``/media/``: images and documents that editors uploaded. Their content is never executed."""

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from ..builds.store import SUFFIXES
from ..domain.media_addresses import MEDIA, read_media_name
from .encodings import Coding
from .headers import HARMLESS, IMMUTABLE, NOINDEX, REFERRER, Headers
from .ranges import RangedReply
from .replies import Reply

PREFIX: Final = MEDIA

_IN_MEMORY_BYTES: Final = 256 << 10
_LOOK_AGAIN_S: Final = 60
"""Seconds to cache. A name is never reused, but an editor can delete a file."""

_SHOWN: Final = {
    ".avif": b"image/avif",
    ".gif": b"image/gif",
    ".ico": b"image/x-icon",
    ".jpeg": b"image/jpeg",
    ".jpg": b"image/jpeg",
    ".mp4": b"video/mp4",
    ".png": b"image/png",
    ".svg": b"image/svg+xml",
    ".webm": b"video/webm",
    ".webp": b"image/webp",
}
"""Types that browsers show. All other files are downloaded."""
_COMPRESSED: Final = (".svg",)
_PLAYED: Final = (".mp4", ".webm")
_DOWNLOADED: Final = {".pdf": b"application/pdf"}
MEDIA_TYPES: Final = {**_SHOWN, **_DOWNLOADED}
"""Types by suffix. All other files are ``application/octet-stream``."""
_DRAWN: Final = (
    b"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_SANDBOX: Final = (b"content-security-policy", b"sandbox; " + _DRAWN)
_ITSELF_ALONE: Final = (b"content-security-policy", _DRAWN + b"; media-src 'self'")
"""For videos: a browser opens a video's URL in its own player, which could not load the file in a sandbox."""


def read_media(
    folders: Iterable[Path], path: str, codings: tuple[Coding, ...], now: float, noindex: bool = False
) -> Reply | None:
    """Return the reply for a decoded path under PREFIX from the first folder that has the file, or None.

    ``noindex`` asks search engines not to list it. An SVG is sent as the first of ``codings`` that exists next to it
    (``x.svg.br``, ``x.svg.gz``).
    """
    name = read_media_name(path)
    if name is None:
        return None
    found = next((found for folder in folders if (found := find_media(folder, name))), None)
    if found is None:
        return None
    file, status = found
    suffix = file.suffix.lower()
    headers = media_headers(suffix)
    if noindex:
        headers.append(NOINDEX)
    tag = media_tag(status.st_mtime_ns, status.st_size)
    if suffix in _PLAYED or status.st_size > _IN_MEMORY_BYTES:
        parts = RangedReply(headers, str(file), status.st_size, tag)
        parts.valid_until = now + _LOOK_AGAIN_S
        return parts
    coding, body = _representation(file, codings if suffix in _COMPRESSED else (None,))
    if coding:
        headers.append((b"content-encoding", coding.encode("ascii")))
    if suffix in _COMPRESSED:
        headers.append((b"vary", b"accept-encoding"))
    etag = tag + (b"-" + coding.encode("ascii") if coding else b"") + b'"'
    reply = Reply(200, headers, body, tag=tag, etag=etag)
    reply.valid_until = now + _LOOK_AGAIN_S
    return reply


def _representation(file: Path, codings: tuple[Coding, ...]) -> tuple[Coding, bytes]:
    for coding in codings:
        if coding is None:
            break
        try:
            return coding, Path(f"{file}{SUFFIXES[coding]}").read_bytes()
        except FileNotFoundError:
            continue
    return None, file.read_bytes()


def find_media(folder: Path, name: str) -> tuple[Path, os.stat_result] | None:
    """Return the file ``name`` (of ``read_media_name``) in the folder, or None."""
    file = folder / name
    try:
        status = file.stat()
    except (OSError, ValueError):
        return None
    return (file, status) if stat.S_ISREG(status.st_mode) and _is_inside(file, folder) else None


def media_tag(changed_ns: int, size: int) -> bytes:
    """Return the start of a file's tag. Copies keep the original's time, so all edges send the same tag."""
    return b'"%x-%x' % (changed_ns, size)


def _is_inside(file: Path, folder: Path) -> bool:
    """Return whether the file is inside, because a symbolic link must not leave the folder."""
    return os.path.realpath(file).startswith(os.path.realpath(folder) + os.sep)


def media_headers(suffix: str) -> Headers:
    """Return the headers of an uploaded file by its lower-case suffix (``.svg``)."""
    headers = [
        (b"cache-control", IMMUTABLE),
        # Public images: mails, feeds and partners' pages may show them.
        (b"cross-origin-resource-policy", b"cross-origin"),
        HARMLESS,
        REFERRER,
        _ITSELF_ALONE if suffix in _PLAYED else _SANDBOX,
    ]
    if suffix in _SHOWN:
        return [(b"content-type", _SHOWN[suffix]), *headers]
    content_type = _DOWNLOADED.get(suffix, b"application/octet-stream")
    return [(b"content-type", content_type), (b"content-disposition", b"attachment"), *headers]

"""Raster copies of SVGs. Each is drawn at the first request, and kept as a file."""

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from ..domain.raster_copies import RasterCopy
from .plain_replies import NOT_FOUND, build_text
from .replies import Reply

_LIMIT_S: Final = 20.0
"""Limit for one copy. The widest AVIF of a complex SVG takes about 2 s."""
_MOST_WAITING: Final = 16
_LEFT_ALONE_S: Final = 60.0
"""Seconds until a failed SVG is tried again."""

_TOO_MANY: Final = build_text(503, "Too many images are being drawn. Try again in a moment.", (b"retry-after", b"5"))

_log = logging.getLogger(__name__)


class RasterCopies:
    """Draws one copy at a time, each once."""

    def __init__(self, media_folders: Sequence[Path]) -> None:
        self._folders = media_folders
        self._one_at_a_time = asyncio.Semaphore(1)
        self._waiting = 0
        self._failed: dict[RasterCopy, float] = {}

    async def make(self, copy: RasterCopy, now: float) -> Reply | None:
        """Draw the copy. Return ``None`` if the file exists now, else the reply: 404 or 503."""
        found = (folder for folder in self._folders if (folder / copy.drawing).is_file())
        folder = next(found, None)
        if self._failed.get(copy, now) > now or folder is None or (folder / copy.drawing).is_symlink():
            return NOT_FOUND
        drawing, file = folder / copy.drawing, folder / copy.file
        if self._waiting >= _MOST_WAITING:
            return _TOO_MANY
        self._waiting += 1
        try:
            async with self._one_at_a_time:
                if file.is_file() or await _draw(drawing, file, copy):
                    self._failed.pop(copy, None)
                    return None
        finally:
            self._waiting -= 1
        self._failed[copy] = now + _LEFT_ALONE_S
        return NOT_FOUND


async def _draw(drawing: Path, file: Path, copy: RasterCopy) -> bool:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "portolan.edge.draw_raster_copy",
        *(str(drawing), str(file), str(copy.width), copy.format),
        env={"PATH": os.environ.get("PATH", "")},  # SVGs come from editors, so this process gets no secrets
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, said = await asyncio.wait_for(process.communicate(), _LIMIT_S)
    except TimeoutError:
        said = f"it took longer than {_LIMIT_S:.0f} s".encode()
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode:
        reason = said.decode(errors="replace").strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
        _log.error("The raster copy %s cannot be drawn: %s. The edge tries again in a minute.", copy.file, reason[0])
    return process.returncode == 0

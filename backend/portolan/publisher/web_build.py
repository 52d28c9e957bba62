"""The web build: styles, scripts and render worker, made by Vite."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from ..builds.compress import is_worth_a_copy, make_quick_copies
from ..builds.manifest import File
from ..builds.store import ContentStore
from .problem import UsageError

CONTENT_TYPES: Mapping[str, str] = {
    ".avif": "image/avif",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".jpg": "image/jpeg",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".ttf": "font/ttf",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}


RECORD: Final = "web-build.json"
"""A web build's own record."""
ASSETS: Final = "server/assets.json"
"""The file that the render worker reads (`Assets` in ``web/src/document/assets.ts``)."""
RENDER_PROTOCOL: Final = 3
"""Version of the messages to render workers. Increase it with every change, so that a web build of another version
is refused instead of breaking pages (`web/scripts/build.ts` records it)."""


class WebBuild(NamedTuple):
    dist: Path
    hash: str
    """Changes with any file of the build, including the render worker."""
    files: Mapping[str, str]
    """URL path -> file below ``dist``."""
    inline_scripts: tuple[str, ...]
    """``sha256-…`` of the scripts in the HTML."""
    inline_styles: bool
    """True if the HTML contains inline styles, which the policy must then allow."""
    service_workers: Mapping[str, bytes] = {}
    """Script by switch: ``on`` is the service worker, ``off`` the script that removes it from browsers."""
    drawing: str = ""
    """Digest of the code and fonts that draw sharing images. Empty if none are drawn."""
    frame_texts: frozenset[str] = frozenset()
    """Keys of interface texts that only header, footer and notices show."""

    @property
    def worker(self) -> Path:
        return self.dist / "server" / "render-worker.js"


def load_web_build(dist: Path) -> WebBuild:
    """Return the web build. Raise UsageError if there is none that is usable."""
    try:
        record: dict[str, Any] = orjson.loads((dist / RECORD).read_bytes())
        if record["protocol"] != RENDER_PROTOCOL:
            raise ValueError(f"it has render protocol {record['protocol']}, this version needs {RENDER_PROTOCOL}")
        return WebBuild(
            dist,
            record["hash"],
            record["files"],
            tuple(record.get("inlineScripts", ())),
            bool(record.get("inlineStyles", False)),
            {switch: (dist / name).read_bytes() for switch, name in record.get("serviceWorkers", {}).items()},
            record.get("drawing", ""),
            frozenset(record.get("frameTexts", ())),
        )
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(
            f"There is no usable web build in {dist} ({error}), so pages cannot be rendered. "
            "Reinstall Portolan, or set PORTOLAN_WEB_DIST to a build. In a checkout, run `npm run build` in web/."
        ) from error


def ingest_web_build(web: WebBuild, store: ContentStore) -> dict[str, File]:
    """Put the visitors' files into the store, with quick compressed copies."""
    files = {}
    for path, name in web.files.items():
        try:
            data = (web.dist / name).read_bytes()
        except OSError as error:
            raise UsageError(
                f"The web build lists {name}, which cannot be read ({error.strerror}), so pages would lack it. Build "
                "it again."
            ) from error
        files[path] = File(store.put(data), content_type(path), len(data))
    make_quick_copies(store, filter(is_worth_a_copy, files.values()))
    return files


def content_type(path: str) -> str:
    suffix = path[path.rfind(".") :]
    if suffix not in CONTENT_TYPES:
        raise UsageError(
            f"{path} has a file extension without a content type, so browsers could not use it. "
            "Add it to CONTENT_TYPES in publisher/web_build.py."
        )
    return CONTENT_TYPES[suffix]

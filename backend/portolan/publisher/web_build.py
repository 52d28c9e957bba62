"""The web build: the styles, scripts and render worker that Vite wrote."""

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
"""What stands in a web build about itself."""
ASSETS: Final = "server/assets.json"
"""What the render worker reads (`Assets` in ``web/src/document/assets.ts``)."""
RENDER_PROTOCOL: Final = 3
"""What render workers are asked and answer. It is counted on whenever that changes, so that nobody is told of broken pages
where the web build is of another version (`web/scripts/build.ts` writes it down)."""


class WebBuild(NamedTuple):
    dist: Path
    hash: str
    """Changes if any file of the build changes, the render worker's included."""
    files: Mapping[str, str]
    """URL path -> file below ``dist``."""
    inline_scripts: tuple[str, ...]
    """``sha256-…`` of the scripts in the HTML."""
    inline_styles: bool
    """Whether the HTML contains inline styles, which the policy must then allow."""
    service_workers: Mapping[str, bytes] = {}
    """Script by switch: ``on`` is the service worker, ``off`` the script that removes it from browsers."""
    drawing: str = ""
    """Digest of the code and fonts that draw sharing pictures. If it is empty, none are drawn."""

    @property
    def worker(self) -> Path:
        return self.dist / "server" / "render-worker.js"


def load_web_build(dist: Path) -> WebBuild:
    """Raises UsageError where there is none."""
    try:
        record: dict[str, Any] = orjson.loads((dist / RECORD).read_bytes())
        if record["protocol"] != RENDER_PROTOCOL:
            raise ValueError(f"it renders for another version: protocol {record['protocol']}, not {RENDER_PROTOCOL}")
        return WebBuild(
            dist,
            record["hash"],
            record["files"],
            tuple(record.get("inlineScripts", ())),
            bool(record.get("inlineStyles", False)),
            {switch: (dist / name).read_bytes() for switch, name in record.get("serviceWorkers", {}).items()},
            record.get("drawing", ""),
        )
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(
            f"There is no usable web build in {dist} ({error}), so no page can be rendered. "
            "Reinstall Portolan, or set PORTOLAN_WEB_DIST to a build. In a checkout, run `npm run build` in web/."
        ) from error


def ingest_web_build(web: WebBuild, store: ContentStore) -> dict[str, File]:
    """Put the files that visitors get into the store, with compressed copies, so that no visitor waits for an
    uncompressed one after a new web build."""
    files = {}
    for path, name in web.files.items():
        try:
            data = (web.dist / name).read_bytes()
        except OSError as error:
            raise UsageError(
                f"The web build lists {name}, which cannot be read ({error.strerror}), so pages would lack it. Build again."
            ) from error
        files[path] = File(store.put(data), content_type(path), len(data))
    make_quick_copies(store, filter(is_worth_a_copy, files.values()))
    return files


def content_type(path: str) -> str:
    suffix = path[path.rfind(".") :]
    if suffix not in CONTENT_TYPES:
        raise UsageError(
            f"{path} has a kind of file nobody gave a content type, so browsers could not use it. "
            "Add it to CONTENT_TYPES in publisher/web_build.py."
        )
    return CONTENT_TYPES[suffix]

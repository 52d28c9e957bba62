"""The smallest installation to serve: one page live on en, made by hand, and a large image on request."""

from pathlib import Path
from typing import Final

from portolan.builds.hosts import build_hosts, write_hosts
from portolan.builds.live import switch_live
from portolan.builds.manifest import File, Manifest, now_iso, write_manifest
from portolan.builds.store import ContentStore
from portolan.config.project import ROOT
from portolan.sites.load import load_registry

LARGE_PATH: Final = "/media/pictures/large.jpg"
LARGE: Final = 30_000_000
"""More than the buffers between two processes take."""


def write_live_page(var: Path, port: int, page: bytes = b"<!doctype html><title>Home</title>") -> None:
    """The page is the home page of the sites that are served on this port."""
    builds = var / "builds"
    files = {"/": File(ContentStore(builds).put(page), "text/html; charset=utf-8", len(page))}
    manifest = Manifest(site="en", build="a", release=1, web="w", created=now_iso(), html_headers={}, files=files)
    write_manifest(builds, manifest, None)
    write_hosts(builds, build_hosts(load_registry(ROOT / "sites.toml"), "local", port))
    switch_live(builds, {"en": "a"})


def write_large_picture(var: Path) -> None:
    file = var / LARGE_PATH.removeprefix("/")
    file.parent.mkdir(parents=True)
    file.write_bytes(b"x" * LARGE)

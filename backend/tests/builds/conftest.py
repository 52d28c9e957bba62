"""A builds folder, and a quick way to fill it."""

import os
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from portolan.builds.live import switch_live
from portolan.builds.manifest import File, Manifest, write_manifest
from portolan.builds.store import ContentStore
from portolan.domain.redirects import Redirect

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
TYPES = {
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "js": "text/javascript",
    "svg": "image/svg+xml",
}

Build = Callable[..., Manifest]
"""Writes a build of the given texts by path and puts it live."""


def content_type(path: str) -> str:
    return TYPES.get(path.rpartition(".")[2] if "." in path else "html", "application/octet-stream")


def put_files(root: Path, texts: Mapping[str, str]) -> dict[str, File]:
    store = ContentStore(root)
    return {
        path: File(store.put(text.encode()), content_type(path), len(text.encode())) for path, text in texts.items()
    }


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Skip flushing to the disk: these files need not survive a power cut."""
    monkeypatch.setattr(os, "fsync", lambda file: None)
    return tmp_path / "builds"


@pytest.fixture
def build(root: Path) -> Build:
    parents: dict[str, Manifest] = {}

    def write(
        name: str,
        texts: Mapping[str, str],
        site: str = "en",
        age: timedelta = timedelta(),
        live: bool = True,
        release: int = 1,
        redirects: Mapping[str, Redirect] | None = None,
    ) -> Manifest:
        manifest = Manifest(
            site=site,
            build=name,
            release=release,
            web="web",
            created=(START - age).isoformat(),
            html_headers={"content-security-policy": "default-src 'self'"},
            files=put_files(root, texts),
            redirects=redirects or {},
        )
        parents[site] = write_manifest(root, manifest, parents.get(site))
        if live:
            switch_live(root, {site: name})
        return parents[site]

    return write

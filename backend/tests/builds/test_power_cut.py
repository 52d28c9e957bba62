"""A release is live whole or not at all, at any failing call and wherever a publisher dies (quality: R1, R2, R3)."""

import os
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import brotli
import pytest

from portolan.builds.live import read_live, switch_live
from portolan.builds.manifest import Manifest, now_iso, read_manifest, write_manifest
from portolan.builds.store import ContentStore
from portolan.builds.verify import verify

from .conftest import Build, put_files

CALLS = ("open", "write", "fsync", "rename", "unlink")


class Died(BaseException):
    """Simulates kill -9: the product's handlers stop at once."""


def publish(root: Path, before: Manifest, name: str) -> None:
    """Publish in the publisher's order."""
    texts = {"/": f"home {name}", "/about-us": "about", f"/assets/{name}.js": name}
    files = put_files(root, texts)
    store = ContentStore(root)
    store.put_copy(files["/"].digest, "br", brotli.compress(texts["/"].encode()))
    store.sync([file.digest for file in files.values()])
    write_manifest(root, replace(before, build=name, created=now_iso(), files=files), before)
    switch_live(root, {"en": name})


def fail_at(
    monkeypatch: pytest.MonkeyPatch, call: str, number: int, error: Callable[[], BaseException], forever: bool
) -> None:
    """Make the ``number``-th such call fail; ``forever``: and every other that changes the disk from then on."""
    seen = count()
    dead = False
    for name in CALLS:
        real = getattr(os, name)

        def wrapped(*args: object, name: str = name, real: Callable[..., object] = real, **kwargs: object) -> object:
            nonlocal dead
            if dead and forever:
                raise error()
            if name == call and next(seen) == number:
                dead = True
                raise error()
            return real(*args, **kwargs)

        monkeypatch.setattr(os, name, wrapped)


@pytest.mark.parametrize("forever", [False, True], ids=["one call fails", "killed"])
@pytest.mark.parametrize("call", ["open", "write", "fsync", "rename"])
def test_a_release_is_live_whole_or_not_at_all(
    root: Path, build: Build, monkeypatch: pytest.MonkeyPatch, call: str, forever: bool
) -> None:
    build("first", {"/": "home", "/about-us": "about"})
    outcomes = []
    for number in count():
        before = read_live(root).builds["en"]
        name = f"b{number}"
        fail_at(monkeypatch, call, number, Died if forever else lambda: OSError(5, "Input/output error"), forever)
        try:
            publish(root, read_manifest(root, "en", before), name)
            break  # there are no more such calls
        except (OSError, Died):
            monkeypatch.undo()
        live = read_live(root).builds["en"]
        assert live in (before, name)
        assert verify(root, "en", live) == []
        outcomes.append(live == name)
        publish(root, read_manifest(root, "en", live), f"{name}-again")
        assert verify(root, "en", f"{name}-again") == []
        assert read_live(root).builds["en"] == f"{name}-again"
    assert len(outcomes) >= 5
    # Once the pointer is renamed, only its folder is left to open and sync.
    assert any(outcomes) is (call in ("open", "fsync"))


def test_everything_is_on_the_disk_before_the_pointer_moves(
    root: Path, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = build("first", {"/": "home"})
    synced: set[str] = set()
    at_switch: list[set[str]] = []
    real_fsync, real_rename = os.fsync, os.rename

    def fsync(file: int) -> None:
        synced.add(str(Path(f"/proc/self/fd/{file}").readlink()))
        real_fsync(file)

    def rename(source: str, target: str) -> None:
        if target.endswith("live.json"):
            at_switch.append(set(synced))
        real_rename(source, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "rename", rename)
    publish(root, first, "second")
    monkeypatch.undo()
    store = ContentStore(root)
    manifest = read_manifest(root, "en", "second")
    needed = {store.path(file.digest) for file in manifest.files.values()}
    needed.add(store.path(manifest.files["/"].digest, "br"))
    needed |= {str(Path(path).parent) for path in needed}
    needed.add(str(root / "manifests" / "en"))
    assert needed <= at_switch[0]
    assert any("second.json" in path for path in at_switch[0])
    assert any("live.json" in path for path in at_switch[0])
    assert str(root) in synced

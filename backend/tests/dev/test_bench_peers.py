"""Builds of the peers: how their projects are installed and copied, and the results of rounds of builds."""

import json
import os
import sys
from pathlib import Path

import click
import pytest

from portolan_dev.bench.disk import require_room
from portolan_dev.bench.measured import Measured, choose_cores, measure
from portolan_dev.bench.peers.figures import Built, compare
from portolan_dev.bench.peers.projects import PEERS, Peer, install, prepare, read_sizes

from ..processes import SLOWER, wait_until


@pytest.fixture
def peer(tmp_path: Path) -> Peer:
    folder = tmp_path / "a-peer"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "page.js").write_text("")
    return Peer("A peer", folder, ("node_modules/cli.js",))


def write_npm(folder: Path, does: str) -> str:
    npm = folder / "npm"
    npm.write_text(f"#!/bin/sh\n{does}\n")
    npm.chmod(0o755)
    return str(npm)


def test_packages_are_installed_once(peer: Peer, tmp_path: Path) -> None:
    install(peer, write_npm(tmp_path, "mkdir node_modules && touch node_modules/cli.js"))
    install(peer, write_npm(tmp_path, "exit 1"))


@pytest.mark.parametrize(
    "does", ["echo no route >&2; exit 1", "mkdir -p node_modules/half", "exit 0"], ids=["refused", "half", "nothing"]
)
def test_without_npm_nothing_is_measured(peer: Peer, tmp_path: Path, does: str) -> None:
    with pytest.raises(click.ClickException, match="A peer cannot be installed, because npm"):
        install(peer, write_npm(tmp_path, does))
    assert not (peer.folder / "node_modules").exists()
    with pytest.raises(click.ClickException, match="cannot be installed"):
        install(peer, str(tmp_path / "no-such-npm"))


def test_a_copy_has_built_nothing_yet_and_shares_the_packages(peer: Peer, tmp_path: Path) -> None:
    (peer.folder / "node_modules").mkdir()
    copy = tmp_path / "copy"
    prepare(peer, copy)
    assert sorted(path.name for path in copy.rglob("*")) == ["node_modules", "page.js", "site.css", "src"]
    assert (copy / "node_modules").resolve() == peer.folder / "node_modules"
    assert read_sizes(copy) == []
    page = copy / "out" / "a" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("12345")
    assert read_sizes(copy) == [5]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.folder.name)
def test_projects_are_pinned(peer: Peer) -> None:
    named = json.loads((peer.folder / "package.json").read_text())["dependencies"]
    locked = json.loads((peer.folder / "package-lock.json").read_text())["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in named} == named
    assert not [name for name, package in locked.items() if "resolved" in package]


def test_ours_is_compared_within_a_round() -> None:
    def built(wall: float) -> Built:
        return Built(Measured(wall, 0, 0, 0, 0), 1, 1)

    rounds = [{"ours": built(ours), "theirs": built(theirs)} for ours, theirs in ((1, 2), (2, 2), (4, 6))]
    assert str(compare(rounds, "ours", "theirs")) == "1.50 (1.00-2.00)"


def test_what_takes_too_long_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    note = tmp_path / "child"
    with pytest.raises(click.ClickException, match=r"did not end within \d+ s"):
        measure(["sh", "-c", f"sleep 600 & echo $! > {note}; wait"], os.environ, within_s=2 * SLOWER)
    child = int(note.read_text())
    wait_until(lambda: "sleep" not in read_command(child))


def read_command(process: int) -> str:
    try:
        return (Path("/proc") / str(process) / "cmdline").read_text()
    except FileNotFoundError:
        return ""


def test_a_command_that_fails_is_not_measured() -> None:
    with pytest.raises(click.ClickException, match=r"(?s)failed. Nothing was measured.*out of luck"):
        measure([sys.executable, "-c", "raise SystemExit('out of luck')"], os.environ)


def test_a_disk_that_is_too_small_is_said_before() -> None:
    require_room(1)
    with pytest.raises(click.ClickException, match="Nothing was measured"):
        require_room(10**18)


def test_more_cores_than_there_are() -> None:
    with pytest.raises(click.ClickException, match="not 100000"):
        choose_cores(100_000)

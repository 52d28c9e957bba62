"""The checks of a node before it renders, and the files it leaves."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from portolan.builds.store import ContentStore
from portolan.publisher.cluster.node import NodeRenderer, Terms, Unfit, leave_mark, pack_web, versions


@pytest.fixture
def store(tmp_path: Path) -> ContentStore:
    store = ContentStore(tmp_path)
    store.prepare()
    return store


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def _terms(store: ContentStore, **others: object) -> Terms:
    terms = Terms(versions(), str(store.folder), leave_mark(store.folder).name, "")
    return terms._replace(**others)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("others", "why"),
    [
        ({"versions": ("Portolan 9.9",)}, "it has Portolan .*, but the publisher has Portolan 9.9"),
        ({"mark": "0123.mark~"}, "cannot access the publisher's folder .* PORTOLAN_BUILD_STORE"),
    ],
    ids=["another version", "another disk"],
)
def test_a_node_that_would_render_something_else_renders_nothing(
    store: ContentStore, others: dict[str, object], why: str
) -> None:
    with pytest.raises(Unfit, match=why):
        NodeRenderer(_terms(store, **others), b"", 1)


def test_folders_of_killed_nodes_are_removed_and_those_in_use_stay(
    store: ContentStore, temporary: Path, tmp_path: Path
) -> None:
    web = tmp_path / "server"
    web.mkdir()
    (web / "render-worker.js").write_text("process.stdin.resume()")
    killed = (
        "import os, tempfile; tempfile.tempdir = os.environ['FOLDER']\n"
        "from portolan.publisher.cluster import node; node._make_folder(); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", killed], env={"FOLDER": str(temporary)})
    (left,) = temporary.iterdir()
    renderer = NodeRenderer(_terms(store), pack_web(web), 1)
    (used,) = temporary.iterdir()
    assert used != left
    assert (used / "web" / "render-worker.js").exists()
    assert used.stat().st_mode & 0o777 == 0o700
    other = NodeRenderer(_terms(store), pack_web(web), 1)
    assert used.exists()
    for each in (renderer, other):
        each.close()
    assert list(temporary.iterdir()) == []

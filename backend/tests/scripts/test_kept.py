"""Slow results are made once for all clones, and those in use are kept."""

import subprocess
import sys
from pathlib import Path

import pytest

from testing import kept

from ..processes import started, wait_until, waits_for_lock

ROOT = Path(__file__).parents[3]
USES = """
import sys
from pathlib import Path
from testing.kept import keep
def make(folder: Path) -> None:
    (folder / "file").write_text("made")
    print("makes", flush=True)
    if len(sys.argv) > 2:
        sys.stdin.readline()
found = keep("things", sys.argv[1], make)
print((found / "file").read_text(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the account that runs the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "portolan"


def use(name: str) -> list[str]:
    """Return the output of a process that requested a result."""
    return subprocess.run(
        [sys.executable, "-c", USES, name], cwd=ROOT, input="", capture_output=True, text=True, check=True
    ).stdout.split()


def test_the_first_process_makes_it_and_the_next_ones_find_it(cache: Path) -> None:
    command = [sys.executable, "-c", USES, "one", "waits"]
    with (
        started(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first,
        started(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as second,
    ):
        lock = cache / "things" / kept.LOCK
        wait_until(lambda: lock.exists() and any(waits_for_lock(each.pid, lock) for each in (first, second)))
        for each in (first, second):
            assert each.stdin
            each.stdin.write("\n")
            each.stdin.flush()
        said = [each.communicate()[0].split() for each in (first, second)]
    assert sorted(said, key=len) == [["made"], ["makes", "made"]]
    assert use("one") == ["made"]
    assert (cache / "things").stat().st_mode & 0o777 == 0o700


def test_the_newest_stay_and_those_in_use(cache: Path) -> None:
    with started([sys.executable, "-c", USES, "0"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as user:
        assert user.stdout
        assert [user.stdout.readline().strip() for _ in range(2)] == ["makes", "made"]
        for name in "123":
            use(name)
        assert there(cache) == {"0", "2", "3"}
        use("2")
    use("4")
    assert there(cache) == {"2", "4"}


def test_one_that_could_not_be_made_is_not_there(cache: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "file").write_text("half")
        raise ValueError

    with pytest.raises(ValueError):
        kept.keep("things", "one", fail)
    assert use("one") == ["makes", "made"]


def test_a_home_that_cannot_be_written_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "no-folder"
    file.touch()
    for home in (str(file), "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", home)
        monkeypatch.setattr(kept, "ROOT", tmp_path / "clone")
        assert kept.folder_of("things") == tmp_path / "clone" / "var" / "cache" / "things"


def test_a_command_begins_with_the_cache_of_another_clone(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(clone: str, source: str, command: str = "true") -> str:
        """Return the contents of the command's cache after it."""
        folder = tmp_path / clone
        folder.mkdir(exist_ok=True)
        (folder / "source").write_text(source)
        monkeypatch.setattr(kept, "ROOT", folder)
        status = kept.main(
            "things", "own", "source", "--", "sh", "-c", f"mkdir -p own; echo {source} >> own/file; {command}"
        )
        assert status == (command == "false")
        return " ".join((folder / "own" / "file").read_text().split())

    assert run("first", "a") == "a"
    assert run("second", "a") == "a a"
    assert run("third", "b") == "a b"
    assert run("third", "b") == "a b b"
    assert run("fourth", "c", "false") == "a b c"
    assert run("fifth", "a") == "a a"
    assert run("sixth", "c") == "a c"


def there(cache: Path) -> set[str]:
    return {each.name for each in (cache / "things").iterdir() if each.is_dir()}

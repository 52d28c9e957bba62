"""Keep results that take long to make, for all clones of the repository on this machine.

They are in the cache folder of your account (`~/.cache/portolan`), or in `var/cache` if that folder cannot be written.

`python -m testing.kept KIND FOLDER SOURCE … -- COMMAND …` runs a command with a cache in `FOLDER`. A clone without that
folder starts with the cache of a run on the same sources, or the newest.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
NEWEST: Final = 2
"""Number of kept results of each kind, next to those in use."""
_UNFINISHED: Final = "unfinished"
LOCK: Final = "lock"


def folder_of(kind: str) -> Path:
    """Return the folder of the results of one kind. Only your account can read it."""
    for parent in (*_user_cache(), ROOT / "var" / "cache"):
        folder = parent / kind
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with (folder / LOCK).open("a"):
                return folder
        except OSError:
            continue
    raise OSError(f"{ROOT}/var/cache cannot be written")


def keep(kind: str, name: str, make: Callable[[Path], None]) -> Path:
    """Return the folder of a result. If there is none, `make` is called with an empty folder to fill.

    Make a result once for many processes: one makes it, the others wait. It stays until this process ends.
    """
    folder = folder_of(kind)
    result = folder / name
    if not _hold(result):
        with (folder / LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not _hold(result):
                unfinished = folder / _UNFINISHED
                shutil.rmtree(unfinished, ignore_errors=True)
                unfinished.mkdir(mode=0o700)
                make(unfinished)
                unfinished.rename(result)
                _hold(result)
                _prune(folder)
    os.utime(result)
    return result


def newest(kind: str, prefix: str = "") -> Path | None:
    """Return the folder of the result that was used last. It stays until this process ends."""
    return next(filter(_hold, _by_use(folder_of(kind), prefix)), None)


def fingerprint(names: Iterable[str], leave_out: Callable[[Path], bool] = lambda file: False) -> str:
    """Return a digest of files and folders of the clone, their names and contents."""
    digest = hashlib.sha256(sysconfig.get_platform().encode())
    for path in (ROOT / name for name in names):
        assert path.exists(), f"{path} does not exist"
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts and not leave_out(file):
                digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


def _user_cache() -> list[Path]:
    try:
        folder = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
    except RuntimeError:  # no home
        return []
    return [folder / "portolan"] if folder.is_absolute() else []


def _by_use(folder: Path, prefix: str = "") -> list[Path]:
    found = [each for each in folder.iterdir() if each.is_dir() and each.name.startswith(prefix)]
    return sorted((each for each in found if each.name != _UNFINISHED), key=_used_at, reverse=True)


def _used_at(result: Path) -> float:
    try:
        return result.stat().st_mtime
    except FileNotFoundError:  # another process has removed it
        return 0.0


def _hold(result: Path) -> bool:
    """Return whether it is there. From then on no other process removes it: the descriptor stays open, with its lock."""
    try:
        held = os.open(result, os.O_RDONLY)
    except FileNotFoundError:
        return False
    fcntl.flock(held, fcntl.LOCK_SH)
    try:
        if os.path.samestat(os.fstat(held), result.stat()):
            return True
    except FileNotFoundError:
        pass
    os.close(held)
    return False


def _prune(folder: Path) -> None:
    for old in _by_use(folder)[NEWEST:]:
        held = os.open(old, os.O_RDONLY)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(old.rename(folder / _UNFINISHED))
        except OSError:  # in use
            continue
        finally:
            os.close(held)


def main(kind: str, name: str, *arguments: str) -> int:
    end = arguments.index("--")
    sources, command, folder = arguments[:end], arguments[end + 1 :], ROOT / name
    before = fingerprint(sources)
    if not folder.exists() and (kept := newest(kind, before) or newest(kind)):
        shutil.copytree(kept, folder)
    status = subprocess.run(command, cwd=ROOT).returncode
    if status == 0:
        keep(kind, before, partial(shutil.copytree, folder, dirs_exist_ok=True))
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

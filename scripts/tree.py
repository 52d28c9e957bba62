"""Compute digests of the working tree, to see which files differ since tests were green."""

import hashlib
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]


def read_tree(root: Path = ROOT) -> dict[str, str]:
    """Return git's id of each file's content, by path: committed, changed or new. Ignored and deleted files are left out."""
    staged = [line.partition("\t") for line in _git(root, "ls-files", "--stage", "-z")]
    ids = {path: head.split()[1] for head, _, path in staged}
    changed = {
        *_git(root, "diff", "--name-only", "-z"),
        *_git(root, "ls-files", "--others", "--exclude-standard", "-z"),
    }
    there = sorted(path for path in changed if (root / path).is_file())
    found = _git(root, "hash-object", "--stdin-paths", typed="\n".join(there)) if there else []
    return {path: ids[path] for path in ids.keys() - changed} | dict(zip(there, found, strict=True))


def digest(tree: dict[str, str], counts: Callable[[str], bool]) -> str:
    """Return the digest of the files whose path counts."""
    lines = sorted(f"{path}\0{id}" for path, id in tree.items() if counts(path))
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:32]


def _git(root: Path, *arguments: str, typed: str | None = None) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=root, input=typed, capture_output=True, text=True, check=True)
    return [part for part in re.split("[\0\n]", done.stdout) if part]

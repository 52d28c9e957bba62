"""Pack a version into one file: a data set, and the code that created it, as installed."""

import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Final

PROJECT: Final = "project"
"""Folder of the company's files."""
CONSTRAINTS: Final = "constraints.txt"
_OWN: Final = ("sites.toml", "brand.toml", "brand", "public")
_LEFT_OUT: Final = ("portolan/web_source/", "portolan/web_dist/server/node_modules/")
"""Files for `portolan build` only, and machine code of one platform, which is larger than all others."""


def pack_version(dataset: Path, wheel: Path, root: Path, target: Path) -> None:
    """Write the archive. ``root``: the checkout of both files.

    The wheel is stored without its own compression, because the archive compresses all of it better.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_suffix(".unfinished")
    with tarfile.open(dataset) as known, tarfile.open(unfinished, "w:xz", preset=9) as archive:
        for entry in known:
            archive.addfile(entry, known.extractfile(entry) if entry.isfile() else None)
        _add(archive, re.sub(r"-[^-]+\.whl$", "-any.whl", wheel.name), _slim(wheel))
        _add(archive, CONSTRAINTS, read_constraints(root / "requirements-extras.lock").encode())
        for name in _OWN:
            for file in sorted((root / name).rglob("*")) if (root / name).is_dir() else [root / name]:
                if file.is_file():
                    _add(archive, f"{PROJECT}/{file.relative_to(root)}", file.read_bytes())
    unfinished.replace(target)


def read_constraints(lock: Path) -> str:
    """Return the versions of a lock file without hashes, as constraints need them (as `scripts/wheel.sh`)."""
    entries = (line.rstrip(" \\") for line in lock.read_text(encoding="utf-8").splitlines() if line[:1].isalnum())
    return "".join(f"{entry}\n" for entry in entries if not entry.startswith(("hatchling==", "editables==")))


def _slim(wheel: Path) -> bytes:
    """Return the wheel without the left-out files, for any platform."""
    written = io.BytesIO()
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(written, "w", zipfile.ZIP_STORED) as slim:
        for name in whole.namelist():
            if name.startswith(_LEFT_OUT):
                continue
            content = whole.read(name)
            if name.endswith(".dist-info/RECORD"):
                content = b"".join(
                    line
                    for line in content.splitlines(True)
                    if not line.decode().startswith((*_LEFT_OUT, name[:-6] + "WHEEL"))
                )
            if name.endswith(".dist-info/WHEEL"):
                content = re.sub(
                    rb"Tag: .*", b"Tag: py3-none-any", content.replace(b"Purelib: false", b"Purelib: true")
                )
            slim.writestr(zipfile.ZipInfo(name), content)
    return written.getvalue()


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    archive.addfile(entry, io.BytesIO(content))

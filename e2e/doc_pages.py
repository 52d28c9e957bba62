"""Pages of the documentation as steps that a test can take: commands with their output, and files.

- A `console` block has commands after `$ `, each followed by its output. `…` stands for any text, and alone on a line for any lines.
- A block with `title="PATH"` is a file. If its language is `diff`, it changes the file; `…` separates places.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ANY: Final = "…"
_FENCE: Final = re.compile(r'^( *)```(\w+)(?: title="([^"]+)")?\n(.*?)^\1```$', re.MULTILINE | re.DOTALL)
_HEADING: Final = re.compile(r"^## (.+)$", re.MULTILINE)


class Command(NamedTuple):
    line: str
    output: list[str]


class File(NamedTuple):
    path: str
    text: str
    is_diff: bool


class Section(NamedTuple):
    heading: str
    steps: list[Command | File]


def read_sections(page: Path) -> Iterator[Section]:
    """Yield the sections of a page, with the commands and files in their order."""
    parts = _HEADING.split(page.read_text(encoding="utf-8"))
    for heading, text in zip(["", *parts[1::2]], parts[::2], strict=True):
        steps: list[Command | File] = []
        for indent, language, title, body in _FENCE.findall(text):
            body = re.sub(rf"^{indent}", "", body, flags=re.MULTILINE)
            if title:
                steps.append(File(title, body, language == "diff"))
            elif language == "console":
                steps += _read_commands(body)
        yield Section(heading, steps)


def _read_commands(body: str) -> Iterator[Command]:
    for part in re.split(r"^\$ ", body.replace("\\\n", ""), flags=re.MULTILINE)[1:]:
        line, *output = part.rstrip("\n").split("\n")
        yield Command(line, output)


def fits(expected: list[str], output: str) -> bool:
    """Return whether the output has the expected lines. Without expected lines, any output does."""
    pattern = ""
    for line in expected:
        words = ".*?".join(re.escape(part.strip()) for part in line.split(ANY))
        pattern += "(?:.*\n)*?" if line.strip() == ANY else rf"[ \t]*{words}[ \t]*\n"
    lines = "".join(f"{line}\n" for line in output.splitlines() if line.strip())
    return not expected or re.fullmatch(pattern, lines) is not None


def apply_diff(text: str, diff: str) -> str:
    """Return ``text`` with the changes. Each place has to occur once."""
    for place in re.split(rf"^ {ANY}\n", diff, flags=re.MULTILINE):
        lines = place.splitlines(keepends=True)
        before = "".join(line[1:] or "\n" for line in lines if not line.startswith("+"))
        after = "".join(line[1:] or "\n" for line in lines if not line.startswith("-"))
        found = text.count(before)
        assert found == 1, f"{found} places have these lines:\n{before}"
        text = text.replace(before, after)
    return text

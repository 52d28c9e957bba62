"""Compare texts with the rules of plain English that a program can see: `check_prose.py [--write | FILE …]`.

Reads Markdown files, the editors' handbook in English, docstrings and comments of Python, comments of
TypeScript, messages of the studio, and the one-line help of commands. `testing/prose.json` counts the problems of old texts, by file: a count may only shrink, and a new
file has none. With FILE, print the problems of these files. With --write, lower the counts that have shrunk.
"""

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from babel.messages.pofile import read_po

ROOT: Final = Path(__file__).parents[1]
OLD: Final = ROOT / "testing" / "prose.json"
MESSAGES: Final = "backend/portolan/locale/de/LC_MESSAGES/django.po"
GERMAN: Final = re.compile(r"(^|/)de/|\.de\.")
NOT_READ: Final = (
    "docs/evidence/",
    "fixtures/",
    "web/src/contract/openapi.d.ts",
    "examples/portolan-opening-hours/portolan_opening_hours/types.ts",
)
LONGEST_SENTENCE: Final = 30
LONGEST_PARAGRAPH: Final = 80
MOST_LINKS: Final = 3
LONGEST_HELP: Final = 60
_NEGATION: Final = r"\b(?:no|not|nobody|nothing|none|never|neither|nor|without|cannot)\b|n't\b"
_WORDS: Final = {
    "free relative (name the subject)": r"\b(?:whoever|whatever|what)\b(?![^.]*\?)",
    "term (see the style's table)": (
        r"\b(?:thing to mend|things to mend|flaws?|receipts?|first screen|page famil(?:y|ies)|films?|telephones?|plain hosts?|"
        r"begun leads?|two steps|version before|freezers?|held back|somebody|nobody|anew|besides?|stands? in|lies? in|deleted page|"
        r"editions?|splices?|leads? to|hands? on|handed on|takes? back|taken back|enter(?:ed)? again)\b"
    ),
    "history (describe the present)": r"\b(?:until now|so far|no longer|any more|anymore|used to be)\b",
    "American spelling": r"\b(?:color|behavior|center|favor|catalog(?!ue)|analyz|canceled|labeled|gray)\w*\b",
    "plural in brackets": r"\w\(e?s\)",
}
_TYPESCRIPT: Final = re.compile(
    r"""//(?P<line>[^\n]*)|/\*(?P<block>.*?)\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"""
    r"""|(?<=[(,=:[!&|?{};+\n]) *?/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+/""",
    re.DOTALL,
)
_PATTERNS: Final = {rule: re.compile(pattern, re.IGNORECASE) for rule, pattern in _WORDS.items()}


class Problem(NamedTuple):
    file: str
    rule: str
    text: str


class Text(NamedTuple):
    """One paragraph, without markup; code is replaced by a letter."""

    file: str
    words: str
    links: int = 0
    is_help: bool = False


def find_problems(text: Text) -> Iterator[Problem]:
    for rule, pattern in _PATTERNS.items():
        for found in pattern.finditer(text.words):
            yield Problem(text.file, rule, text.words[max(0, found.start() - 30) : found.end() + 30])
    for sentence in re.split(r"(?<=[.!?:])\s+(?=[\"'(A-Z0-9])", text.words):
        if len(sentence.split()) > LONGEST_SENTENCE:
            yield Problem(text.file, f"sentence over {LONGEST_SENTENCE} words", sentence)
        if len(re.findall(_NEGATION, sentence, re.IGNORECASE)) > 1:
            yield Problem(text.file, "two negations in a sentence", sentence)
    if len(text.words.split()) > LONGEST_PARAGRAPH:
        yield Problem(text.file, f"paragraph over {LONGEST_PARAGRAPH} words", text.words)
    if text.links > MOST_LINKS:
        yield Problem(text.file, f"paragraph with over {MOST_LINKS} links", text.words)
    if text.is_help and len(text.words) > LONGEST_HELP:
        yield Problem(text.file, f"help over {LONGEST_HELP} characters", text.words)


def read_markdown(file: str, source: str) -> Iterator[Text]:
    source = re.sub(r"^---\n.*?\n---\n|^(```|~~~).*?^\1|<!--.*?-->", "", source, flags=re.DOTALL | re.MULTILINE)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=[#|])", source):
        words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", block)
        cells = words.strip().strip("|").split("|") if words.lstrip().startswith("|") else [words]
        for cell in cells:
            yield Text(file, _plain(cell), links=len(re.findall(r"\]\([^)]*\)", block)) if len(cells) == 1 else 0)


def read_python(file: str, source: str) -> Iterator[Text]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            docstring = ast.get_docstring(node)
            if docstring:
                is_help = isinstance(node, ast.FunctionDef) and any(
                    "command" in ast.unparse(decorator).split("(")[0] for decorator in node.decorator_list
                )
                first, *others = re.split(r"\n\s*\n", docstring)
                yield Text(file, _plain(first), is_help=is_help)
                yield from (
                    Text(file, _plain(other)) for other in others if not other.lstrip().startswith((">>>", "\b"))
                )
    comments = re.sub(r"(?m)^(?!\s*#).*$", "", source)
    for block in re.split(r"\n\s*\n", comments):
        yield Text(file, _plain(re.sub(r"(?m)^\s*#", "", block)))


def read_typescript(file: str, source: str) -> Iterator[Text]:
    """Yield block comments, and runs of line comments. Strings, templates and regular expressions are skipped."""
    lines: list[str] = []
    end = -1
    for found in _TYPESCRIPT.finditer(source):
        comment = found["line"]
        if lines and (found["block"] or comment is not None) and source[end : found.start()].strip(" \t\r") != "\n":
            yield Text(file, _plain(" ".join(lines)))
            lines = []
        if comment is not None:
            lines.append(comment)
            end = found.end()
        elif found["block"]:
            words = re.sub(r"(?m)^\s*\*+(?!/)", "", found["block"])
            yield from (
                Text(file, _plain(part))
                for part in re.split(r"\n\s*\n|\n(?=\s*[|@]|\s{5})", words)
                if part.lstrip()[:1] != "|"
            )
    if lines:
        yield Text(file, _plain(" ".join(lines)))


def read_messages(file: str, source: str) -> Iterator[Text]:
    for message in read_po(source.splitlines(keepends=True)):
        for id in message.id if isinstance(message.id, tuple) else (message.id,):
            yield Text(file, _plain(re.sub(r"<[^>]+>", " ", id)))


_READERS: Final = {
    ".md": read_markdown,
    ".py": read_python,
    ".ts": read_typescript,
    ".tsx": read_typescript,
}


def _plain(text: str) -> str:
    text = re.sub(r"``.*?``|`[^`]*`|\{[^}]*\}|%\(\w+\)s|https?://\S+", "X", text, flags=re.DOTALL)
    return " ".join(re.sub(r"^\s*\d+\. |[*_#>|]+", " ", text).split())


def read_texts() -> Iterator[Text]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for file in listed.stdout.splitlines():
        read = read_messages if file == MESSAGES else _READERS.get(Path(file).suffix)
        if read is None or file.startswith(NOT_READ) or (read is read_markdown and GERMAN.search(file)):
            continue
        if (ROOT / file).exists():
            yield from read(file, (ROOT / file).read_text(encoding="utf-8"))


def find_more(found: Mapping[str, int], old: Mapping[str, int]) -> list[str]:
    return [
        f"{file}: {n} problems, and {old.get(file, 0)} may be there"
        for file, n in found.items()
        if n > old.get(file, 0)
    ]


def main(arguments: list[str]) -> int:
    problems = [problem for text in read_texts() for problem in find_problems(text)]
    if arguments and arguments != ["--write"]:
        for problem in problems:
            if problem.file in arguments:
                print(f"{problem.file}: {problem.rule}: {problem.text}")
        return 0
    found = Counter(problem.file for problem in problems)
    old = json.loads(OLD.read_text(encoding="utf-8"))
    if arguments:
        lower = {file: min(n, found[file]) for file, n in old.items() if found[file]}
        OLD.write_text(json.dumps(lower, indent=1) + "\n", encoding="utf-8")
        return 0
    more = find_more(found, old)
    for line in more:
        print(line)
    if more:
        print("Rewrite these texts. `python scripts/check_prose.py FILE` prints each problem.")
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

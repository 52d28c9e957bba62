"""Read, check and count the requirements of ASVS 5.0, levels 1 and 2, with the proof of each."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from portolan.domain.csv_files import decode, read_csv

ANSWERS: Final = {
    "met": "a test shows it",
    "by design": "a file shows it: by what is there, or is not",
    "by setting": "where whoever deploys does what the note says",
    "not met": "",
    "not applicable": "there is nothing that it could be about",
}
_ID: Final = re.compile(r"V\d+\.\d+\.\d+")


class Requirement(NamedTuple):
    id: str
    level: str
    answer: str
    about: str
    """In our own words."""
    shown_by: tuple[str, ...]
    """Files of the repository, or tests by pytest's names."""
    note: str


def read_requirements(file: Path) -> list[Requirement]:
    _, *rows = read_csv(decode(file.read_bytes()).text)
    found = [(*row.cells, *[""] * (len(Requirement._fields) - len(row.cells))) for row in rows]
    return [
        Requirement(id, level, answer, about, tuple(shown.split()), note)
        for id, level, answer, about, shown, note in found
    ]


def find_faults(requirements: Iterable[Requirement], root: Path) -> list[str]:
    """Return statements of the list that the repository does not prove."""
    found = list(requirements)
    faults = [f"{id} is listed {count} times" for id, count in Counter(row.id for row in found).items() if count > 1]
    for row in found:
        if not _ID.fullmatch(row.id) or row.level not in ("1", "2") or row.answer not in ANSWERS:
            faults.append(f"{row.id}: level {row.level} or answer {row.answer!r} is unknown")
        if row.answer in ("met", "by design") and not row.shown_by:
            faults.append(f"{row.id}: {row.answer}, without a file")
        if row.answer == "met" and not any(is_test(place) for place in row.shown_by):
            faults.append(f"{row.id}: met, without a test")
        if row.answer in ("not met", "not applicable", "by setting") and not (row.note or row.answer == "not met"):
            faults.append(f"{row.id}: {row.answer}, without a reason")
        faults += [f"{row.id}: there is no {place}" for place in row.shown_by if not is_there(place, root)]
    return faults


def is_test(place: str) -> bool:
    file = place.partition("::")[0]
    return "/test" in file or ".test." in file or file.startswith("e2e/")


def is_there(place: str, root: Path) -> bool:
    file, _, test = place.partition("::")
    path = root / file
    return path.exists() and (
        not test or re.search(rf"^\s*(?:async )?def {re.escape(test)}\(", path.read_text("utf-8"), re.M) is not None
    )


def build_summary(requirements: Iterable[Requirement]) -> str:
    found = list(requirements)
    lines = [
        "# ASVS 5.0, levels 1 and 2",
        "",
        f"Written by `make evidence` from [asvs.csv](asvs.csv): {len(found)} requirements of the Application Security Verification Standard",
        "by number, in our own words, and what meets each. A test holds that every test and file it names is there.",
        "",
        "| Answer | Means | Requirements |",
        "|---|---|---|",
    ]
    counts = Counter(row.answer for row in found)
    lines += [f"| {answer} | {meaning} | {counts[answer]} |" for answer, meaning in ANSWERS.items()]
    for answer in ("not met", "by setting"):
        lines += ["", f"## {answer.capitalize()}", "", "| Number | What | |", "|---|---|---|"]
        lines += [f"| {row.id} | {row.about} | {row.note} |" for row in found if row.answer == answer]
    return "\n".join(lines) + "\n"

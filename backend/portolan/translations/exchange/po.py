"""Write and read PO files: an entry for each text, its context is the page and the path of the text.

Rich texts are stored HTML in which tools check the tags; placeholders are marked as ``python-brace-format``.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final
from uuid import UUID

import polib

from .inline import Code, codes_of, split
from .units import FileRefused, Languages, PageUnits, Returned, Unit, mark_of

_SITE: Final = "X-Portolan-Site"
_SOURCE: Final = "X-Source-Language"
_MOST_LINES: Final = 10_000
_MARK: Final = "Exported target: "


def write_po(languages: Languages, pages: Iterable[PageUnits]) -> str:
    """Return the whole file."""
    file = polib.POFile(wrapwidth=0)
    file.metadata = {
        "Language": languages.target.replace("-", "_"),
        _SOURCE: languages.source,
        _SITE: languages.site,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
    }
    file.extend(_entry(page, unit) for page in pages for unit in page.units)
    return str(file) + "\n"


def read_po(path: Path) -> tuple[Languages, list[Returned]]:
    """Raise FileRefused for a file that is damaged or in another encoding."""
    try:
        _check_length(path)
        file = polib.pofile(str(path), encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FileRefused("The file is not in UTF-8. Nothing was imported. Save it in UTF-8.") from None
    except (OSError, ValueError, IndexError, KeyError, AttributeError) as error:
        what = str(error).replace(f"{path} ", "")
        raise FileRefused(f"The file is damaged: {what}. Nothing was imported. Save it again.") from None
    target = file.metadata.get("Language", "").replace("_", "-")
    languages = Languages(file.metadata.get(_SOURCE, ""), target, file.metadata.get(_SITE, ""))
    return languages, [_read(entry) for entry in file if not entry.obsolete]


def _check_length(path: Path) -> None:
    """Refuse a text of very many lines: polib would copy it once for each line."""
    lines = 0
    with path.open(encoding="utf-8-sig") as file:
        for line in file:
            lines = lines + 1 if line.startswith('"') else 0
            if lines > _MOST_LINES:
                raise FileRefused(f"A text has more than {_MOST_LINES:,} lines. Nothing was imported. Save it again.")


def _entry(page: PageUnits, unit: Unit) -> polib.POEntry:
    notes = [f"{page.title}: {unit.label}" if unit.label else page.title, f"{_MARK}{mark_of(unit.target)}"]
    flags = [] if unit.is_done or not unit.target else ["fuzzy"]
    if unit.kind != "verbatim" and any(code.data.startswith("{") for code in codes_of(split(unit.source, unit.kind))):
        flags.append("python-brace-format")
    return polib.POEntry(
        msgctxt=f"{page.key}/{unit.path}",
        msgid=unit.source,
        msgstr=unit.target,
        comment="\n".join(" ".join(note.split()) for note in notes),
        occurrences=[(page.address, "")],
        flags=flags,
    )


def _read(entry: polib.POEntry) -> Returned:
    key, _, path = (entry.msgctxt or "").partition("/")
    try:
        page = UUID(key)
    except ValueError:
        raise FileRefused(
            f"The entry {entry.msgid[:40]!r} in line {entry.linenum} has no page of ours: its msgctxt is {entry.msgctxt!r}. "
            "Nothing was imported. Import a file that `portolan translations export` wrote, with its contexts."
        ) from None
    notes = (line.partition(_MARK)[2] for line in (entry.comment or "").splitlines() if line.startswith(_MARK))
    target = [Code(entry.msgstr, "value")] if entry.msgstr else []
    return Returned(page, path, [Code(entry.msgid, "value")], target, next(notes, ""), "fuzzy" not in entry.flags)

"""Open a file of translations: find its format, and check that it is for this site."""

from pathlib import Path
from typing import Final

from .po import read_po
from .units import FileRefused, Languages, Returned
from .xliff_reader import read_xliff

LARGEST: Final = 64_000_000
XLIFF: Final = "xliff"
PO: Final = "po"


def format_of(file: Path) -> str:
    """Return the format that a file's name or beginning says."""
    if file.suffix.lower() in (".po", ".pot"):
        return PO
    if file.suffix.lower() in (".xlf", ".xliff", ".xlf2", ".xml") or not file.exists():
        return XLIFF
    with file.open("rb") as stream:
        return XLIFF if stream.read(64).lstrip(b"\xef\xbb\xbf\xff\xfe \r\n\t").startswith(b"<") else PO


def read_file(file: Path) -> tuple[Languages, list[Returned]]:
    """Raise FileRefused."""
    if file.stat().st_size > LARGEST:
        raise FileRefused(
            f"The file has more than {LARGEST // 1_000_000} MB. Nothing was imported. Export fewer pages with --page."
        )
    languages, returned = read_po(file) if format_of(file) == PO else read_xliff(file)
    if not returned:
        raise FileRefused("The file has no texts. Nothing was imported. Choose the file that came back.")
    return languages, returned


def check_languages(found: Languages, wanted: Languages) -> None:
    """Raise FileRefused if the file is in other languages. ``de`` and ``de-DE`` are the same here."""
    for role, own, other in (("into", wanted.target, found.target), ("from", wanted.source, found.source)):
        if _primary(own) != _primary(other) and (other or role == "into"):
            raise FileRefused(
                f"The file is translated {role} {other or 'no named language'}, and the site {wanted.site} needs {own}. "
                "Nothing was imported. Choose the file or the site of this language."
            )


def _primary(tag: str) -> str:
    return tag.replace("_", "-").partition("-")[0].lower()

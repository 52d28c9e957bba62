"""Texts that are hard to write into a file, for the tests of all formats."""

from uuid import UUID

from portolan.translations.exchange.inline import join
from portolan.translations.exchange.units import Languages, PageUnits, Returned, Unit
from portolan.translations.segments import Kind

KEY = UUID("00000000-0000-4000-8000-000000000001")
LANGUAGES = Languages("en", "de", "de")

HARD: dict[str, tuple[Kind, str, str]] = {
    "title": ("plain", "Web & <teams> for {company}", "{company}: Web & <Teams>"),
    "body/4f0c2b9e-0000-4000-8000-00000000000a/title": ("plain", '"Quoted" \\ back\\nslash', "„Zitat“ ‎‫"),
    "body/b/words/#0": ("plain", "  spaces  ", " Leerraum\t"),
    "body/b/words/#12": ("plain", "Two\nlines\n", "Zwei\r\nZeilen\r"),
    "body/c/code": ("verbatim", "if a < b:\r\n\tprint('{company}')\n", "if a < b:\n"),
    "body/t/html": (
        "rich",
        '<p data-block-key="k1">A <b>bold <a linktype="page" id="3">link</a></b> &amp; more.</p><hr/>',
        '<p data-block-key="k2">Ein <a linktype="page" id="57">Link</a>, <b>fett</b> &amp; mehr.</p><hr/>',
    ),
    "body/u/html": ("rich", "<p>not closed &nbsp; <br>1 < 2 & {year}", "<p>offen</b>&#x27;{year} {year}<br>"),
    "body/v/html": ("rich", "<ul><li><b>x</b></li><li><b>y</b></li></ul>", ""),
    "body/w/text": ("plain", "control \x0b and emoji 😀", "Zeichen \x1f \ufffe"),
}


def pages() -> list[PageUnits]:
    units = [Unit(path, kind, source, target, f"Label of {path}") for path, (kind, source, target) in HARD.items()]
    return [PageUnits(KEY, "/services/web", "Web & more", units)]


def texts_of(returned: list[Returned]) -> dict[str, tuple[Kind, str, str]]:
    """Return the texts of a file in the form of ``HARD``."""
    kinds = {path: kind for path, (kind, _, _) in HARD.items()}
    return {
        unit.path: (kinds[unit.path], join(unit.source, kinds[unit.path]), join(unit.target, kinds[unit.path]))
        for unit in returned
    }

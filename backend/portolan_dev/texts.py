"""Collect the studio's texts from code and templates, keep them in ``portolan/locale`` as PO, and compile them.

So gettext's tools are not needed.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from portolan.config.project import ROOT
from portolan.content.derived_labels import list_derived_labels

LANGUAGES: Final = ("de",)
"""Languages of the studio in addition to English, the language of its texts."""
_PACKAGE: Final = ROOT / "backend" / "portolan"
_LOCALE: Final = _PACKAGE / "locale"
_KEYWORDS: Final[dict[str, Any]] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "mark": None,
    "translate": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}
_NO_TIME: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Fixed time of compilation, so that the same texts give the same bytes."""
_DERIVED: Final = "content/derived_labels.py"
_FIELDS: Final = re.compile(r"%\((\w+)\)s|\{(\w*)[^{}]*\}")


def po_file(language: str) -> Path:
    return _LOCALE / language / "LC_MESSAGES" / "django.po"


def read_catalogue(language: str) -> Catalog:
    file = po_file(language)
    if not file.exists():
        return Catalog(locale=language)
    with file.open("rb") as opened:
        return read_po(opened, locale=language)


def renew(language: str) -> Catalog:
    """Return the catalogue with exactly the present texts. New texts have no translation."""
    catalogue = read_catalogue(language)
    catalogue.update(_gather(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    return catalogue


def as_po(catalogue: Catalog) -> bytes:
    kept = Catalog(locale=catalogue.locale, charset="utf-8")
    out = BytesIO()
    write_po(out, catalogue, width=120, include_lineno=False, omit_header=True, sort_by_file=True)
    header = (
        f'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: {kept.plural_forms}\\n"\n\n'
    )
    return header.encode() + out.getvalue()


def as_mo(catalogue: Catalog) -> bytes:
    plain = Catalog(
        locale=catalogue.locale, fuzzy=False, header_comment="", creation_date=_NO_TIME, revision_date=_NO_TIME
    )
    for message in catalogue:
        if message.id:
            plain.add(message.id, message.string, context=message.context)
    plain.mime_headers = [("Content-Type", "text/plain; charset=utf-8"), ("Plural-Forms", plain.plural_forms)]
    out = BytesIO()
    write_mo(out, plain)
    return out.getvalue()


def find_faults(catalogue: Catalog) -> list[str]:
    """Return texts without a translation, and translations with other placeholders."""
    return [fault for message in catalogue if message.id for fault in _faults_of(message)]


def _faults_of(message: Any) -> Iterator[str]:
    sources = message.id if isinstance(message.id, tuple) else (message.id,)
    said = message.string if isinstance(message.string, tuple) else (message.string,)
    if not all(said):
        yield f"not translated: {sources[0]!r}"
        return
    allowed = [_fields(source) for source in sources]
    for text in said:
        if _fields(text) not in allowed:
            yield f"other placeholders than {sources[0]!r}: {text!r}"


def _fields(text: str) -> list[str]:
    return sorted(named or formatted for named, formatted in _FIELDS.findall(text))


def _gather() -> Catalog:
    found = Catalog(charset="utf-8")
    for file in sorted((*_PACKAGE.rglob("*.py"), *_PACKAGE.rglob("templates/**/*.html"))):
        if "migrations" in file.parts:
            continue
        for _, text, _, context in extract("python", BytesIO(_readable(file)), keywords=_KEYWORDS):
            found.add(text, locations=[(str(file.relative_to(_PACKAGE)), 0)], context=context)
    for label in list_derived_labels():
        found.add(label, locations=[(_DERIVED, 0)])
    return found


def _readable(file: Path) -> bytes:
    """Return a file as Python. Lines of templates lose their indentation, which has no meaning."""
    text = file.read_text("utf-8")
    if file.suffix == ".py":
        return text.encode()
    return "\n".join(line.strip() for line in templatize(text, origin=str(file)).split("\n")).encode()

"""Check a form: its fields become a ``LeadForm``, and its files attachments."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import ValidationError

from ..domain.typed_numbers import plain_number, plain_phone
from ..schemas.lead import LeadForm
from ..schemas.visible_text import trim
from .attachments import check_attachment, clean_name
from .body import ReceivedFile
from .email_check import is_email
from .multipart import FormValue, build_form, join_key, split_key
from .refusals import INVALID_VALUE, LeadRefused, name_field, refuse

ATTACHMENTS: Final = "attachments"
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""These are rejected, also in an otherwise empty field."""
_PHONE: Final = "contact[phone]"
_COUNT: Final = re.compile(r"months|team\[\d+\]\[count\]")


class Attachment(NamedTuple):
    name: str
    extension: str
    path: Path
    size: int
    sha256: str


def check_fields(fields: Iterable[tuple[str, str]]) -> LeadForm:
    """Return the checked form. Raise LeadRefused with all invalid fields.

    Empty fields count as missing, because forms without scripts send all fields.
    """
    values = build_form(_write_plainly(name, value) for name, value in fields)
    values = {name: kept for name, value in values.items() if (kept := _without_blanks(value))}
    if ATTACHMENTS in values:
        raise refuse(INVALID_VALUE, ATTACHMENTS, "must be files")
    try:
        form = LeadForm.model_validate(values, by_alias=True, by_name=False)
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False, include_input=False)
        problems = [
            name_field(join_key(detail["loc"]), detail["msg"].removeprefix("Value error, ")) for detail in details
        ]
    else:
        if is_email(form.contact.email):
            return form
        problems = [name_field("contact[email]", "is not an e-mail address")]
    raise LeadRefused(
        INVALID_VALUE, problems
    )  # outside the block above, because its error contains the visitor's input


def check_files(files: Iterable[ReceivedFile]) -> list[Attachment]:
    """Return the checked files. Raise LeadRefused for the first invalid one."""
    attachments = []
    seen: set[str] = set()
    for file in files:
        match split_key(file.field):
            case ["attachments"]:
                pass
            case ["attachments", int()] if file.field not in seen:
                seen.add(file.field)
            case _:
                raise refuse(
                    INVALID_VALUE, file.field, "must not be a file: files are attachments[0], attachments[1] …"
                )
        name = clean_name(file.field, file.name)
        extension = check_attachment(file.field, name, file.path)
        attachments.append(Attachment(name, extension, file.path, file.size, file.sha256))
    return attachments


def _write_plainly(name: str, value: str) -> tuple[str, str]:
    """Return numbers with ASCII digits. A text that does not look like a phone number stays as it is."""
    if name == _PHONE:
        plain = plain_phone(value) or (" ".join(value.split()) if plain_number(value) else "")
        return name, plain
    return name, (plain_number(value) or value) if _COUNT.fullmatch(name) else value


def _without_blanks(value: FormValue) -> FormValue:
    if isinstance(value, Mapping):
        return {name: kept for name, child in value.items() if (kept := _without_blanks(child))}
    if isinstance(value, list):
        return [kept for child in value if (kept := _without_blanks(child))]
    return value if trim(value) or _CONTROL.search(value) else ""

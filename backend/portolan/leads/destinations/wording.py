"""Describe a lead for destinations, as values and as lines of text."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from ...schemas.base import Schema
from ...schemas.lead import AdClick, Contact, LeadForm, PriceRange
from .base import Payload

LARGEST_MESSAGE: Final = 20_000
"""Bytes of JSON that every webhook receiver accepts."""

OURS: Final[Mapping[str, Callable[[Payload], str]]] = {
    "id": lambda payload: payload.id,
    "site": lambda payload: payload.site,
    "form": lambda payload: payload.form,
    "files": lambda payload: ", ".join(file.name for file in payload.files),
}
"""Values that Portolan sets, by their names in ``LeadValue``."""
QUOTED: Final = "| "
_GROUPS: Final[Mapping[tuple[str, ...], type[Schema]]] = {
    (): LeadForm,
    ("contact",): Contact,
    ("price",): PriceRange,
    ("adClick",): AdClick,
}
_NOT_TOLD: Final = frozenset({"website", "privacyAccepted", "captchaToken", "secondsOpen"})
_CUTS: Final = (4000, 1000, 200, 50)
"""Characters to which long texts are cut, one after the other, until the JSON is short enough."""


def describe_payload(payload: Payload) -> dict[str, Any]:
    """Return the lead as data that fits a message. Files are given by their ids in the inbox."""
    told = {name: value for name, value in payload.fields.items() if name not in _NOT_TOLD}
    described = {
        "id": payload.id,
        "site": payload.site,
        "form": payload.form,
        "createdAt": payload.created_at.isoformat(),
        "flags": list(payload.flags),
        "spamScore": payload.spam_score,
        "captcha": payload.captcha_status,
        "fields": told,
        "files": [{"id": f.id, "name": f.name, "size": f.size, "sha256": f.sha256} for f in payload.files],
        "isCut": False,
    }
    room = LARGEST_MESSAGE - 500  # for the envelope
    for most in _CUTS:
        if _size(described) <= room:
            return described
        described |= {"fields": _cut(told, most), "isCut": True}
    if _size(described) > room:
        known = {name: value for name, value in told.items() if name in ("contact", "message", "pageUrl")}
        described |= {"fields": _cut(known, _CUTS[-1])}
    return described


def find_value(payload: Payload, path: str) -> str:
    """Return one value as text by its name in ``sites.destinations.LeadValue``; empty if it is missing.

    A visitor's field never replaces a value of Portolan, even with the same name.
    """
    if path in OURS:
        return OURS[path](payload)
    value: Any = payload.fields
    for step in path.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return _text(value)


def is_known(place: Sequence[str]) -> bool:
    """Return whether our forms have a field at ``place``. The visitor chose all other names."""
    *group, name = place
    model = _GROUPS.get(tuple(group))
    return model is not None and any(field.alias == name for field in model.model_fields.values())


def list_lines(payload: Payload) -> Iterator[str]:
    """Yield the lead's fields and files as lines of text in their order. Each line begins with ``| ``.

    Further lines of a value are indented, so that no value can imitate another one or the text around it.
    """
    for name, value in payload.fields.items():
        if name in _NOT_TOLD:
            continue
        if isinstance(value, Mapping):
            for key, child in value.items():
                known = is_known((name, key))
                yield from _lines(
                    f"{_label(name)} {_label(key)}" if known else _unknown(f"{name}[{key}]"), _text(child)
                )
        else:
            yield from _lines(_label(name) if is_known((name,)) else _unknown(name), _text(value))
    for file in payload.files:
        yield from _lines("file", f"{one_line(file.name)} ({file.size:,} bytes)")


def quote_lines(text: str) -> list[str]:
    """Quote a visitor's text for a mail. ``splitlines`` splits at every line end of any program."""
    return [f"{QUOTED}{line}" for line in text.splitlines()]


def one_line(text: str) -> str:
    """Return the text without line ends and invisible characters."""
    seen = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(seen.split())


def _lines(label: str, text: str) -> Iterator[str]:
    first, *others = quote_lines(f"{label[:1].upper()}{label[1:]}: {text}")
    yield first
    yield from (f"{QUOTED}    {line.removeprefix(QUOTED)}" for line in others)


def _unknown(name: str) -> str:
    return f'Field "{one_line(name)}"'


def _size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass"))


def _cut(value: Any, most: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= most else f"{value[:most]}…"
    if isinstance(value, Mapping):
        return {name: _cut(child, most) for name, child in value.items()}
    if isinstance(value, Sequence):
        return [_cut(child, most) for child in value]
    return value


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{_label(name)}: {_text(child)}" for name, child in value.items())
    if isinstance(value, list):
        return "; ".join(map(_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.15g}" if isinstance(value, float) else str(value)  # to the cent, without exponents


def _label(name: str) -> str:
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)

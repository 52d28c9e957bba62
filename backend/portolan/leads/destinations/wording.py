"""What destinations are sent of a lead, as values and as lines of text."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from .base import Payload

LARGEST_MESSAGE: Final = 20_000
"""Bytes of JSON that every webhook receiver accepts."""

_NOT_TOLD: Final = frozenset({"website", "privacyAccepted", "captchaToken", "secondsOpen"})
_CUTS: Final = (4000, 1000, 200, 50)
"""Long texts are cut to this many characters, one after the other, until the JSON is short enough."""


def describe_payload(payload: Payload) -> dict[str, Any]:
    """The lead as data, short enough to be sent as a message; files by their ids in the inbox."""
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
    room = LARGEST_MESSAGE - 500  # the envelope's
    for most in _CUTS:
        if _size(described) <= room:
            return described
        described |= {"fields": _cut(told, most), "isCut": True}
    if _size(described) > room:
        known = {name: value for name, value in told.items() if name in ("contact", "message", "pageUrl")}
        described |= {"fields": _cut(known, _CUTS[-1])}
    return described


def find_value(payload: Payload, path: str) -> str:
    """One value as text, by the names of ``sites.destinations.LeadValue``; empty where the lead has none."""
    if path == "files":
        return ", ".join(file.name for file in payload.files)
    value: Any = {"id": payload.id, "site": payload.site, "form": payload.form, **payload.fields}
    for step in path.split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    return _text(value)


def list_lines(payload: Payload) -> Iterator[tuple[str, str]]:
    """Every field with a name, in the order they were sent; those of groups as ``contact name``."""
    for name, value in payload.fields.items():
        if name in _NOT_TOLD:
            continue
        if isinstance(value, Mapping):
            yield from ((f"{_label(name)} {_label(key)}", _text(child)) for key, child in value.items())
        else:
            yield _label(name), _text(value)


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
    return f"{value:.15g}" if isinstance(value, float) else str(value)  # to the cent, and no powers of ten


def _label(name: str) -> str:
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)

"""Read the forms of a studio page as a browser would send them, with changed texts."""

from collections.abc import Iterator
from typing import Any, Final

from bs4 import BeautifulSoup
from django.core.files.uploadedfile import SimpleUploadedFile
from wagtail.blocks import ListBlock, StreamBlock, StructBlock

from ...releases.conftest import SVG
from .world import PDF

_UNTOUCHED: Final = ("csrf", "next", "slug", "key", "address", "icon", "_at", "email", "merge", "comment", "site_id")
"""Parts of names of fields that keep their value, because another value would be refused or is not content."""
_FRESH: Final = {
    "title": "Fresh", "slug": "fresh", "key": "fresh", "name": "Fresh", "company": "Fresh", "person": "Fresh", "text": "Fresh.",
    "city": "Fresh", "address": "https://example.com/fresh", "phone": "+49 30 99", "source": "/fresh", "lat": "1", "lng": "1",
}  # fmt: skip
"""Values for the fields of a new item, by the end of the field's name."""
_BEGINNING: Final = "body-0-value-title"
"""Field with the title of a new page's first block."""
_NEW: Final = ("/add/", "/new/", "/copy/")
OTHER_PICTURE: Final = SVG.replace(b"8z", b"7z")


def read_forms(url: str, html: str, shown: Any = None, is_whole: bool = True) -> Iterator[dict[str, Any]]:
    """Yield each posted form: unchanged, with every box ticked, and with each of its buttons. ``shown``: Django's form
    of the page, whose blocks the browser would fill in. ``is_whole``: also without a button, if the form has buttons.
    """
    for form in BeautifulSoup(html, "html.parser").find_all("form"):
        if form.get("method", "get").lower() != "post":
            continue
        fields = _complete(url, _read_fields(form), shown)
        buttons = [each for each in form.find_all(["button", "input"]) if each.get("name") and _submits(each)]
        named = dict.fromkeys((button["name"], button.get("value", "")) for button in buttons)
        if is_whole or not named:
            yield fields
        boxes = form.find_all("input", type="checkbox", checked=False)
        if unticked := {box["name"]: box.get("value", "on") for box in boxes if box.get("name")}:
            yield {**fields, **unticked}
        for name, value in named:
            yield {**fields, name: value}


def _submits(element: Any) -> bool:
    return element.get("type") == "submit" or (element.name == "button" and element.get("type") is None)


def _read_fields(form: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for field in form.find_all(["input", "textarea", "select"]):
        name, kind = field.get("name"), field.get("type", "text")
        if not name or field.has_attr("disabled") or kind in ("submit", "button", "image") or "__prefix__" in name:
            continue
        if field.name == "select":
            options = field.find_all("option")
            chosen = [option.get("value", "") for option in options if option.has_attr("selected")]
            offered = [option.get("value", "") for option in options]
            first = next((value for value in [*chosen, *offered] if value), "")
            fields[name] = chosen if field.has_attr("multiple") else first
        elif kind in ("checkbox", "radio"):
            if field.has_attr("checked") or (kind == "radio" and name not in fields):
                fields[name] = field.get("value", "on")
        elif kind == "file":
            fields[name] = SimpleUploadedFile("other.svg", OTHER_PICTURE)
        else:
            value = field.get("value", "") if field.name == "input" else field.text.strip("\n")
            is_text = kind == "text" or field.name == "textarea"
            is_free = is_text and value and value[0] not in "[{" and not any(part in name for part in _UNTOUCHED)
            fields[name] = f"{value}1" if is_free else value
    return fields


def _complete(url: str, fields: dict[str, Any], shown: Any) -> dict[str, Any]:
    """Add blocks if they belong to this form; for a new item, also the values that it needs."""
    is_shown = any(name in fields for name in getattr(shown, "fields", ()))
    found = {**fields, **(_read_streams(shown) if is_shown else {})}
    if "/documents/" in url and "file" in found:
        found["file"] = SimpleUploadedFile("other.pdf", PDF + b" other")
    if any(part in url for part in _NEW):
        ends = {name: name.rpartition("-")[2] for name in found if not found[name]}
        found |= {name: _FRESH[end] for name, end in ends.items() if end in _FRESH}
    if "new_slug" in found:
        found["new_slug"] = "fresh"
    return found


def _read_streams(form: Any) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, field in form.fields.items():
        if block := getattr(field, "block", None):
            found |= _read_block(block, form[name].value(), form.add_prefix(name))
    return found


def _read_block(block: Any, value: Any, name: str) -> dict[str, str]:
    found: dict[str, str] = {}
    if isinstance(block, StreamBlock):
        children = [(child.block_type, child.block, child.value) for child in value or ()]
        found[f"{name}-count"] = str(len(children))
        for index, (kind, child, inner) in enumerate(children):
            at = f"{name}-{index}"
            found |= {f"{at}-type": kind, f"{at}-order": str(index), f"{at}-deleted": ""}
            found |= _read_block(child, inner, f"{at}-value")
    elif isinstance(block, ListBlock):
        found[f"{name}-count"] = str(len(value or ()))
        for index, inner in enumerate(value or ()):
            found |= {f"{name}-{index}-order": str(index), f"{name}-{index}-deleted": ""}
            found |= _read_block(block.child_block, inner, f"{name}-{index}-value")
    elif isinstance(block, StructBlock):
        for key, child in block.child_blocks.items():
            found |= _read_block(child, (value or {}).get(key), f"{name}-{key}")
    elif hasattr(value, "pk"):
        found[name] = str(value.pk)
    elif name == _BEGINNING and not value:
        found[name] = "Fresh"
    elif value not in (None, False):
        shown = block.field.widget.format_value(block.value_for_form(value))
        text = str(shown[0] if isinstance(shown, list) else shown or "")
        found[name] = "on" if value is True else f"{text}1" if name.endswith("-title") else text
    return found

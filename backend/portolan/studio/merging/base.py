"""Carry the base version through a page's form, as digests.

The revision itself may be gone, because automatic saves overwrite their own revision.
"""

import json
from typing import Any, Final, NamedTuple

from django import forms
from wagtail.models import Page, Revision

from ...content.collections.base import TranslatedEntry
from ...content.site_setting import SiteSetting
from ...domain.merging import Version
from . import own_saves
from .lists import lists_of
from .translations import translations_of
from .versions import read_content

FIELD: Final = "merge_base"


class Base(NamedTuple):
    revision: str
    """Its ID and time."""
    version: Version


class CarriedField(forms.CharField):
    """Carries a value through the form, unchanged. Browsers must not fill in an older value."""

    widget = forms.HiddenInput(attrs={"autocomplete": "off"})

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


def name_revision(revision: Revision) -> str:
    return f"{revision.pk} {revision.created_at.isoformat()}"


def names_of(form: Any) -> list[str]:
    """Return the names of a page's fields that its form can change."""
    carried = (FIELD, own_saves.FIELD, "comments")
    return [name for name in (*form.fields, *form.formsets) if name not in carried]


def stream_of(thing: Page | SiteSetting | TranslatedEntry) -> Any:
    """Return the blocks of a page by their types. Menus, footers, rate cards and entries have their own kinds."""
    if isinstance(thing, SiteSetting):
        return lists_of(type(thing))
    if isinstance(thing, TranslatedEntry):
        return translations_of(type(thing))
    body = getattr(thing, "body", None)
    return None if body is None else body.stream_block


def describe_base(form: Any) -> str:
    """Return the base for a new form; empty for a page without revisions."""
    page = form.instance
    revision = page.latest_revision if page.pk else None
    if revision is None:
        return ""
    version = read_content(json.loads(page.to_json()), names_of(form)).version(stream_of(page))
    return json.dumps([name_revision(revision), version.fields, version.blocks], separators=(",", ":"))


def read_base(form: Any) -> Base | None:
    """Return the last save of the form, else the version it was opened with, else ``None``."""
    own = own_saves.find_own(form.instance.pk, form.data.get(own_saves.FIELD), form.for_user)
    if own is not None:
        version = read_content(own.content, names_of(form)).version(stream_of(form.instance))
        return Base(name_revision(own), version)
    return parse_base(form.data.get(FIELD))


def parse_base(text: str | None) -> Base | None:
    try:
        revision, fields, blocks = json.loads(text or "")
        return Base(str(revision), Version(dict(fields), {id: dict(each) for id, each in blocks.items()}))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None

"""What an editor began with. It stands in the form as digests, because the revision itself may be gone: who saves while they
type saves over their own."""

import json
from typing import Any, Final, NamedTuple

from django import forms
from wagtail.models import Page, Revision

from ...domain.merging import Version
from .versions import read_content

FIELD: Final = "merge_base"


class Base(NamedTuple):
    revision: str
    """Which it was, and of when."""
    version: Version


class MergeBaseField(forms.CharField):
    """What its form began with, which comes back with what was typed."""

    widget = forms.HiddenInput

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


def name_revision(revision: Revision) -> str:
    return f"{revision.pk} {revision.created_at.isoformat()}"


def names_of(form: Any) -> list[str]:
    """What of a page its form can change."""
    return [name for name in (*form.fields, *form.formsets) if name not in (FIELD, "comments")]


def stream_of(page: Page) -> Any:
    body = getattr(page, "body", None)
    return None if body is None else body.stream_block


def describe_base(form: Any) -> str:
    """Of a form that is opened; nothing for a page that was never saved."""
    page = form.instance
    revision = page.latest_revision if page.pk else None
    if revision is None:
        return ""
    version = read_content(json.loads(page.to_json()), names_of(form)).version(stream_of(page))
    return json.dumps([name_revision(revision), version.fields, version.blocks], separators=(",", ":"))


def read_base(form: Any) -> Base | None:
    """What the form began with, or what it has saved by itself since. None where it does not say."""
    saved = form.data.get("overwrite_revision_id")
    own = form.instance.revisions.filter(pk=saved).first() if str(saved or "").isdigit() else None
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

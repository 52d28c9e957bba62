"""Text fields of the studio in which characters that show nothing are nothing: a title of them is empty, and none stay at the
ends of a name. Pasted texts bring them along.
"""

from typing import Any

from django import forms
from django.db import models
from wagtail import blocks
from wagtail.admin.forms.models import register_form_field_override
from wagtail.admin.widgets import AdminAutoHeightTextInput

from ..schemas.visible_text import trim


class TrimmedField(forms.CharField):
    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return trim(text) if self.strip and isinstance(text, str) else text


class Trimmed(blocks.FieldBlock):
    """Mixin for blocks of one text."""

    def value_from_form(self, value: Any) -> Any:
        return super().value_from_form(trim(value) if isinstance(value, str) else value)


def connect() -> None:
    """Give the forms of pages, entries and files these fields. Fields of addresses, keys and choices stay as they are."""
    register_form_field_override(models.CharField, override={"form_class": TrimmedField}, exact_class=True)
    register_form_field_override(
        models.TextField,
        override={"form_class": TrimmedField, "widget": AdminAutoHeightTextInput},
        exact_class=True,
    )

"""Trim invisible characters in the studio's text fields. Pasted texts often contain them.

A title that consists of them is empty.
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
    """Use these fields in the forms of pages, entries and files. Fields of URLs, keys and choices stay the same."""
    register_form_field_override(models.CharField, override={"form_class": TrimmedField}, exact_class=True)
    register_form_field_override(
        models.TextField,
        override={"form_class": TrimmedField, "widget": AdminAutoHeightTextInput},
        exact_class=True,
    )

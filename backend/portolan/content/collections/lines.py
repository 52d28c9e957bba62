"""Define a field for a list of short texts, one per line."""

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext

from ...schemas.visible_text import trim
from ..rules import check_placeholders

_LONGEST: Final = 80


class LinesFormField(forms.CharField):
    widget = forms.Textarea(attrs={"rows": 5})

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        lines = value if isinstance(value, list) else (value or "").splitlines()
        return [trimmed for line in lines if (trimmed := trim(line))]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return self.to_python(initial) != self.to_python(data)


class LinesField(models.JSONField):
    """A list of texts in the editor's order."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"default": list, **kwargs})

    def formfield(self, **kwargs: Any) -> forms.Field:
        return LinesFormField(
            label=str(self.verbose_name).capitalize(), help_text=self.help_text, required=not self.blank
        )

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        if not (isinstance(value, list) and all(isinstance(line, str) for line in value)):
            raise ValidationError(gettext("This must be a list of texts."), code="list")
        super().validate(value, model_instance)
        for line in value:
            if len(line) > _LONGEST:
                raise ValidationError(
                    gettext("“{line}…” has {count} characters. Use up to {LONGEST} per line.").format(
                        line=line[:30], count=len(line), LONGEST=_LONGEST
                    ),
                    code="max_length",
                )
            check_placeholders(line)

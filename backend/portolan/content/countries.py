"""Define fields for countries: chosen by name, stored by code (ISO 3166-1 alpha-2, lower case)."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import get_language, gettext

from ..domain.countries import COUNTRIES
from ..domain.letter_order import sort_key


def list_countries(codes: Iterable[str] = COUNTRIES) -> list[tuple[str, str]]:
    """Return codes and names, by the names in the reader's language."""
    language = get_language() or ""
    countries = ((code, name_country(code)) for code in codes)
    return sorted(countries, key=lambda country: sort_key(country[1], language))


def check_countries(codes: Sequence[str]) -> None:
    unknown = [str(code) for code in codes if code not in COUNTRIES]
    if unknown:
        raise ValidationError(
            gettext("Unknown country code: {names}. Use ISO 3166-1 codes of two lower-case letters, e.g. gb.").format(
                names=", ".join(unknown)
            ),
            code="country",
        )


class CountryField(models.CharField):  # type: ignore[type-arg]
    """One country, chosen from a list of names. The list stays out of migrations."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": 2, "choices": list_countries, **kwargs})

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        name, path, args, kwargs = super().deconstruct()
        kwargs.pop("choices", None)
        return name, path, args, kwargs


class CountryCheckboxes(forms.CheckboxSelectMultiple):
    """A long list of boxes to tick, the ticked ones first. With scripts it can be searched."""

    def __init__(self, attrs: dict[str, Any] | None = None, choices: Sequence[Any] = ()) -> None:
        super().__init__({"class": "country-checkboxes", **(attrs or {})}, choices)

    class Media:
        css = {"all": ["content/country-checkboxes.css"]}
        js = ["content/country-checkboxes.js"]

    def optgroups(self, name: str, value: list[str], attrs: dict[str, Any] | None = None) -> list[Any]:
        groups = super().optgroups(name, value, attrs)
        return sorted(groups, key=lambda group: not group[1][0]["selected"])


class CountriesField(models.JSONField):
    """Any number of countries, in the alphabetical order of their codes."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"default": list, **kwargs})

    def formfield(self, **kwargs: Any) -> forms.Field:
        return forms.MultipleChoiceField(
            choices=list_countries,
            widget=CountryCheckboxes,
            label=str(self.verbose_name).capitalize(),
            help_text=self.help_text,
            required=not self.blank,
        )

    def to_python(self, value: Any) -> Any:
        value = super().to_python(value)
        return sorted(set(value)) if isinstance(value, list | tuple) else value

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        if not isinstance(value, list):
            raise ValidationError(gettext("This must be a list of country codes, e.g. [“gb”, “ie”]."), code="list")
        super().validate(value, model_instance)
        check_countries(value)


def name_country(code: str) -> str:
    """Return the country's name in the reader's language, or the code if it is unknown."""
    name = COUNTRIES.get(code)
    return gettext(name) if name else code

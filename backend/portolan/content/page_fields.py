"""Export the fields of a page of a plugin's page type, other than its body.

The Django class of a field decides its format. Its name is that of the field in the page type's schema.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db import models
from pydantic.alias_generators import to_camel
from wagtail.documents.models import AbstractDocument
from wagtail.fields import RichTextField, StreamField

from ..schemas.base import Schema
from .pictures import SiteImage
from .rich_text import snapshot_html
from .rules import check_placeholders
from .snapshot import TranslationKeys, snapshot_stream

if TYPE_CHECKING:
    from .pages.base import SitePage

_ALT = "_alt"


def snapshot_fields(page: "SitePage", schema: type[Schema], pages: TranslationKeys) -> dict[str, Any]:
    """Return every field of ``schema`` in wire names, with references. Raise TypeError for unsupported fields.

    An image is a foreign key to ``content.SiteImage`` and ``<name>_alt``, a list is a ``BlocksField``.
    """
    return {to_camel(name): _snapshot(page, name, pages) for name in schema.model_fields}


def raw_fields(page: "SitePage") -> list[Any]:
    """Return the fields that may link to pages, as ``collect_page_ids`` reads them."""
    return [
        list(value.raw_data) if isinstance(field, StreamField) else value
        for field in _own(page, (StreamField, RichTextField))
        if (value := getattr(page, field.name))
    ]


def find_misplaced_placeholders(page: "SitePage") -> dict[str, ValidationError]:
    """Return the errors for unknown placeholders, by field."""
    problems = {}
    for field in _own(page, (models.CharField, models.TextField)):
        try:
            check_placeholders(getattr(page, field.name) or "")
        except ValidationError as error:
            problems[field.name] = error
    return problems


def _own(page: "SitePage", kinds: tuple[type[models.Field[Any, Any]], ...]) -> Iterable[Any]:
    names = page.Fields.model_fields.keys() if page.Fields else ()
    return (
        field for field in page._meta.fields if field.name in names and isinstance(field, kinds) and not field.choices
    )


def _snapshot(page: "SitePage", name: str, pages: TranslationKeys) -> Any:
    try:
        field: Any = page._meta.get_field(name)
    except FieldDoesNotExist:
        raise TypeError(
            f"{type(page).__name__} has no field {name!r}, but Fields has it: add the field, or return its value from snapshot_fields."
        ) from None
    if isinstance(field, models.ForeignKey) and issubclass(field.related_model, SiteImage):
        chosen = getattr(page, field.attname)
        return {"$picture": str(chosen), "alt": getattr(page, name + _ALT, "")} if chosen else None
    if isinstance(field, models.ForeignKey) and issubclass(field.related_model, AbstractDocument):
        chosen = getattr(page, field.attname)
        return {"$document": str(chosen)} if chosen else None
    value = getattr(page, name)
    if isinstance(field, StreamField):
        return snapshot_stream(value, pages)
    if isinstance(field, RichTextField):
        return {"$html": snapshot_html(value or "", pages)}
    for kind, plain in _PLAIN:
        if isinstance(field, kind):
            return None if value is None else plain(value)
    raise TypeError(
        f"{type(page).__name__}.{name} is a {type(field).__name__}, which cannot be stored in a release: return its value from snapshot_fields."
    )


_PLAIN: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (models.DateTimeField, lambda moment: moment.isoformat()),
    (models.DateField, lambda day: day.isoformat()),
    (models.TimeField, lambda time: time.isoformat("minutes")),
    (models.DecimalField, str),
    ((models.BooleanField, models.IntegerField, models.FloatField), lambda value: value),
    ((models.CharField, models.TextField), str),
)
"""Types without references, the most specific first."""

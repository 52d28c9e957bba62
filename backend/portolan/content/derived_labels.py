"""Translate labels that Django and Wagtail derive from names in the code: fields, plurals of models, and countries.

Labels of model fields are derived (``city``), because explicit ones would need migrations.
"""

from collections.abc import Iterator
from typing import Any, Final

from django.apps import apps
from django.utils.translation import gettext_lazy, override
from wagtail import blocks
from wagtail.fields import StreamField

from ..domain.countries import COUNTRIES

_OURS: Final = "portolan.content"
_SHOWN: Final = (_OURS, "portolan.accounts", "portolan.consent_records")
"""Apps with models that the studio lists."""


def translate_derived_labels() -> None:
    """Call it after all models are loaded and before any form is built."""
    for field in _fields():
        field.verbose_name = gettext_lazy(field.verbose_name)
    for block in _blocks():
        block.label = gettext_lazy(block.label)
    for model, plural in _plurals():
        model._meta.verbose_name_plural = gettext_lazy(plural)


def list_derived_labels() -> list[str]:
    """Return the English labels, each once, for the catalogue."""
    names = {str(field.verbose_name) for field in _fields()} | {str(block.label) for block in _blocks()}
    return sorted(names | {plural for _, plural in _plurals()} | set(COUNTRIES.values()))


def _models(*of: str) -> Iterator[Any]:
    for config in apps.get_app_configs():
        if config.name in (of or (_OURS,)):
            yield from config.get_models()


def _plurals() -> Iterator[tuple[Any, str]]:
    with override(None):  # in the code's language
        for model in _models(*_SHOWN):
            written = model._meta.original_attrs
            if "verbose_name" in written and "verbose_name_plural" not in written:
                yield model, f"{model._meta.verbose_name}s"


def _fields() -> Iterator[Any]:
    for model in _models(*_SHOWN):
        for field in model._meta.local_fields:
            if field._verbose_name is None and field.editable and not field.auto_created:
                yield field


def _blocks() -> Iterator[Any]:
    seen: set[int] = set()
    for model in _models():
        for field in model._meta.local_fields:
            if isinstance(field, StreamField):
                yield from _inside(field.stream_block, seen)


def _inside(block: Any, seen: set[int]) -> Iterator[Any]:
    if id(block) in seen:
        return
    seen.add(id(block))
    if not block.meta.label and block.name:
        yield block
    if isinstance(block, blocks.ListBlock):
        yield from _inside(block.child_block, seen)
    for child in getattr(block, "child_blocks", {}).values():
        yield from _inside(child, seen)

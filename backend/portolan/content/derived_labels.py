"""Names of fields that stand nowhere as a text, because Django and Wagtail make them of the attribute's name: ``city``,
``Line above``. They are translated like the others.

Of a model they must not be written out for that: migrations would have to follow.
"""

from collections.abc import Iterator
from typing import Any, Final

from django.apps import apps
from django.utils.translation import gettext_lazy
from wagtail import blocks
from wagtail.fields import StreamField

_OURS: Final = "portolan.content"


def translate_derived_labels() -> None:
    """Once all models are there, and before any form is."""
    for field in _fields():
        field.verbose_name = gettext_lazy(field.verbose_name)
    for block in _blocks():
        block.label = gettext_lazy(block.label)


def list_derived_labels() -> list[str]:
    """In English, each once: for the catalogue."""
    return sorted({str(field.verbose_name) for field in _fields()} | {str(block.label) for block in _blocks()})


def _models() -> Iterator[Any]:
    for config in apps.get_app_configs():
        if config.name == _OURS:
            yield from config.get_models()


def _fields() -> Iterator[Any]:
    for model in _models():
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

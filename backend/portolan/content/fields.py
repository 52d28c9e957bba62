"""Define stream fields whose blocks stay out of migrations, so that new blocks need none."""

import json
from collections.abc import Collection
from contextlib import suppress
from typing import Any, Final, Self

from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.db.models import Model
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail import blocks
from wagtail.blocks.stream_block import StreamBlockValidationError
from wagtail.blocks.struct_block import StructBlockValidationError
from wagtail.fields import StreamField

from .blocks import BLOCKS
from .folded_blocks import FoldedStream
from .rules import find_unusable_anchors


class BlocksField(StreamField):
    """A StreamField that is a plain JSON column in migrations."""

    def __init__(self, block_types: Any, *args: Any, **kwargs: Any) -> None:
        types = FoldedStream(block_types) if isinstance(block_types, list) else block_types
        super().__init__(types, *args, **kwargs)

    def deconstruct(self) -> tuple[str, str, list[Any], dict[str, Any]]:
        name, path, _, kwargs = super().deconstruct()
        del kwargs["block_lookup"]
        return name, path, [[]], kwargs

    def clone(self) -> Self:
        _, _, _, kwargs = self.deconstruct()
        return self.__class__(self.block_types_arg, **kwargs, **self.block_opts_given)

    @property
    def block_opts_given(self) -> dict[str, Any]:
        return {name: value for name, value in self.block_opts.items() if name != "required"}


def read_raw(row: Model) -> None:
    """Fill the raw data that ``snapshot`` reads for streams that came from a form."""
    for field in row._meta.fields:
        if isinstance(field, BlocksField):
            stream = getattr(row, field.name)
            setattr(row, field.name, stream.stream_block.to_python(stream.get_prep_value()))


INSTANCES: Final = {block.type_name(): block() for block in BLOCKS}
"""Shared by all page types, because creating the hundreds of fields takes time at start."""


class BodyStream(FoldedStream):
    """The blocks of a page, in the order of ``BLOCKS``. At most one hero, because it contains the page's only h1."""

    def __init__(self, local_blocks: Any = None, only: Collection[str] | None = None, **kwargs: Any) -> None:
        if unknown := sorted({*(only or ())} - INSTANCES.keys()):
            raise ImproperlyConfigured(
                f"There is no block {', '.join(unknown)} for BodyField(only=…); there are {', '.join(INSTANCES)}."
            )
        offered = [(name, block) for name, block in INSTANCES.items() if only is None or name in only]
        super().__init__(offered, **kwargs)
        if "hero" not in self.child_blocks:
            self.set_meta_options({"block_counts": {}})

    def to_python(self, value: Any) -> blocks.StreamValue:
        """Also store ``unknown_types``: types of blocks that Wagtail drops because it has no form for them.

        Their plugin is missing, or the page type does not offer them (``find_unknown_types``).
        """
        stream = super().to_python(value)
        if not isinstance(value, blocks.StreamValue):
            with suppress(ValueError):  # the text is not JSON
                stored = json.loads(value) if isinstance(value, str) and value else value or ()
                types = {child["type"] for child in stored if isinstance(child, dict)}
                stream.unknown_types = sorted(types - self.child_blocks.keys())
        return stream

    class Meta:
        block_counts = {"hero": {"max_num": 1}}

    def clean(self, value: blocks.StreamValue) -> blocks.StreamValue:
        cleaned = super().clean(value)
        errors: dict[int, ValidationError] = {}
        for index, other in find_unusable_anchors([child.value for child in cleaned]).items():
            if other is not None:  # the field itself rejects reserved anchors
                twice = gettext("Block {value} already has this anchor. Enter another one.").format(value=other + 1)
                errors[index] = StructBlockValidationError(block_errors={"anchor": ValidationError(twice)})
        if errors:
            raise StreamBlockValidationError(block_errors=errors)
        return cleaned


def find_unknown_types(stream: blocks.StreamValue) -> list[str]:
    """Return the types of blocks that a stored body contains and that are not available."""
    return getattr(stream, "unknown_types", [])


class BodyField(BlocksField):
    """The body of a page: all blocks, or those with the types in ``only``."""

    def __init__(self, block_types: Any = None, only: Collection[str] | None = None, **kwargs: Any) -> None:
        self._only = only
        types = BodyStream if only is None else BodyStream(only=only)
        super().__init__(types, **{"verbose_name": _("blocks"), **kwargs})

    def clone(self) -> Self:
        _, _, _, kwargs = self.deconstruct()
        return self.__class__(only=self._only, **kwargs, **self.block_opts_given)

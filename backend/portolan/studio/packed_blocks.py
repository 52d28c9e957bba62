"""Cache the descriptions of block types, which Wagtail creates for each form."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.utils.translation import get_language
from wagtail.blocks.base import BlockWidget


def connect() -> None:
    if not hasattr(BlockWidget._build_block_json, "__wrapped__"):
        BlockWidget._build_block_json = _keep(BlockWidget._build_block_json)


def _keep(build: Callable[[Any], None]) -> Callable[[Any], None]:
    @wraps(build)
    def build_once(self: Any) -> None:
        kept = self.block_def.__dict__.setdefault("_packed_by_language", {})
        language = get_language()
        if language not in kept:
            build(self)
            kept[language] = self._js_context, self._block_json
        self._js_context, self._block_json = kept[language]

    return build_once

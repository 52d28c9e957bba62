"""Define texts of the interface that editors changed for a site."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import StringConstraints

PluralCategory = Literal["zero", "one", "two", "few", "many", "other"]
"""Of the Unicode CLDR."""
Word = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
Words = Mapping[str, Word | Mapping[PluralCategory, Word]]
"""Texts by key in `web/src/locales/texts.ts`, or their plural forms."""

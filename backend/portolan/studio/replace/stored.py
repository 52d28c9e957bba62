"""Find the rows that may contain words, by queries, so that only these rows are loaded."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from django.db import connection
from django.db.models import Case, Q, QuerySet, TextField, When
from django.db.models.functions import Cast, Collate

from ...content.texts import text_columns
from ...domain.replacing import Replacing, plain_parts

_DRAFT: Final = "latest_revision__content"
_HAS_DRAFT: Final = Q(has_unpublished_changes=True) | Q(live=False)
"""All other rows have no draft: their columns are the newest state."""


def rows_with(rows: QuerySet[Any], asked: Replacing) -> QuerySet[Any]:
    """Return the rows whose live version or draft may contain the words."""
    columns = text_columns(rows.model)
    casts = {f"stored_{index}": _as_text(name) for index, name in enumerate(columns)}
    draft = f"stored_{len(casts)}"
    # A separate condition would be checked on the revisions of all content, not only of these rows.
    casts[draft] = Case(When(_HAS_DRAFT, then=_as_text(_DRAFT)))
    if plain := plain_parts(asked.find):
        found = Q()
        for name in casts:
            has_all = Q(**{f"{name}__icontains": plain[0]})
            for part in plain[1:]:
                has_all &= Q(**{f"{name}__icontains": part})
            found |= has_all
        return rows.filter(pk__in=rows.order_by().annotate(**casts).filter(found).values("pk"))
    word = max(re.findall(r"\w+", asked.find), key=len, default="").casefold()
    if not word:
        return rows
    ids: set[Any] = set()
    for some, names in ((rows, [name for name in casts if name != draft]), (rows.filter(_HAS_DRAFT), [draft])):
        values = some.order_by().annotate(**{name: casts[name] for name in names}).values_list("pk", *names).iterator()
        ids |= {pk for pk, *texts in values if any(text and _may_have(text, word) for text in texts)}
    return rows.filter(pk__in=ids)


def load_in_parts(rows: QuerySet[Any], ids: list[Any], size: int = 50) -> Iterator[Any]:
    """Yield rows in the order of ``ids``, loaded in parts as needed. None: the row was deleted."""
    for at in range(0, len(ids), size):
        found = rows.in_bulk(ids[at : at + size])
        yield from (found.get(id) for id in ids[at : at + size])


def _as_text(name: str) -> Any:
    """Return the column as text. PostgreSQL compares the ASCII letters of ``plain_parts`` several times faster with "C"."""
    text = Cast(name, TextField())
    return Collate(text, "C") if connection.vendor == "postgresql" else text


def _may_have(stored: str, word: str) -> bool:
    """Return False if ``word`` is not in the stored text. JSON may escape letters; in drafts, streams escape them twice."""
    rare = next((letter for letter in word if not letter.isascii()), "")
    if rare and not any(form in stored for form in _forms_of(rare)):
        return False  # saves the slow copies below
    for _ in range(2):
        try:
            stored = stored.encode("ascii", "backslashreplace").decode("unicode_escape")
        except UnicodeDecodeError:
            return True
        if word in stored.casefold():
            return True
        if "\\u" not in stored:
            return False
    return False


@lru_cache
def _forms_of(letter: str) -> tuple[str, ...]:
    """Return the letter in lower and upper case, plain and escaped as in JSON."""
    letters = [other for other in map(chr, range(0x80, 0x10000)) if letter in other.casefold()] or [letter]
    return tuple({form for each in letters for form in (each, json.dumps(each)[1:-1])})

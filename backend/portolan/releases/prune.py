"""Remove the data of old releases in short transactions.

The newest row of each URL of a page stays for ever, so that old URLs redirect to the page or return 410 Gone.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.db import transaction

from .connection import run

_ROWS: Final = 500
"""Rows of one transaction. Old builds of SQLite accept 999 parameters."""
_OLD: Final = "until <= %s"
_SUPERSEDED: Final = """
until <= %s AND (template = 'error' OR EXISTS (
    SELECT 1 FROM releases_releaseroute later WHERE later.path = releases_releaseroute.path
    AND later.site = releases_releaseroute.site AND later.template <> 'error'
    AND (later.until IS NULL OR later.until > releases_releaseroute.until)
))"""


class _Old(NamedTuple):
    what: str
    table: str
    key: str
    where: str


_TABLES: Final = (
    _Old(
        "releases", "releases_release", "number", "number < %s"
    ),  # first, so that nobody can go back to a partial release
    _Old("items", "releases_releaseitem", "id", _OLD),
    _Old("references", "releases_releasereference", "id", _OLD),
    _Old("entered values", "releases_enteredvalue", "id", _OLD),
    _Old("answers of sites", "releases_verification", "id", "release < %s"),
    _Old("addresses", "releases_releaseroute", "id", _SUPERSEDED),
)


def count_before(release: int) -> dict[str, int]:
    """Return the number of rows, by table, that only releases before this one need."""
    return {old.what: _count(old, release) for old in _TABLES}


def prune_before(release: int) -> dict[str, int]:
    """Remove these rows, and return their number."""
    return {old.what: sum(map(len, _remove(old, release))) for old in _TABLES}


def _count(old: _Old, release: int) -> int:
    ((count,),) = run(f"SELECT count(*) FROM {old.table} WHERE {old.where}", [release])  # noqa: S608
    return int(count)


def _remove(old: _Old, release: int) -> Iterator[Sequence[Any]]:
    select = f"SELECT {old.key} FROM {old.table} WHERE {old.where} LIMIT {_ROWS}"  # noqa: S608
    while True:
        with transaction.atomic():
            rows = [row[0] for row in run(select, [release])]
            if rows:
                marks = ", ".join(["%s"] * len(rows))
                run(f"DELETE FROM {old.table} WHERE {old.key} IN ({marks})", rows)  # noqa: S608
        yield rows
        if len(rows) < _ROWS:
            return

"""Index the URLs of pages and the references between items.

The index is written in the transaction that creates the items and derived from their bodies alone, so that both always
match (``portolan verify`` compares them). Planning, lists and searches read it instead of bodies.

A row is valid from ``since`` until (not including) ``until``, like an item. If a new body gives the same rows, they
stay.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Any, Final, NamedTuple, TypeVar

from ..domain.references import Reference, find_references
from ..domain.snapshot_bodies import PageBody
from .ids import ItemId

Run = Callable[[str, Sequence[Any]], Iterable[Sequence[Any]]]
"""Runs one statement with ``%s`` parameters and returns its rows, if any."""

_Value = TypeVar("_Value")
_Cells = tuple[Any, ...]
_WITHOUT_REFERENCES: Final = frozenset({"picture", "document", "figures"})
_PARAMETERS: Final = 900
"""Parameters of one statement. Old builds of SQLite accept 999."""


class Page(NamedTuple):
    """A page item without its content, for routes, sitemaps and breadcrumbs."""

    site: str
    key: str
    """Translation key: the same on every site that has the page."""
    path: str
    template: str
    title: str
    parent: str | None
    changed: str | None
    """ISO time of the last publish that changed the page."""
    switcher_hidden: bool
    fallback: str | None = None
    """The site whose page is shown here untranslated; None for the site's own pages."""

    @property
    def content_site(self) -> str:
        """The site whose language, card and collections the content has."""
        return self.fallback or self.site


class _Table(NamedTuple):
    name: str
    columns: tuple[str, ...]
    """Columns derived from the item, including its key."""
    kind: str
    """The only kind of item in this table, which has no column for it; empty if any kind may have rows."""
    cells_of: Callable[[ItemId, Any], set[_Cells]]
    """Returns the rows of one item, without their validity."""


def index_page(site: str, key: str, body: PageBody) -> Page:
    """Return the place of a page."""
    return Page(
        site,
        key,
        body["path"],
        body["template"],
        body["title"],
        body["parent"],
        body["changed"],
        body["switcher_hidden"],
        body.get("fallback"),
    )


def index_references(kind: str, body: Any) -> frozenset[Reference]:
    """Return the references in the body of an item, each once."""
    if kind == "redirect":
        return frozenset({Reference("page", body["page"])} if body["page"] else ())
    return frozenset() if kind in _WITHOUT_REFERENCES else frozenset(find_references(body))


def _reference_cells(id: ItemId, body: Any) -> set[_Cells]:
    return {(*id, *reference) for reference in index_references(id.kind, body)}


ROUTES: Final = _Table(
    "releases_releaseroute", Page._fields, "page", lambda id, body: {index_page(id.site, id.key, body)}
)
REFERENCES: Final = _Table(
    "releases_releasereference", ("site", "kind", "key", "target_kind", "target_key"), "", _reference_cells
)


def write_index(run: Run, number: int, bodies: Mapping[ItemId, Any | None]) -> None:
    """Update the index to release ``number``, in which these items have new bodies or are gone (None).

    Bodies are parsed and in the current format. ``run`` works in the transaction that writes the items.
    """
    for table in (ROUTES, REFERENCES):
        known = {id: body for id, body in bodies.items() if table.kind in ("", id.kind)}
        stored: dict[ItemId, dict[_Cells, int]] = {}
        for row, cells in _read_current(run, table, known):
            stored.setdefault(_id(table, cells), {})[cells] = row
        close: list[int] = []
        insert: list[_Cells] = []
        for id, body in known.items():
            before = stored.get(id, {})
            after = set() if body is None else table.cells_of(id, body)
            close += [row for cells, row in before.items() if cells not in after]
            insert += [(*cells, number) for cells in sorted(after - before.keys(), key=str)]
        for rows in chunks(close, _PARAMETERS):
            run(f"UPDATE {table.name} SET until = %s WHERE id IN ({_marks(rows)})", (number, *rows))  # noqa: S608
        _insert(run, table, insert)


def find_differences(run: Run, current: Iterable[tuple[ItemId, Any]]) -> list[str]:
    """Return a sentence for each difference between the index and the current items. Pass all items."""
    wanted: dict[str, set[_Cells]] = {table.name: set() for table in (ROUTES, REFERENCES)}
    for id, body in current:
        for table in (ROUTES, REFERENCES):
            if table.kind in ("", id.kind):
                wanted[table.name] |= table.cells_of(id, body)
    found = []
    for table in (ROUTES, REFERENCES):
        stored = {cells for _, cells in _read_current(run, table, None)}
        for cells in sorted(wanted[table.name] ^ stored, key=str):
            does = "lacks" if cells in wanted[table.name] else "has, without an item,"
            found.append(f"{table.name} {does} {cells}")
    return found


def _id(table: _Table, cells: _Cells) -> ItemId:
    return ItemId(cells[0], table.kind, cells[1]) if table.kind else ItemId(*cells[:3])


def _read_current(run: Run, table: _Table, ids: Iterable[ItemId] | None) -> Iterator[tuple[int, _Cells]]:
    """Yield the current rows with their IDs, of these items or of all."""
    select = f"SELECT id, {', '.join(table.columns)} FROM {table.name} WHERE until IS NULL"  # noqa: S608
    if ids is None:
        yield from ((row[0], tuple(row[1:])) for row in run(select, ()))
        return
    for (site, kind), group in groupby(sorted(ids), key=lambda id: id[:2]):
        of_kind = ("", ()) if table.kind else (" AND kind = %s", (kind,))
        for some in chunks([id.key for id in group], _PARAMETERS):
            sql = f"{select} AND site = %s{of_kind[0]} AND key IN ({_marks(some)})"
            yield from ((row[0], tuple(row[1:])) for row in run(sql, (site, *of_kind[1], *some)))


def _insert(run: Run, table: _Table, rows: Sequence[_Cells]) -> None:
    columns = (*table.columns, "since")
    one = f"({_marks(columns)})"
    for some in chunks(rows, _PARAMETERS // len(columns)):
        values = ", ".join([one] * len(some))
        run(
            f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES {values}",  # noqa: S608
            [cell for row in some for cell in row],
        )


def _marks(values: Sequence[Any]) -> str:
    return ", ".join(["%s"] * len(values))


def chunks(values: Iterable[_Value], size: int) -> Iterator[list[_Value]]:
    """Split into lists of at most ``size``."""
    rest = iter(values)
    while chunk := list(islice(rest, size)):
        yield chunk

"""Sort names in the database in the order of a language, for the studio's lists of pages, entries, files and people.

SQLite sorts by ``domain.letter_order``, PostgreSQL by its ICU collation of the language.
"""

from functools import cache
from typing import Any, Final

from django.db import connections, models
from django.db.backends.signals import connection_created
from django.db.models import F, QuerySet
from django.db.models.expressions import Func, Value
from django.db.models.functions import Collate
from django.utils.translation import get_language

from ..domain.letter_order import sort_key

_FUNCTION: Final = "portolan_sort_key"
_NAMES: Final = (models.CharField, models.TextField)


class InOrder(Func):
    """An expression that sorts a text column in the order of a language."""

    function = _FUNCTION
    output_field = models.TextField()

    def __init__(self, text: Any, language: str) -> None:
        super().__init__(text, Value(language))
        self.language = language

    def as_postgresql(self, compiler: Any, connection: Any) -> Any:
        text = self.get_source_expressions()[0]
        collation = _find_collation(connection.alias, self.language)
        return compiler.compile(Collate(text, collation) if collation else text)


class NamesInOrder:
    """Mixin for Wagtail's lists that sorts columns of names in the order of a language."""

    def language_of_list(self) -> str:
        """Return the language whose order the list has: the reader's, unless the list is of one site."""
        return get_language() or ""

    def order_queryset(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        ordered = super().order_queryset(rows)  # type: ignore[misc]
        return order_names(ordered, self.language_of_list())


def order_names(rows: QuerySet[Any], language: str) -> QuerySet[Any]:
    """Return the rows in their own order, with names in the order of ``language``."""
    given = rows.query.order_by or (() if rows.query.extra_order_by else rows.model._meta.ordering)
    if not given:
        return rows
    return rows.order_by(*(_in_order(rows.model, each, language) for each in given))


def connect() -> None:
    """Give each connection to SQLite the function."""
    connection_created.connect(_add_function, dispatch_uid="in_order")


def _add_function(connection: Any, **_: Any) -> None:
    if connection.vendor == "sqlite":
        connection.connection.create_function(_FUNCTION, 2, _sort_key, deterministic=True)


def _sort_key(text: str | None, language: str) -> str | None:
    return None if text is None else sort_key(text, language)


def _in_order(model: Any, given: Any, language: str) -> Any:
    name = given.removeprefix("-") if isinstance(given, str) else ""
    field = next((each for each in model._meta.get_fields() if each.name == name), None)
    # Subclasses of CharField are addresses, keys and choices.
    if field is None or type(field) not in _NAMES or field.choices:
        return given
    expression = InOrder(F(name), language)
    return expression.desc() if given.startswith("-") else expression.asc()


@cache
def _find_collation(alias: str, language: str) -> str:
    """Return the name of PostgreSQL's collation; empty if the server was built without ICU."""
    wanted = [f"{tag}-x-icu" for tag in (language, language.partition("-")[0], "und") if tag]
    with connections[alias].cursor() as cursor:
        cursor.execute("SELECT collname FROM pg_collation WHERE collname = ANY(%s)", [wanted])
        found = {name for (name,) in cursor.fetchall()}
    return next((name for name in wanted if name in found), "")

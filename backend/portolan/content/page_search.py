"""Search the database for Wagtail's lists, its choosers and our own search.

Pages whose title is the query come first, then titles that start with it, then the rest by relevance. Relevance takes
time in proportion to the number of matches. If words match very many pages, the rest is sorted by the last change
instead.

Index and query are folded by the same rule (``domain.letters.fold``), so that ``strasse`` finds Straße.

A query may contain any character. The libraries fail to escape quotation marks, control characters and words without
letters. Thousands of words are too many for the database.
"""

import re
from collections.abc import Iterable
from copy import copy
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db.models import Case, Q, QuerySet, When
from django.db.models.expressions import OrderBy
from wagtail.models import Page
from wagtail.search.backends import database
from wagtail.search.query import MATCH_NONE, And, Boost, MatchAll, Not, Or, Phrase, PlainText, SearchQuery

from ..domain.letters import fold

COMMON: Final = 150
"""From this number of matches on, results are not sorted by relevance."""
_LONGEST: Final = 255
"""Largest number of characters in a query. Longer queries are cut."""
_UNSEARCHABLE: Final = re.compile(r'["\x00-\x1f\x7f\ud800-\udfff]')
_LETTER: Final = re.compile(r"\w")


class _Weighing:
    def _search(self, compiler: Any, query: Any, model_or_queryset: Any, **options: Any) -> Any:
        query = _clean(query)
        look: Any = super()._search  # type: ignore[misc]
        is_queryset = isinstance(model_or_queryset, QuerySet)
        rows: QuerySet[Any] = model_or_queryset if is_queryset else model_or_queryset.objects.all()
        if (
            options.get("order_by_relevance")
            and issubclass(rows.model, Page)
            and query
            and not isinstance(query, MatchAll)
        ):
            unweighed = options | {"order_by_relevance": False}
            # Without the relations that lists have prefetched.
            bare = rows.model.objects.filter(pk__in=rows.order_by().values("pk"))
            rank = by_title(str(getattr(query, "query_string", query)))
            if len(look(compiler, query, bare, **unweighed)[:COMMON]) == COMMON:
                return look(compiler, query, rows.order_by(rank, "-latest_revision_created_at"), **unweighed)
            best = [page.pk for page in look(compiler, query, bare, **options)[:COMMON]]
            place = Case(*(When(pk=pk, then=place) for place, pk in enumerate(best)), default=COMMON).asc()
            return look(compiler, query, rows.order_by(rank, place), **unweighed)
        return look(compiler, query, rows, **options)


def by_title(query: str, *fields: str) -> OrderBy:
    """Return the sort order: rows whose title is the query, then titles that start with it, then all others.

    ``fields``: the columns of the title; by default those of a page and its draft.
    """
    names, words = fields or ("title", "draft_title"), query.strip()
    exact = reduce(or_, (Q(**{f"{name}__iexact": words}) for name in names))
    begins = reduce(or_, (Q(**{f"{name}__istartswith": words}) for name in names))
    return Case(When(exact, then=0), When(begins, then=1), default=2).asc()


class _FoldingIndex:
    """Folds each text on its way into the index."""

    def add_items(self, model: Any, objs: Iterable[Any]) -> None:
        super().add_items(model, [_Folded(each) for each in objs])  # type: ignore[misc]


class _Folded:
    """The part of an object that the library's indexer reads."""

    def __init__(self, row: Any) -> None:
        self.pk = row.pk
        self._row = row

    def get_search_fields(self) -> list[Any]:
        return [self._folded(field) for field in self._row.get_search_fields()]

    def _folded(self, field: Any) -> Any:
        def get_value(row: Any) -> Any:
            return _fold_all(field.get_value(self._row if row is self else row))

        folded = copy(field)
        folded.get_value = get_value
        if hasattr(field, "fields"):  # of a related object
            folded.fields = [self._folded(each) for each in field.fields]
        return folded


def _fold_all(value: Any) -> Any:
    if isinstance(value, str):
        return fold(value)
    if isinstance(value, list):
        return [_fold_all(each) for each in value]
    if isinstance(value, dict):
        return {name: _fold_all(each) for name, each in value.items()}
    return value


def _clean(query: str | SearchQuery) -> str | SearchQuery:
    """Return the query with words that databases can search for; `MATCH_NONE` if there are none."""
    if isinstance(query, str):
        return _clean_words(query) or (MATCH_NONE if query else query)
    return _clean_parts(query) or MATCH_NONE


def _clean_parts(query: SearchQuery) -> SearchQuery | None:
    """Return the parts of the query that have words, or None."""
    match query:
        case PlainText():
            words = _clean_words(query.query_string)
            return PlainText(words, operator=query.operator, boost=query.boost) if words else None
        case Phrase():
            words = _clean_words(query.query_string)
            return Phrase(words) if words else None
        case And() | Or():
            parts = [part for each in query.subqueries if (part := _clean_parts(each))]
            return type(query)(parts) if len(parts) > 1 else parts[0] if parts else None
        case Boost():
            part = _clean_parts(query.subquery)
            return Boost(part, query.boost) if part else None
        case Not():
            part = _clean_parts(query.subquery)
            return Not(part) if part else None
    return query


def _clean_words(text: str) -> str:
    """Return the words that the database can search for.

    >>> _clean_words('two "port - authorit')
    'two port authorit'
    """
    words = _UNSEARCHABLE.sub(" ", fold(text[:_LONGEST])).split()
    return " ".join(word for word in words if _LETTER.search(word))


def SearchBackend(params: Any) -> Any:
    """Return a backend for the current database. Wagtail loads the backend by this name."""
    usual: Any = type(database.SearchBackend(params))
    index = type(f"Folding{usual.index_class.__name__}", (_FoldingIndex, usual.index_class), {})
    return type(f"Weighing{usual.__name__}", (_Weighing, usual), {"index_class": index})(params)

"""The database's search, for Wagtail's lists, its choosers and ours. To weigh what is found takes as long as there are pages that have
the words: where words do not tell pages apart, those that were changed last come first instead."""

from typing import Any, Final

from django.db.models import QuerySet
from wagtail.models import Page
from wagtail.search.backends import database
from wagtail.search.query import MatchAll

COMMON: Final = 150
"""From so many pages on words tell none of them apart."""


class _Weighing:
    def _search(self, compiler: Any, query: Any, model_or_queryset: Any, **options: Any) -> Any:
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
            # Without what lists have loaded beside.
            bare = rows.model.objects.filter(pk__in=rows.order_by().values("pk"))
            if len(look(compiler, query, bare, **unweighed)[:COMMON]) == COMMON:
                return look(compiler, query, rows.order_by("-latest_revision_created_at"), **unweighed)
        return look(compiler, query, rows, **options)


def SearchBackend(params: Any) -> Any:
    """By this name Wagtail asks for it. The database that is in use decides its class."""
    usual = type(database.SearchBackend(params))
    return type(f"Weighing{usual.__name__}", (_Weighing, usual), {})(params)

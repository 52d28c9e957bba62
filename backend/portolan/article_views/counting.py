"""Count views. A confirmed increment is never lost, even with simultaneous ones."""

from collections.abc import Sequence
from typing import Final

from django.db import connection

from .models import ArticleView

_TABLE: Final = ArticleView._meta.db_table
_ADD: Final = (
    f"INSERT INTO {_TABLE} (article, views) VALUES (%s, 1) "  # noqa: S608
    f"ON CONFLICT (article) DO UPDATE SET views = {_TABLE}.views + 1 RETURNING views"
)
"""A single statement, so that reading and writing are atomic in SQLite and PostgreSQL."""


def add_view(article: str) -> int:
    """Count one view, and return the new total."""
    with connection.cursor() as cursor:
        cursor.execute(_ADD, [article])
        ((views,),) = cursor.fetchall()  # fetch all rows, because SQLite commits after the last one
    return int(views)


def read_views(article: str) -> int:
    return ArticleView.objects.filter(article=article).values_list("views", flat=True).first() or 0


def read_all_views(articles: Sequence[str]) -> list[int]:
    """Return the views of each article, in the same order."""
    known = dict(ArticleView.objects.values_list("article", "views"))
    return [known.get(article, 0) for article in articles]

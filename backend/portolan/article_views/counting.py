"""The counters. An increment that was answered is never lost, whoever else counts at the same time."""

from collections.abc import Sequence
from typing import Final

from django.db import connection

from .models import ArticleView

_TABLE: Final = ArticleView._meta.db_table
_ADD: Final = (
    f"INSERT INTO {_TABLE} (article, views) VALUES (%s, 1) "  # noqa: S608
    f"ON CONFLICT (article) DO UPDATE SET views = {_TABLE}.views + 1 RETURNING views"
)
"""One statement, so that there is no moment between reading and writing. SQLite and PostgreSQL alike."""


def add_view(article: str) -> int:
    """Counts one view and returns how many there are now."""
    with connection.cursor() as cursor:
        cursor.execute(_ADD, [article])
        ((views,),) = cursor.fetchall()  # all of them: SQLite commits when the statement has come to its end
    return int(views)


def read_views(article: str) -> int:
    return ArticleView.objects.filter(article=article).values_list("views", flat=True).first() or 0


def read_all_views(articles: Sequence[str]) -> list[int]:
    """Views of each article, in the same order."""
    known = dict(ArticleView.objects.values_list("article", "views"))
    return [known.get(article, 0) for article in articles]

"""No increment is lost when processes count at once. Runs on SQLite, and on PostgreSQL where the tests have one."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import pytest
from django.db import connection

from portolan.article_views.counting import add_view, read_all_views, read_views
from portolan.article_views.models import ArticleView

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]

VIEWS: Final = int(os.environ.get("PORTOLAN_VIEWS", "1000"))
WORKERS: Final = 50


def in_own_connection(count: Callable[[], int]) -> int:
    try:
        return count()
    finally:
        connection.close()


@pytest.mark.usefixtures("many_connections")
def test_a_hundred_at_once_are_a_hundred() -> None:
    gate = threading.Barrier(100)

    def visit(number: int) -> int:
        gate.wait()
        return in_own_connection(lambda: add_view("a"))

    with ThreadPoolExecutor(100) as pool:
        answers = list(pool.map(visit, range(100)))
    assert sorted(answers) == list(range(1, 101))  # each number is given once
    assert read_views("a") == 100


@pytest.mark.usefixtures("many_connections")
def test_many_workers_lose_nothing() -> None:
    articles = ("a", "b", "c")

    def work(worker: int) -> int:
        def count() -> int:
            for number in range(VIEWS // WORKERS):
                add_view(articles[(worker + number) % len(articles)])
            return VIEWS // WORKERS

        return in_own_connection(count)

    with ThreadPoolExecutor(WORKERS) as pool:
        counted = sum(pool.map(work, range(WORKERS)))
    assert sum(read_all_views(articles)) == counted


def test_an_article_nobody_has_read_has_no_row() -> None:
    add_view("a")
    assert read_views("b") == 0
    assert read_all_views(["a", "b"]) == [1, 0]
    assert ArticleView.objects.count() == 1


def test_a_count_can_be_large() -> None:
    ArticleView.objects.create(article="a", views=2**40)
    assert add_view("a") == 2**40 + 1

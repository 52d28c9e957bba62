"""No increment is lost when processes count at once. Runs on SQLite, and on PostgreSQL where the tests have one."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from urllib.parse import quote

import pytest
from django.db import connection

from portolan.article_views.counting import add_view, read_all_views, read_views
from portolan.article_views.models import ArticleView

from ..processes import started

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]

VIEWS: Final = int(os.environ.get("PORTOLAN_VIEWS", "1000"))
WORKERS: Final = 50
KILLED_AFTER: Final = 300

_KILLED: Final = "portolan-killed"
_COUNT_FOR_EVER: Final = """
import os, threading
from portolan.config.start_django import start_django
start_django()
from portolan.article_views.counting import add_view
def count():
    while True:
        add_view("a")
        os.write(1, b"x")
for _ in range(4):
    threading.Thread(target=count).start()
"""


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


@pytest.mark.usefixtures("many_connections")
def test_a_killed_process_has_lost_nothing_it_answered() -> None:
    settings = connection.settings_dict
    url = f"sqlite:///{settings['NAME']}"
    if connection.vendor != "sqlite":
        host = quote(settings["HOST"], safe="")
        url = f"postgres://{settings['USER']}:{settings['PASSWORD']}@{host}:{settings['PORT']}/{settings['NAME']}"
    variables = {**os.environ, "DATABASE_URL": url, "PGAPPNAME": _KILLED}
    with started([sys.executable, "-c", _COUNT_FOR_EVER], env=variables, stdout=subprocess.PIPE, text=False) as process:
        answered = 0
        while answered < KILLED_AFTER:
            counted = len(process.stdout.read1(100))
            assert counted, "it has ended by itself"
            answered += counted
        process.kill()
        answered += len(process.stdout.read())
    if connection.vendor != "sqlite":
        _wait_for_what_the_server_still_does()
    assert answered <= read_views("a") <= answered + 4  # some are counted but their reply is still open


def _wait_for_what_the_server_still_does() -> None:
    """Wait for a killed client's last statements, which the server finishes in the next test."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity WHERE application_name = %s", [_KILLED]
        )


def test_an_article_nobody_has_read_has_no_row() -> None:
    add_view("a")
    assert read_views("b") == 0
    assert read_all_views(["a", "b"]) == [1, 0]
    assert ArticleView.objects.count() == 1


def test_a_count_can_be_large() -> None:
    ArticleView.objects.create(article="a", views=2**40)
    assert add_view("a") == 2**40 + 1

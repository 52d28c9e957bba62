"""A process that counts views is killed. Every view that it acknowledged is stored."""

import os
import subprocess
import sys
from typing import Final
from urllib.parse import quote

import pytest
from django.db import connection

from portolan.article_views.counting import read_views

from ..processes import started

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]

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

"""Set Django up for commands that need it."""

import os
from functools import cache
from typing import Any

from ..observing.work_pulse import waiting
from .loading import expect_large_answers, loading


@cache
def start_django() -> None:
    """Load Django, Wagtail and all models, once. Takes a second, so commands call it only if necessary."""
    use_settings()
    import django

    with loading():
        django.setup()
    expect_large_answers()


def start_django_to_write() -> None:
    """Load Django for a command that changes the database. Raise WrongDatabase for another version's database."""
    start_django()
    from django.conf import settings

    from ..releases.connection import connected_reader

    connected_reader().require_fit(settings.SITES_REGISTRY.plugins)


def count_queries_as_work() -> None:
    """Treat waiting for the database as work, in a process whose pulse is watched.

    The main thread waits for the database, which has its own time limits.
    """
    from django.db import connection

    connection.execute_wrappers.append(_wait_for_query)


def _wait_for_query(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
    with waiting():
        return execute(sql, params, many, context)


def use_settings() -> None:
    """Set the settings module for code that starts Django itself."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portolan.config.settings")

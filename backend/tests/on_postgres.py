"""Which tests run on PostgreSQL too, and the proof that they did: loaded by ``conftest.py``.

``--on-postgres`` runs tests marked ``postgres``: their SQL, locks, transactions, constraints or errors differ between
databases. ``--database-alone`` runs every test that uses the database. A skipped marked test fails under
``--on-postgres``. The run also fails if the marked tests of a file send no statement to PostgreSQL.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from django.db import connection

_MARK: Final = "mark.postgres"
"""Exact text in files with marked tests. Under ``--on-postgres``, other files are skipped."""
_STATEMENTS: Final = "statements sent to PostgreSQL"
_sent = 0
"""Statements this process has sent, on whichever connection."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--on-postgres", action="store_true", help="Run only the tests marked `postgres`, on PostgreSQL.")
    parser.addoption("--database-alone", action="store_true", help="Run only the tests that use the database.")


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--on-postgres"):
        return
    if connection.vendor != "postgresql" and not config.getoption("--collect-only"):
        raise pytest.UsageError(
            "--on-postgres needs DATABASE_URL to name a PostgreSQL server: scripts/with_postgres.py"
        )
    config.pluginmanager.register(_Proof())
    _count_statements()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without marks: importing all takes each worker several seconds."""
    is_tests = collection_path.match("test_*.py")
    return True if is_tests and config.getoption("--on-postgres") and not _marks(collection_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    marked = {item.path for item in items if item.get_closest_marker("postgres")}
    if unseen := sorted(str(path) for path in marked if not _marks(path)):
        raise pytest.UsageError(f"Tests are marked `postgres` by another name than `{_MARK}`: {', '.join(unseen)}")
    # A mark for a whole file skips its tests without a database. A mark for a single test must have an effect.
    for item in items:
        if any(mark.name == "postgres" for mark in item.own_markers) and not uses_database(item):
            raise pytest.UsageError(f"{item.nodeid} is marked `postgres` and uses no database.")
    chosen = items
    if config.getoption("--on-postgres"):
        chosen = [item for item in items if item.get_closest_marker("postgres") and uses_database(item)]
    elif config.getoption("--database-alone"):
        chosen = [item for item in items if uses_database(item)]
    kept = {*chosen}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


def uses_database(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    return item.get_closest_marker("django_db") is not None or "db" in fixtures or "transactional_db" in fixtures


def _marks(file: Path) -> bool:
    return _MARK in file.read_text(encoding="utf-8")


class _Proof:
    """Fails a skipped marked test, and the run if a file's marked tests sent no statement to PostgreSQL."""

    def __init__(self) -> None:
        self._before = 0
        self._sent: Counter[str] = Counter()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        self._before = _sent

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Iterator[None]:
        report: Any = yield
        if report.skipped and not hasattr(report, "wasxfail"):
            report.outcome, report.longrepr = "failed", "Marked `postgres`, and skipped there."
        if report.when == "call":
            report.user_properties.append((_STATEMENTS, _sent - self._before))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collect the reports of all workers."""
        if report.when == "call":
            self._sent[report.nodeid.partition("::")[0]] += int(str(dict(report.user_properties)[_STATEMENTS]))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._silent(session.config):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        for file in self._silent(config):
            terminalreporter.write_line(f"{file}: marked `postgres`, and none of its tests sent PostgreSQL a statement")

    def _silent(self, config: pytest.Config) -> list[str]:
        return [] if hasattr(config, "workerinput") else sorted(file for file, sent in self._sent.items() if not sent)


def _count_statements() -> None:
    execute, execute_many = psycopg.Cursor.execute, psycopg.Cursor.executemany

    def counting(method: Any) -> Any:
        def call(cursor: Any, query: Any, *values: Any, **options: Any) -> Any:
            global _sent
            _sent += bool(query) and "SAVEPOINT" not in str(query)  # sent by Django and its pool themselves
            return method(cursor, query, *values, **options)

        return call

    psycopg.Cursor.execute, psycopg.Cursor.executemany = counting(execute), counting(execute_many)  # type: ignore[method-assign]

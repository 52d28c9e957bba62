"""Explain a database's errors to the operator, for any driver and however the errors are wrapped.

Errors are recognised by their class names. So SQLite installations do without PostgreSQL's driver, and the reader skips
loading Django.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from .database_version import KNOWN, NewerDatabase, OlderDatabase
from .formats import NewerFormat
from .upgrade_lock import UpgradeIsAtWork

_UNMIGRATED_STATES: Final = ("42P01", "42703", "3F000")
"""PostgreSQL's codes for a missing table, column or schema."""
_SQLITE_ERROR: Final = 1
"""SQLite's code for a wrong query. The module is not imported, because edges have no database."""
_BEYOND_LIMITS: Final = "54"
"""PostgreSQL's class of codes for a query that is too long or too deep. The database itself works."""
_FULL_STATES: Final = ("53100",)
_DAMAGED_STATES: Final = ("XX001", "XX002")
"""PostgreSQL's codes for damaged data and indexes."""
_DISK_STATES: Final = ("58030", "58P01")
"""PostgreSQL's codes for a file that it cannot read or has lost."""
_READ_ONLY_STATES: Final = ("25006",)
_ABOUT_THE_ROW: Final = {"IntegrityError", "DataError", "NotSupportedError", "ProgrammingError"}
"""Errors of the statement or its values; the database works."""
_GO_BACK: Final = "Install the newer version again, or restore the database backup from before the upgrade."
_START_AGAIN: Final = "If it is installed, restart this process."


class DatabaseTrouble(NamedTuple):
    """A problem of the database in two sentences: the event and the fix."""

    what: str
    fix: str
    is_away: bool = False
    """True if the problem may end by itself soon."""
    is_damaged: bool = False
    """True if stored bytes differ from the written ones, so that only a backup helps."""

    def __str__(self) -> str:
        return f"{self.what} {self.fix}"


class ReportedTrouble(Exception):
    """A database problem reported by another process."""

    def __init__(self, trouble: DatabaseTrouble) -> None:
        super().__init__(str(trouble))
        self.trouble = trouble


def find_trouble(error: BaseException) -> DatabaseTrouble | None:
    """Return the database problem behind an error, or None for other errors."""
    return next((found for cause in _causes(error) if (found := _explain(cause))), None)


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        seen = seen.__cause__


def _explain(error: BaseException) -> DatabaseTrouble | None:
    if isinstance(error, ReportedTrouble):
        return error.trouble
    if isinstance(error, NewerFormat):
        return DatabaseTrouble(str(error), f"{_GO_BACK} {_START_AGAIN}")
    if isinstance(error, NewerDatabase):
        return DatabaseTrouble(
            f"A newer version of Portolan has upgraded the database ({error}). This version would damage its data.",
            f"{_GO_BACK} {_START_AGAIN}",
        )
    if isinstance(error, OlderDatabase):
        count = len(error.migrations)
        of = "Portolan" if error.migrations[0].app in KNOWN else f"the plugin {error.migrations[0].app}"
        return DatabaseTrouble(
            f"The database is of an older version of {of}: it lacks {count} migration{'' if count == 1 else 's'}, "
            f"from {error.migrations[0]} on.",
            "`portolan upgrade --check` shows the changes, `portolan upgrade` makes them.",
            is_away=True,
        )
    if isinstance(error, UpgradeIsAtWork):
        return DatabaseTrouble(str(error), "Wait until it ends.", is_away=True)
    kinds = {kind.__name__ for kind in type(error).__mro__}
    reason = next(iter(str(error).strip().splitlines()), type(error).__name__)
    match type(error).__module__.partition(".")[0]:
        case "sqlite3" if kinds & {"OperationalError", "DatabaseError"} and not kinds & _ABOUT_THE_ROW:
            return _explain_sqlite(reason, getattr(error, "sqlite_errorcode", None))
        case "psycopg" | "psycopg_pool":
            state = getattr(error, "sqlstate", None)
            if state in _UNMIGRATED_STATES:
                return _unmigrated(reason)
            if state in _FULL_STATES:
                return _full(reason)
            if state in _DAMAGED_STATES:
                return damaged(reason)
            if state in _DISK_STATES:
                return _disk_fails(reason)
            if state in _READ_ONLY_STATES:
                return _read_only(reason)
            if kinds & {"OperationalError", "InterfaceError"} and not (state or "").startswith(_BEYOND_LIMITS):
                return DatabaseTrouble(
                    f"The database cannot be reached ({reason}).",
                    "Start it, or correct DATABASE_URL.",
                    is_away=True,
                )
    return None


def _explain_sqlite(reason: str, code: int | None) -> DatabaseTrouble | None:
    if reason.startswith(("no such table", "no such column", "table ")):
        return _unmigrated(reason)
    if "unable to open" in reason:
        return DatabaseTrouble(
            f"The database cannot be opened ({reason}).",
            "Create it with `portolan upgrade`, set up everything with `portolan demo`, or correct DATABASE_URL.",
        )
    if "malformed" in reason or "not a database" in reason:
        return damaged(reason)
    if "disk I/O" in reason:
        return _disk_fails(reason)
    if "readonly" in reason:
        return _read_only(reason)
    if "full" in reason:
        return _full(reason)
    if code == _SQLITE_ERROR:
        return None  # the query is wrong and would fail again
    return DatabaseTrouble(f"The database cannot run queries ({reason}).", "Try again in a moment.", is_away=True)


def _unmigrated(reason: str) -> DatabaseTrouble:
    return DatabaseTrouble(
        f"The database lacks tables that this version needs ({reason}).",
        "Create them with `portolan upgrade`, or set up everything with `portolan demo`.",
    )


def _full(reason: str) -> DatabaseTrouble:
    return DatabaseTrouble(f"The database's disk is full ({reason}).", "Free some space, then try again.")


def damaged(reason: str) -> DatabaseTrouble:
    return DatabaseTrouble(
        f"The database is damaged ({reason}).",
        "Stop Portolan, keep a copy of the database, and replace it by the newest backup: "
        "`portolan restore TARGET --replace`. Leads that arrive meanwhile are stored in the spool.",
        is_damaged=True,
    )


def _disk_fails(reason: str) -> DatabaseTrouble:
    return DatabaseTrouble(
        f"The database's disk cannot be read or written ({reason}).", "Check the disk and the system log."
    )


def _read_only(reason: str) -> DatabaseTrouble:
    return DatabaseTrouble(
        f"The database cannot be written to ({reason}).", "Check the disk and the owner of the database file."
    )

"""Provide a reader's connection to PostgreSQL, which is replaced if it breaks, with short waits."""

import logging
from collections.abc import Iterable, Sequence
from typing import Any

import psycopg
from psycopg_pool import ConnectionPool, PoolTimeout

from ..observing.work_pulse import waiting
from .postgres_limits import LIMITS, LONGEST_WAIT_S, TRIED_FOR_S


class PostgresConnection:
    """One connection from a pool of its own. Only for reading: a query is repeated if its connection broke."""

    def __init__(self, url: str) -> None:
        logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # callers report failures
        self._url = url
        self._pool = ConnectionPool(
            url,
            kwargs={"autocommit": True, **LIMITS},
            min_size=1,
            max_size=1,
            timeout=LONGEST_WAIT_S,
            reconnect_timeout=TRIED_FOR_S,
            num_workers=1,
            open=True,
        )

    def execute(self, sql: str, args: Sequence[Any]) -> Iterable[Sequence[Any]]:
        try:
            with waiting():
                return self._execute_again(sql, args)
        except PoolTimeout as error:
            raise self._find_reason() or error from error

    def _execute_again(self, sql: str, args: Sequence[Any]) -> Iterable[Sequence[Any]]:
        try:
            return self._execute(sql, args)
        except PoolTimeout:
            raise
        except (psycopg.OperationalError, psycopg.InterfaceError):  # the connection was lost after its last use
            return self._execute(sql, args)

    def close(self) -> None:
        self._pool.close()

    def _execute(self, sql: str, args: Sequence[Any]) -> Iterable[Sequence[Any]]:
        with self._pool.connection() as connection:
            return connection.execute(
                sql.encode(), args, binary=True
            ).fetchall()  # in text format, bodies cost four times as much

    def _find_reason(self) -> psycopg.Error | None:
        """Return the reason for a missing connection, which the pool's error does not contain."""
        try:
            psycopg.connect(self._url, **LIMITS).close()
        except psycopg.Error as error:
            return error
        return None

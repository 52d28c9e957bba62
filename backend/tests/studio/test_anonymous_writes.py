"""Anonymous requests add no rows. Otherwise a million requests could fill the disk."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver

_CONVERTED: Final = {
    "int": "1", "str": "x", "slug": "x", "path": "x", "uuid": "3b7a9f52-6c1e-4d8a-9f0b-5e2d7c4a1b6f",
}  # fmt: skip
_WRITES: Final = re.compile(r"\s*(INSERT|UPDATE|DELETE|REPLACE)\b", re.IGNORECASE)

MAY_WRITE: Final = {
    "POST /admin/login/": "a row for each try, which the throttle bounds and `portolan.accounts.endings` removes",
}
_SLOW: Final = ("/api/docs", "/api/openapi.json")
"""Documents that need no database."""


def _paths(patterns: Sequence[Any] | None = None, before: str = "/") -> Iterator[str]:
    for each in get_resolver().url_patterns if patterns is None else patterns:
        part = re.sub(r"<(?:(\w+):)?\w+>", lambda found: _CONVERTED.get(found[1] or "str", "1"), str(each.pattern))
        part = (
            re.sub(r"\(\?P?<\w+>[^()]*(\([^()]*\)[^()]*)*\)", "1", part)
            .replace("^", "")
            .replace("$", "")
            .replace("\\", "")
        )
        if isinstance(each, URLResolver):
            yield from _paths(each.url_patterns, before + part)
        elif isinstance(each, URLPattern):
            yield before + part


@pytest.mark.django_db
def test_no_request_of_a_stranger_writes_a_row(homes: Any) -> None:
    cache.clear()
    found: dict[str, list[str]] = {}
    paths = [path for path in dict.fromkeys(_paths()) if path not in _SLOW]
    assert len(paths) > 500
    for path in paths:
        for method in ("GET", "POST"):
            client = Client(headers={"host": "studio.localhost"}, raise_request_exception=False)
            with CaptureQueriesContext(connection) as queries:
                client.generic(method, path)
            writes = [query["sql"][:60] for query in queries if _WRITES.match(query["sql"])]
            if writes:
                found[f"{method} {path}"] = writes
    assert found.keys() == MAY_WRITE.keys(), found

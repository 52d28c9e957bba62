"""Make content that many tests share once, in a transaction around them: loaded by ``conftest.py``.

Each test has a savepoint, so the next one finds the original content. A function makes it::

    @shared("sites")
    def make_sites(media: Path) -> None: ...

Tests below its folder that use the fixture ``sites`` get it. The fixture calls ``ensure("sites")``, which makes missing
content at once. That happens in a test with transactions of its own, or if a test requests the fixture while it runs.
``on="sites"`` makes content on top of other content. Content that a test does not request is removed first.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.test import override_settings

from testing.memory import folder_in_memory
from testing.spreading import empties_database

QUICK_SETTINGS: Final[dict[str, Any]] = {
    "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
    "TASKS": {"default": {"BACKEND": "tests.skipped_tasks.SkippedTasks"}},
}
"""Hash passwords quickly, and skip search index and usage counts (half of a save's time)."""

Make = Callable[[Path], Any]
"""Makes content in the folder for uploads. ``ensure`` returns its result to each test: keys, not instances."""


@dataclass(frozen=True)
class _Content:
    fixture: str
    make: Make
    on: str | None

    def is_for(self, item: pytest.Item) -> bool:
        folder = Path(self.make.__code__.co_filename).parent
        return self.fixture in getattr(item, "fixturenames", ()) and folder in item.path.parents


@dataclass(frozen=True)
class _Standing:
    content: _Content
    made: Any
    media: Path
    end: ExitStack


_known: Final[dict[str, _Content]] = {}
_standing: Final[list[_Standing]] = []


def shared(fixture: str, on: str | None = None) -> Callable[[Make], Make]:
    """Make the content for ``fixture`` of tests below the folder of the decorated function."""

    def register(make: Make) -> Make:
        assert fixture not in _known, f"two kinds of shared content are named {fixture}"
        _known[fixture] = _Content(fixture, make, on)
        return make

    return register


def ensure(fixture: str) -> Any:
    """Make the content of that fixture, with its files in ``MEDIA_ROOT``. Return the result of its function."""
    for kept in _standing:
        if kept.content.fixture == fixture:
            if kept.media.exists():
                shutil.copytree(kept.media, settings.MEDIA_ROOT, dirs_exist_ok=True)
            return kept.made
    return _known[fixture].make(Path(settings.MEDIA_ROOT))


def end_all() -> None:
    """End before the test database is deleted."""
    _stand([])


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """Run before a test starts its transaction, or uses the database without one."""
    if fixturedef.argname == "_django_db_helper":
        with request.getfixturevalue("django_db_blocker").unblock():
            _stand([] if empties_database(request.node) else _wanted(request.node))
    return (yield)


def _wanted(item: pytest.Item) -> list[_Content]:
    wanted: dict[str, _Content] = {}

    def want(content: _Content) -> None:
        if content.on:
            want(_known[content.on])
        wanted[content.fixture] = content

    for content in _known.values():
        if content.is_for(item):
            want(content)
    return [*wanted.values()]


def _stand(wanted: list[_Content]) -> None:
    """Remove content that is not wanted, and make missing content."""
    same = 0
    while same < min(len(wanted), len(_standing)) and _standing[same].content is wanted[same]:
        same += 1
    while len(_standing) > same:
        _standing.pop().end.close()
    for content in wanted[same:]:
        _standing.append(_make(content))
    cache.clear()  # it does not roll back


def _make(content: _Content) -> _Standing:
    with ExitStack() as undone:
        media = (
            Path(undone.enter_context(tempfile.TemporaryDirectory(prefix="portolan-tests-", dir=folder_in_memory())))
            / "media"
        )
        undone.enter_context(_rolled_back())
        with override_settings(MEDIA_ROOT=media, **QUICK_SETTINGS):
            made = content.make(media)
        connection.run_on_commit = []  # as if committed: tests send no notice
        end = undone.pop_all()
    return _Standing(content, made, media, end)


@contextmanager
def _rolled_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)

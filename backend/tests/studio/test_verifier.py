"""One of all processes verifies releases while the studio is closed, and reports those that stay unverified."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from portolan.alerts.causes import find_causes
from portolan.builds.live import Installation, LivePointer
from portolan.releases.connection import connected_reader
from portolan.releases.models import PendingChange, Release, Verification
from portolan.studio import verifier
from portolan.studio.verifier import Verifier

pytestmark = pytest.mark.django_db
START = datetime(2026, 11, 24, 10, 0, tzinfo=UTC)


class Watched:
    """A verifier with a clock, pointer and sites that a test controls."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = START
        self.shown: dict[str, int] = {}
        self.asked: list[int] = []
        self.settled: set[int] = set()
        monkeypatch.setattr(verifier, "read_live", lambda _: pointer(self.shown))
        self.verifier = Verifier(self._ask, lambda: self.now)

    def _ask(self, number: int) -> bool:
        self.asked.append(number)
        return number in self.settled

    def release(self, number: int) -> None:
        Release.objects.create(number=number)
        Release.objects.filter(number=number).update(created_at=self.now)

    def after(self, seconds: float) -> list[int]:
        """Return the releases for which sites were checked since."""
        self.now += timedelta(seconds=seconds)
        self.asked.clear()
        self.verifier.look()
        return list(self.asked)


def pointer(shown: dict[str, int]) -> LivePointer:
    return LivePointer({}, dict(shown), {}, {}, Installation(False, max(shown.values(), default=0), "", ""), {})


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


def test_what_went_live_is_asked_for_until_it_is_verified(watched: Watched, django_assert_num_queries: Any) -> None:
    assert watched.after(1) == []
    watched.release(1)
    assert watched.after(1) == [], "it is not live yet"
    watched.shown = {"de": 1}
    assert watched.after(1) == [1]
    assert watched.after(1) == [], "not at once again"
    assert watched.after(1) == [1]
    watched.release(2)
    watched.shown = {"de": 2, "en": 2}
    assert watched.after(1) == [2], "the new one does not wait for the old one"
    watched.settled = {1, 2}
    assert sorted(watched.after(60) + watched.after(0)) == [1, 2]
    with django_assert_num_queries(0):
        assert watched.after(600) == []


def test_what_is_never_verified_is_given_up_with_the_reason(watched: Watched, caplog: pytest.LogCaptureFixture) -> None:
    watched.release(1)
    watched.shown = {"de": 1}
    assert watched.after(1) == [1]
    answer(1, "de", "unreachable", START)
    assert watched.after(86_400) == [1]
    assert "Release 1 was not verified. No further tries: de: /a could not be requested: it hangs." in caplog.text
    assert watched.after(86_400) == []


def test_after_a_start_what_is_a_day_old_is_left_alone(watched: Watched) -> None:
    watched.release(1)
    watched.now += timedelta(days=2)
    for number in range(2, 40):
        watched.release(number)
    watched.shown = {"de": 39}
    asked = [watched.after(0) for _ in range(30)]
    assert sorted(number for each in asked for number in each) == list(range(20, 40))


def answer(release: int, site: str, verdict: str, at: datetime) -> None:
    values = {"build": "b", "verdict": verdict, "pages": 1, "path": "/a", "why": "it hangs"}
    Verification.objects.create(release=release, site=site, at=at, **values)


@pytest.mark.postgres
def test_what_stays_unverified_is_said_on_the_dashboard_and_by_alerts(admin_client: Any, settings: Any) -> None:
    PendingChange.objects.all().delete()
    old = timezone.now() - timedelta(minutes=6)
    for number, made in ((1, old), (2, timezone.now())):
        Release.objects.create(number=number)
        Release.objects.filter(number=number).update(created_at=made)

    def told() -> tuple[bool, list[str]]:
        page = admin_client.get("/admin/", headers={"Host": "studio.localhost"}).content.decode()
        causes = find_causes(connected_reader(), settings.BUILDS_DIR)
        return "may not see changes that have been live since" in page, [
            each.key for each in causes if "unverified" in each.key
        ]

    answer(2, "de", "earlier", timezone.now())
    assert told() == (False, []), "a moment ago is no reason to worry"
    answer(1, "de", "unreachable", timezone.now())
    assert told() == (True, ["unverified de"])
    (row,) = connected_reader().unverified()
    assert (row.release, row.since) == (2, old)
    Verification.objects.filter(release=2).update(verdict="same")
    assert told() == (False, []), "what followed is there"

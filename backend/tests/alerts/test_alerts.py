"""Alerts: each cause that keeps an edit from going live, and its end, are sent once to all recipients."""

import base64
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks import Webhook

from portolan.alerts.causes import Cause, find_causes
from portolan.alerts.open import _Finder, open_receivers
from portolan.alerts.receivers import MailReceiver, Message, WebhookReceiver
from portolan.alerts.roles import find_in_answer, find_refused_leads, find_silent_roles, find_unwritable_folders
from portolan.alerts.watch import AlertWatch
from portolan.builds.damage import DamagedFile, DamageReport, write_damage
from portolan.builds.live import Pin, switch_live
from portolan.builds.manifest import Manifest, write_manifest
from portolan.domain.health import REFUSALS_COUNT_S
from portolan.domain.problems import MissingAnchor, Problem, Subject
from portolan.leads.destinations.base import Retryable
from portolan.leads.destinations.email import Mailer
from portolan.leads.destinations.webhook import read_secrets
from portolan.observing.role_board import Row
from portolan.publisher.outcome import write_outcome
from portolan.releases.last_live import LastLive, LiveRecord
from portolan.releases.reader import ReleaseReader, open_reader
from portolan.sites.alerts import AlertRules, find_alert_problems
from portolan.sites.destinations import LeadRules
from portolan.sites.load import load_registry

from ..leads.receiver import CRM, Reply, receiving
from ..publisher.conftest import ROOT
from ..publisher.release_book import ReleaseBook, small_site

START = datetime(2026, 11, 24, 10, 0, tzinfo=UTC)
SECRET = f"whsec_{base64.b64encode(b'0123456789abcdef0123456789abcdef').decode()}"


class Told:
    """A receiver that stores its messages, or fails."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, list[str]]] = []
        self.fails = False

    def send(self, message: Message) -> None:
        if self.fails:
            raise Retryable("It is away.")
        self.messages.append((message.kind, [cause.key for cause in message.causes]))


class Looking:
    """A watch with causes and a clock that tests control."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.now = START
        self.causes: list[Cause] = []
        self.one, self.other = Told(), Told()
        self.restart()

    def restart(self) -> None:
        receivers = {"one": self.one, "other": self.other}
        self.watch = AlertWatch(lambda: self.causes, receivers, self.file, 60, lambda: self.now)

    def after(self, seconds: float) -> None:
        self.now = START + timedelta(seconds=seconds)
        self.watch.look()


@pytest.fixture
def looking(tmp_path: Path) -> Looking:
    return Looking(tmp_path / "alerts.json")


LATE, HELD = Cause("publishing", "It hangs.", "Look.", START), Cause("held", "A link is dead.", "Mend it.")


def test_tells_once_and_when_it_is_fixed(looking: Looking) -> None:
    looking.causes = [LATE]
    for seconds in (0, 59, 60, 75, 90):
        looking.after(seconds)
    assert looking.one.messages == looking.other.messages == [("publish.late", ["publishing"])]
    looking.causes = []
    for seconds in (95, 100):
        looking.after(seconds)
    assert looking.one.messages[1:] == [("publish.mended", ["publishing"])]
    assert looking.file.read_bytes() == b"[]"


def test_another_edit_that_is_fresh_ends_it_too(looking: Looking) -> None:
    """The end of an alert is sent even if an editor keeps changing content."""
    looking.causes = [LATE]
    looking.after(60)
    looking.causes = [LATE._replace(since=START + timedelta(seconds=69))]
    looking.after(70)
    assert looking.one.messages == [("publish.late", ["publishing"]), ("publish.mended", ["publishing"])]
    looking.causes = [LATE._replace(since=START + timedelta(seconds=139))]
    looking.after(140)
    assert len(looking.one.messages) == 2


def test_what_has_no_time_of_its_own_counts_from_when_it_was_found(looking: Looking) -> None:
    looking.causes = [HELD]
    for seconds in (10, 69):
        looking.after(seconds)
    assert looking.one.messages == []
    looking.after(70)
    assert looking.one.messages == [("publish.late", ["held"])]


def test_a_second_cause_is_told_by_itself(looking: Looking) -> None:
    looking.causes = [LATE]
    looking.after(60)
    looking.causes = [LATE, HELD._replace(since=START)]
    looking.after(61)
    assert looking.one.messages == [("publish.late", ["publishing"]), ("publish.late", ["held"])]


def test_a_restart_tells_nothing_twice(looking: Looking) -> None:
    looking.causes = [LATE]
    looking.after(60)
    looking.restart()
    looking.after(75)
    assert len(looking.one.messages) == 1


def test_a_receiver_that_is_away_is_told_later_and_the_others_now(looking: Looking) -> None:
    looking.causes, looking.one.fails = [LATE], True
    looking.after(60)
    assert (looking.one.messages, len(looking.other.messages)) == ([], 1)
    looking.one.fails = False
    looking.after(61)  # left alone for a while
    assert looking.one.messages == []
    looking.after(76)
    assert (looking.one.messages, len(looking.other.messages)) == ([("publish.late", ["publishing"])], 1)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[ReleaseBook]:
    book = ReleaseBook(tmp_path / "releases.sqlite3")
    small_site(book, "de")
    yield book
    book.close()


@pytest.fixture
def reader(book: ReleaseBook) -> Iterator[ReleaseReader]:
    reader = open_reader(book.url)
    yield reader
    reader.close()


def go_live(root: Path, release: int, **more: Any) -> None:
    build = f"20261124-100000-{release}-aa"
    manifest = Manifest(
        site="de", build=build, release=release, web="w", created=START.isoformat(), html_headers={}, files={}
    )
    write_manifest(root, manifest, None)
    switch_live(root, {"de": manifest.build}, **more)


def note(book: ReleaseBook, key: str, problem: str = "") -> None:
    book._connection.execute(
        "INSERT INTO releases_pendingchange (site, kind, key, noted_at, problem) VALUES ('de', 'page', ?, ?, ?)",
        (key, "2026-11-24 09:00:00.123456", problem),
    )
    book._connection.commit()


def keys(reader: ReleaseReader, root: Path) -> list[str]:
    return [cause.key for cause in find_causes(reader, root)]


def test_what_keeps_edits_waiting(book: ReleaseBook, reader: ReleaseReader, tmp_path: Path) -> None:
    root = tmp_path / "builds"
    book.release()
    assert keys(reader, root) == ["publishing"]  # a release that never went live
    go_live(root, 1)
    assert keys(reader, root) == []
    note(book, "about")
    write_outcome(root, 0, failure="The disk is full.")
    (cause,) = find_causes(reader, root)
    assert cause.since == datetime(2026, 11, 24, 9, 0, 0, 123456, tzinfo=UTC)
    assert cause.what == "Published edits do not go live. Error: The disk is full."
    book._connection.execute("UPDATE releases_pendingchange SET problem = '[]'")
    book._connection.commit()
    assert keys(reader, root) == ["refused de/page/about"]
    switch_live(root, {}, problems={"de": "A link is dead."})
    assert keys(reader, root)[1:] == ["site de"]


def test_a_release_that_waits_because_somebody_holds_the_sites_is_not_late(
    book: ReleaseBook, reader: ReleaseReader, tmp_path: Path
) -> None:
    root = tmp_path / "builds"
    book.release()
    go_live(root, 1, pin=Pin(START.isoformat(), "Anna"), whole=True)
    book.content["de", "page", "about"]["blocks"] = []
    book.release()
    assert keys(reader, root) == []


def test_a_database_that_is_away_is_a_cause(tmp_path: Path, book: ReleaseBook, reader: ReleaseReader) -> None:
    book._connection.execute("DROP TABLE releases_pendingchange")
    book._connection.commit()
    assert keys(reader, tmp_path / "builds") == ["database"]


def test_the_webhook_is_signed_as_receivers_verify_it() -> None:
    with receiving() as crm:
        receiver = WebhookReceiver(f"https://{CRM}/alerts", read_secrets(SECRET), crm.poster())
        receiver.send(Message("publish.late", datetime.now(UTC), [LATE]))
        (request,) = crm.requests
        assert Webhook(SECRET).verify(request.body, dict(request.headers))["data"] == {
            "causes": [{"key": "publishing", "what": "It hangs.", "fix": "Look.", "since": START.isoformat()}]
        }
        crm.answer = lambda _: Reply(500)
        with pytest.raises(Retryable, match="answered 500"):
            receiver.send(Message("publish.late", datetime.now(UTC), [LATE]))


def test_the_mail_says_what_and_since_when() -> None:
    sent: list[EmailMessage] = []

    class Post(Mailer):
        def send(self, message: EmailMessage, to: Any) -> str:
            sent.append(message)
            return "accepted"

    MailReceiver(["ops@brightmoor.example"], Post(None, "web@brightmoor.example"), "Brightmoor").send(
        Message("publish.late", START, [LATE])
    )
    assert sent[0]["Subject"] == "Edits are not live: Brightmoor"
    MailReceiver(["ops@brightmoor.example"], Post(None, "web@brightmoor.example"), "Brightmoor").send(
        Message("publish.late", START, [*find_refused_leads(1, 1), LATE])
    )
    assert sent[1]["Subject"] == "Technical problem: Brightmoor"
    assert sent[0].get_content() == "It hangs.\nSince 2026-11-24 10:00:00 UTC. Look.\n"


def test_what_the_registry_says_is_checked_and_opened() -> None:
    rules = AlertRules(webhook="https://ops.example/alerts", mail_to=["ops@brightmoor.example"])
    assert [line.partition(":")[0] for line in find_alert_problems(rules, LeadRules())] == [
        "alerts.secret_env",
        "leads.sender",
    ]
    registry = load_registry(ROOT / "sites.toml")
    rules = rules.model_copy(update={"secret_env": "ALERT_SECRET"})
    registry = registry.model_copy(update={"alerts": rules})
    assert "ALERT_SECRET" in registry.secret_names
    assert [*open_receivers(registry, {"ALERT_SECRET": SECRET}, None)] == ["webhook", "mail"]
    with pytest.raises(Exception, match="ALERT_SECRET is not set"):
        open_receivers(registry, {}, None)["webhook"].send(Message("publish.late", START, [LATE]))


def test_damaged_files_are_a_cause_that_keeps_no_edit(book: ReleaseBook, tmp_path: Path) -> None:
    file = DamagedFile("0" * 32, 4, "x is missing", "en b /about-us", START.isoformat())
    write_damage(tmp_path, DamageReport({file.digest: file}, {"de a": "It cannot be read."}))
    found = {cause.key: cause for cause in find_causes(open_reader(book.url), tmp_path)}
    cause = found["damage"]
    assert cause.what == "Stored files are damaged: en b /about-us: x is missing. 1 more are damaged too."
    assert cause.since == START
    write_damage(tmp_path, DamageReport({}))
    assert "damage" not in {cause.key for cause in find_causes(open_reader(book.url), tmp_path)}


def row(name: str, *, silent_s: float = 0, restarted_s: float = float("inf")) -> Row:
    return Row(name, is_starting=False, silent_s=silent_s, restarts=0, restarted_s=restarted_s)


@pytest.mark.parametrize(
    ("causes", "keys"),
    [
        (find_silent_roles([row("API"), row("studio", silent_s=5)]), []),
        (
            find_silent_roles([row("API", silent_s=15), row("publisher", restarted_s=60)]),
            ["role API", "role publisher"],
        ),
        (find_silent_roles([row("API", restarted_s=600)]), []),
        (find_silent_roles([row("API")._replace(is_starting=True)]), ["role API"]),
        (find_refused_leads(0, float("inf")), []),
        (find_refused_leads(3, 5), ["leads refused"]),
        (find_refused_leads(3, REFUSALS_COUNT_S + 1), []),
        (find_unwritable_folders(["The folder of leads is full."]), ["folder The folder of leads is full."]),
        (find_in_answer("API", {"ready": True}), []),
        (find_in_answer("API", None), ["role API"]),
        (find_in_answer("API", {"silent": ["API 2"]}), ["role API 2"]),
        (find_in_answer("API", {"refusedLeads": {"count": 1, "lastSecondsAgo": 3}}), ["leads refused API"]),
        (find_in_answer("studio", {"folders": ["It is full."]}), ["folder studio: It is full."]),
    ],
)
def test_faults_of_the_installation(causes: Iterator[Cause], keys: list[str]) -> None:
    found = list(causes)
    assert [cause.key for cause in found] == keys
    assert all(cause.is_urgent != ("does not start" in cause.what) and cause.fix for cause in found), (
        "a start takes its time"
    )


def test_refused_leads_are_told_at_once_and_as_what_they_are(looking: Looking) -> None:
    looking.causes = list(find_refused_leads(2, 1))
    looking.after(0)
    assert looking.one.messages == [("publish.late", ["leads refused"])]
    looking.causes = []
    looking.after(600)
    assert looking.one.messages[1:] == [("publish.mended", ["leads refused"])]


def test_faults_are_found_while_the_database_is_away(tmp_path: Path) -> None:
    finder = _Finder(
        lambda: open_reader(f"sqlite:///{tmp_path}/nowhere/x.sqlite3"), tmp_path, lambda: find_refused_leads(1, 1)
    )
    assert [cause.key for cause in finder()][-2:] == ["database", "leads refused"]


def test_sites_with_nothing_to_serve_and_problems_that_are_live(
    book: ReleaseBook, reader: ReleaseReader, tmp_path: Path
) -> None:
    root = tmp_path / "builds"
    book.release()
    go_live(root, 1)
    problem = Problem(Subject("de", "footer", "main"), MissingAnchor("/about-us#nowhere"))
    write_outcome(root, 1, live_problems=[problem])
    LiveRecord(book.url).write({"de": LastLive(1), "pl": LastLive(1)}, ("de", "pl"))
    found = {cause.key.partition("/")[0]: cause.what for cause in find_causes(reader, root)}
    assert found["bare"] == "Site pl has nothing to serve, so visitors get an error."
    assert found["flaw"].startswith(
        "Site de is live with a problem, because it had no other build to serve: de, footer: links to"
    )

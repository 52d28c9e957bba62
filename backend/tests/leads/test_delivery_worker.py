"""Deliveries by the clock: schedule, Retry-After, backlog, dead letters, alarm, several workers. No lead is lost."""

import gc
import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from django.db import DatabaseError, connection
from pytest_django import Settings

from portolan.leads.alarm import DeadLetterAlarm
from portolan.leads.delivery_service import DeliveryService
from portolan.leads.delivery_worker import PER_SECOND, DeliveryWorker
from portolan.leads.destinations.base import Closed, Destination, Payload, Permanent, Retryable
from portolan.leads.destinations.email import Mailer
from portolan.leads.destinations.webhook import WebhookDestination
from portolan.leads.file_store import FileStore
from portolan.leads.models import ClosedDestination, Delivery, DeliveryAttempt
from portolan.leads.outbox import CLAIMED_FOR, claim, find_next, flush, reopen
from portolan.leads.replay import hold, release, replay
from portolan.leads.schedule import MOST_ATTEMPTS, PAUSES_S

from ..processes import LIMIT_S, SLOWER, wait_until
from .making import CANARY, START, Clock, make_lead, make_leads, reconcile
from .receiver import CRM, Receiver, Reply, receiving


class Fake:
    """A destination in memory. ``say`` is the exception to raise, if any."""

    name = "crm"

    def __init__(self, say: Callable[[Payload], Exception | None] = lambda _: None) -> None:
        self.say = say
        self.tried: list[tuple[str, datetime]] = []
        self.taken: list[str] = []

    def send(self, payload: Payload, now: datetime) -> str:
        self.tried.append((payload.id, now))
        error = self.say(payload)
        if error is not None:
            raise error
        self.taken.append(payload.id)
        return "returned 200"


class Alarms(list[str]):
    def __call__(self, delivery: Delivery) -> None:
        self.append(f"{delivery.lead_id}: {delivery.reason}")


def make_worker(
    destination: Destination, clock: Clock, alarm: Callable[[Delivery], None] | None = None, draw: float = 0.5
) -> DeliveryWorker:
    return DeliveryWorker(destination, Path, Alarms() if alarm is None else alarm, clock, clock.sleep, lambda: draw)


def run_until(limit: datetime, worker: DeliveryWorker, clock: Clock) -> None:
    """Do due work, then rest until more is due, as the worker does."""
    while clock.now < limit:
        worker.run_due()
        due = find_next("crm", clock.now)
        clock.now = min(limit, due if due and due > clock.now else limit)
    worker.run_due()


def fail(message: str = "down") -> Callable[[Payload], Exception]:
    return lambda _: Retryable(message)


@pytest.mark.postgres
@pytest.mark.django_db
class TestOne:
    def test_a_lead_that_is_taken_is_done(self) -> None:
        clock, crm = Clock(), Fake()
        lead = make_lead()
        assert make_worker(crm, clock).run_due() == 1
        delivery = lead.deliveries.get()
        assert (delivery.state, delivery.attempts, delivery.delivered_at, delivery.claimed_until) == (
            "delivered",
            1,
            START,
            None,
        )
        assert list(delivery.history.values_list("succeeded", "detail")) == [(True, "returned 200")]
        assert make_worker(crm, clock).run_due() == 0

    @pytest.mark.parametrize("draw", [0, 0.5, 1])
    def test_tries_follow_the_schedule_and_end_with_an_alarm(self, draw: float) -> None:
        clock, crm, alarms = Clock(), Fake(fail("The receiver answered 500.")), Alarms()
        lead = make_lead()
        run_until(START + timedelta(days=5), make_worker(crm, clock, alarms, draw), clock)
        at = [tried for _, tried in crm.tried]
        assert len(at) == MOST_ATTEMPTS == 10
        pauses = [(after - before).total_seconds() for before, after in pairwise(at)]
        for pause, usual in zip(pauses, PAUSES_S[1:], strict=True):
            assert pause == pytest.approx(usual * (0.8 + 0.4 * draw), abs=0.2)
        delivery = lead.deliveries.get()
        assert (delivery.state, delivery.reason) == ("dead", "The receiver answered 500.")
        assert delivery.history.filter(succeeded=False).count() == 10
        assert alarms == [f"{lead.pk}: The receiver answered 500."]
        assert reconcile([str(lead.pk)], crm.taken) == {str(lead.pk)}

    def test_the_schedule_takes_three_days_and_a_bit(self) -> None:
        assert timedelta(seconds=sum(PAUSES_S)) == timedelta(hours=75, minutes=35, seconds=5)

    @pytest.mark.parametrize(("wish", "pause"), [(1, 5), (120, 120), (10**9, 86_400)])
    def test_who_asks_for_time_gets_it_up_to_a_day(self, wish: float, pause: float) -> None:
        clock, crm = Clock(), Fake(lambda _: Retryable("busy", wish))
        lead = make_lead()
        make_worker(crm, clock).run_due()
        tried = crm.tried[0][1]
        assert (lead.deliveries.get().next_at - tried).total_seconds() == pytest.approx(pause, abs=0.01)

    def test_what_will_never_be_taken_is_given_up_at_once_and_can_be_replayed(self) -> None:
        clock, alarms = Clock(), Alarms()
        crm = Fake(lambda _: Permanent("The mail server refused it (550)."))
        lead = make_lead()
        make_worker(crm, clock, alarms).run_due()
        assert lead.deliveries.get().state == "dead"
        assert len(alarms) == len(crm.tried) == 1
        crm.say = lambda _: None
        assert replay(Delivery.objects.filter(lead=lead)) == 1
        clock.now = lead.deliveries.get().next_at
        assert make_worker(crm, clock).run_due() == 1
        assert crm.taken == [str(lead.pk)]

    def test_a_mistake_of_ours_stops_no_other_lead_and_shows_nothing(self, caplog: pytest.LogCaptureFixture) -> None:
        clock = Clock()
        first, second = make_lead(), make_lead()
        crm = Fake(lambda payload: KeyError(CANARY) if payload.id == str(first.pk) else None)
        with caplog.at_level(logging.DEBUG):
            make_worker(crm, clock).run_due()
        assert crm.taken == [str(second.pk)]
        assert first.deliveries.get().reason == "An internal error occurred (KeyError)."
        assert "KeyError at test_delivery_worker.py" in caplog.text
        assert CANARY not in caplog.text

    def test_gone_closes_the_destination_until_it_is_opened_again(self) -> None:
        clock, alarms = Clock(), Alarms()
        make_leads(3)
        crm = Fake(lambda _: Closed("410"))
        make_worker(crm, clock, alarms).run_due()
        assert len(crm.tried) == 1
        assert len(alarms) == 3
        assert ClosedDestination.objects.get().pk == "crm"
        assert not reopen("hubspot")
        assert reopen("crm")
        crm.say = lambda _: None
        assert replay(Delivery.objects.all()) == 3
        clock.now += timedelta(days=365)
        make_worker(crm, clock).run_due()
        assert len(crm.taken) == 3

    def test_held_leads_wait_until_they_are_released(self) -> None:
        clock, crm = Clock(), Fake()
        lead = make_lead()
        hold([lead.pk])
        assert make_worker(crm, clock).run_due() == 0
        assert find_next("crm", clock.now) is None
        release([lead.pk])
        clock.now = lead.deliveries.get().next_at
        assert make_worker(crm, clock).run_due() == 1

    def test_an_erased_lead_is_sent_to_nobody(self) -> None:
        clock, crm = Clock(), Fake()
        lead = make_lead(erased_at=START)
        make_worker(crm, clock).run_due()
        assert crm.tried == []
        assert lead.deliveries.get().state == "dead"

    def test_a_decision_made_meanwhile_stands(self) -> None:
        clock = Clock()
        lead = make_lead()

        def held_meanwhile(_: Payload) -> Exception:
            hold([lead.pk])
            return Retryable("down")

        crm, alarms = Fake(held_meanwhile), Alarms()
        make_worker(crm, clock, alarms).run_due()
        assert lead.deliveries.get().state == "held"
        lead = make_lead()
        crm.say = lambda _: (hold([lead.pk]), None)[1]
        make_worker(crm, clock).run_due()
        assert lead.deliveries.get().state == "delivered"  # it has arrived, regardless of the decision

    def test_the_history_and_the_logs_tell_of_nobody(self, caplog: pytest.LogCaptureFixture) -> None:
        clock = Clock()
        make_lead(destinations=["crm"])
        with caplog.at_level(logging.DEBUG), receiving() as server:
            server.answer = lambda request: Reply(500, {}, request.body)
            hook = WebhookDestination("crm", f"https://{CRM}/{CANARY}", [b"k" * 24], server.poster())
            alarm = DeadLetterAlarm(Mailer(None, None), ["it@brightmoor.example"])
            run_until(START + timedelta(days=5), make_worker(hook, clock, alarm), clock)
        assert "could not be delivered to crm after 10 attempts: The receiver answered 500." in caplog.text
        assert "The e-mail about lead" in caplog.text
        rows = repr(list(Delivery.objects.values())) + repr(list(DeliveryAttempt.objects.values()))
        assert CANARY not in caplog.text + rows


@pytest.mark.django_db
class TestBacklog:
    @pytest.mark.postgres
    def test_the_first_success_makes_all_that_waits_due(self) -> None:
        clock, crm = Clock(), Fake(fail())
        make_leads(5)
        worker = make_worker(crm, clock)
        run_until(START + timedelta(minutes=40), worker, clock)
        assert len(crm.tried) == 20  # four tries each; the fifth is two hours away
        crm.say = lambda _: None
        newcomer = make_lead(clock.now)
        worker.run_due()
        assert len(crm.taken) == 6
        assert crm.taken[0] == str(newcomer.pk)

    def test_what_fails_for_its_own_reasons_does_not_use_up_its_tries(self) -> None:
        clock = Clock()
        odd = make_lead()
        crm = Fake(lambda payload: Retryable("odd") if payload.id == str(odd.pk) else None)
        worker = make_worker(crm, clock)
        for _ in range(60):  # for an hour, all others get through
            make_lead(clock.now)
            run_until(clock.now + timedelta(minutes=1), worker, clock)
        assert len(crm.taken) == 60
        assert odd.deliveries.get().attempts <= 4 + 6
        assert odd.deliveries.get().state == "pending"

    def test_two_hundred_are_drained_within_a_minute_and_no_faster_than_ten_a_second(self) -> None:
        clock, crm = Clock(), Fake(fail())
        make_leads(200, START - timedelta(seconds=1))
        Delivery.objects.update(attempts=4, next_at=START + timedelta(hours=2))
        crm.say = lambda _: None
        make_lead(START)
        make_worker(crm, clock).run_due()
        assert len(crm.taken) == 201
        assert clock.now - START <= timedelta(minutes=1)
        seconds = [int((at - START).total_seconds()) for _, at in crm.tried]
        assert max(seconds.count(second) for second in set(seconds)) <= PER_SECOND + 1
        assert reconcile(crm.taken, crm.taken) == set()

    @pytest.mark.postgres
    def test_others_are_left_as_they_are(self) -> None:
        make_lead(START + timedelta(hours=1), destinations=["crm", "mail"])
        assert flush("crm", START) == 1
        assert Delivery.objects.get(destination="mail").next_at == START + timedelta(hours=1)


@pytest.mark.django_db
class TestOutage:
    """The CRM is down for an hour, in every way it can be (R5)."""

    # A client that leaves during TLS's handshake leaves the socket to the collector.
    @pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
    @pytest.mark.parametrize("mode", ["refused", "hangs", "500", "200 after the timeout", "302", "429", "expired"])
    def test_every_lead_is_there_in_the_end(self, mode: str) -> None:
        clock = Clock()
        with receiving() as server:
            poster = server.poster()
            if mode == "refused":
                poster._network._port = closed_port()  # type: ignore[attr-defined]
            if mode == "expired":
                poster = Receiver().poster()
                poster._network._port = server.port  # type: ignore[attr-defined]  # its certificate is a stranger's
            server.answer = down(mode)
            send_s = 0.05 * SLOWER if mode in SLOW else LIMIT_S
            hook = WebhookDestination("crm", f"https://{CRM}/leads", [b"k" * 24], poster, send_s=send_s)
            worker = make_worker(hook, clock)
            acknowledged = []
            for _ in range(6):  # a lead every ten minutes
                acknowledged.append(str(make_lead(clock.now).pk))
                run_until(clock.now + timedelta(minutes=10), worker, clock)
                reconcile(acknowledged, received(server))
            assert Delivery.objects.filter(state="delivered").count() == 0
            server.answer = lambda _: Reply()
            hook = WebhookDestination("crm", f"https://{CRM}/leads", [b"k" * 24], server.poster())
            run_until(clock.now + timedelta(minutes=31), make_worker(hook, clock), clock)
            assert reconcile(acknowledged, received(server)) == set()
            ids = [request.headers["webhook-id"] for request in server.taken]
            assert {f"lead_{id}" for id in acknowledged} == set(ids)
            if mode != "200 after the timeout":
                assert len(ids) == len(set(ids))
        gc.collect()


SLOW = {"hangs", "200 after the timeout"}


def down(mode: str) -> Callable[[object], Reply]:
    replies = {
        "hangs": Reply(200, after_s=3600),
        "500": Reply(500),
        "200 after the timeout": Reply(200, after_s=0.15 * SLOWER),
        "302": Reply(302, {"Location": f"https://{CRM}/elsewhere"}),
        "429": Reply(429, {"Retry-After": "60"}),
    }
    return lambda _: replies.get(mode, Reply())


def closed_port() -> int:
    with receiving() as other:
        return other.port


def received(server: Receiver) -> set[str]:
    return {request.json["data"]["id"] for request in server.taken}


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("many_connections")
class TestSeveral:
    def test_each_delivery_is_one_workers(self) -> None:
        make_leads(60)
        lock = threading.Lock()
        crm = Fake()
        original = crm.send

        def send(payload: Payload, now: datetime) -> str:
            with lock:
                return original(payload, now)

        crm.send = send  # type: ignore[method-assign]

        def work(_: int) -> int:
            try:
                return make_worker(crm, Clock()).run_due()
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as pool:
            tries = list(pool.map(work, range(4)))
        assert sum(tries) == len(crm.taken) == len(set(crm.taken)) == 60

    def test_what_a_killed_worker_had_is_taken_over_after_a_minute(self) -> None:
        clock, crm = Clock(), Fake()
        lead = make_lead()
        assert claim("crm", START)
        assert claim("crm", START) is None
        assert find_next("crm", START) == START + CLAIMED_FOR
        clock.now = START + CLAIMED_FOR
        assert make_worker(crm, clock).run_due() == 1
        assert lead.deliveries.get().attempts == 2

    def test_one_that_comes_late_changes_nothing_of_the_others_try(self) -> None:
        """Its claim has expired, another worker has the delivery, and then it reports a failure."""
        clock = Clock()
        lead = make_lead()

        def overtaken(_: Payload) -> Exception:
            assert claim("crm", START + CLAIMED_FOR + timedelta(seconds=1))
            return Retryable("late")

        make_worker(Fake(overtaken), clock).run_due()
        delivery = lead.deliveries.get()
        assert (delivery.state, delivery.attempts, delivery.reason) == ("pending", 2, "")
        assert delivery.claimed_until is not None

    def test_the_worker_serves_every_destination_and_one_that_hangs_holds_up_no_other(
        self, tmp_path: Path, settings: Settings
    ) -> None:
        settings.LEADS_SOCKET = tmp_path / "leads.sock"
        release_it, done = threading.Event(), threading.Event()
        slow, quick = Fake(lambda _: (release_it.wait(LIMIT_S), None)[1]), Fake(lambda _: (done.set(), None)[1])
        slow.name, quick.name = "slow", "quick"
        worker = DeliveryService({"slow": slow, "quick": quick}, FileStore(tmp_path / "leads"), Alarms())
        make_lead(destinations=["slow", "quick", "forgotten"])
        ended, woken = threading.Event(), threading.Event()
        thread = threading.Thread(target=worker.run, args=(lambda _: woken.wait(0.05), ended.is_set))
        thread.start()
        try:
            assert done.wait(LIMIT_S)
            assert slow.taken == []
            wait_until(lambda: Delivery.objects.get(destination="forgotten").state == "dead")
        finally:
            release_it.set()
            ended.set()
            thread.join(LIMIT_S)
        assert not thread.is_alive()
        states = dict(Delivery.objects.values_list("destination", "state"))
        assert states == {"slow": "delivered", "quick": "delivered", "forgotten": "dead"}
        assert "has no such destination" in Delivery.objects.get(destination="forgotten").reason


@pytest.mark.django_db
def test_a_lead_that_was_taken_is_not_sent_again_because_the_database_did_not_note_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, crm = Clock(), Fake()
    lead = make_lead()
    worker = make_worker(crm, clock)
    with monkeypatch.context() as patched:
        patched.setattr(DeliveryAttempt.objects, "create", fail_as_damaged)
        with pytest.raises(DatabaseError):
            worker.run_due()
    clock.sleep(CLAIMED_FOR.total_seconds() + 1)
    worker.run_due()
    assert crm.taken == [str(lead.pk)]
    assert Delivery.objects.get().state == "delivered"


def fail_as_damaged(**_: object) -> None:
    raise DatabaseError("database disk image is malformed")

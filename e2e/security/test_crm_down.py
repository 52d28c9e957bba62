"""The company's CRM is down for an hour while forms are sent: it refuses, then hangs, then fails; and then takes everything, once.

Server, delivery and CRM are processes and connections as in production. In the short form the hour and every pause are
pressed together to seconds; `make soak` waits the hour (``PORTOLAN_CRM_DOWN_S``).
"""

import os
import signal
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final
from uuid import uuid4

import httpx
import pytest

from portolan_dev.ports import free_port
from tests.edge.upstream import running
from tests.leads.receiver import Receiver, Reply
from tests.processes import started

from ..faults import LONGEST_WAIT_S, wait_until
from ..seeded import ROOT
from ..visitors import CONTACT
from .installation import Installation

pytestmark = pytest.mark.one_worker
HOUR_S: Final = 3600
DOWN_S: Final = float(os.environ.get("PORTOLAN_CRM_DOWN_S", "1.5"))
SHARE: Final = DOWN_S / HOUR_S
"""Of the hour, and so of each pause between two tries."""
LEADS: Final = 600 if DOWN_S > 600 else 12
"""While it is down. A worker sends ten a second when it is back."""


@contextmanager
def delivering(installation: Installation, crm: Receiver) -> Iterator[None]:
    authority = installation.var / "crm.pem"
    authority.write_bytes(crm.authority)
    command = [sys.executable, "-m", "e2e.security.crm_delivery", str(crm.port), str(authority), str(SHARE)]
    with (
        (installation.var / "delivery.log").open("ab") as output,
        started(command, DOWN_S + 300, cwd=ROOT, env=installation.environment, stdout=output, stderr=output) as process,
    ):
        yield
        process.send_signal(signal.SIGTERM)
        assert process.wait(LONGEST_WAIT_S) == 0


class Sender:
    """Fills in the form at even intervals, for as long as the CRM is down."""

    def __init__(self, installation: Installation) -> None:
        self._client = httpx.Client(
            base_url=f"http://127.0.0.1:{installation.port}", timeout=LONGEST_WAIT_S, trust_env=False
        )
        self._host = installation.host
        self.acknowledged: list[str] = []
        self.longest_s = 0.0

    def close(self) -> None:
        self._client.close()

    def send(self, count: int, within_s: float) -> None:
        began = time.monotonic()
        for number in range(count):
            time.sleep(max(0, began + number * within_s / count - time.monotonic()))
            self._send_one()
        time.sleep(max(0, began + within_s - time.monotonic()))

    def _send_one(self) -> None:
        form = {
            **CONTACT,
            "message": f"We move containers. {uuid4().hex}",
            "pageUrl": f"http://{self._host}/contact-us",
        }
        asked = time.monotonic()
        answer = self._client.post(
            "/api/integration/form-data",
            files={name: (None, value) for name, value in form.items()},
            headers={"Host": self._host, "Integration": "site", "Idempotency-Key": str(uuid4())},
        )
        self.longest_s = max(self.longest_s, time.monotonic() - asked)
        assert answer.status_code == 201, answer.text
        self.acknowledged.append(answer.json()["id"])


def ask(installation: Installation, sql: str) -> Counter[str]:
    with closing(sqlite3.connect(installation.var / "portolan.sqlite3")) as database:
        return Counter(value for (value,) in database.execute(sql))


def read_states(installation: Installation) -> Counter[str]:
    return ask(installation, "SELECT state FROM leads_delivery")


def read_failures(installation: Installation) -> Counter[str]:
    return ask(installation, "SELECT detail FROM leads_deliveryattempt WHERE NOT succeeded")


def test_a_crm_that_is_down_for_an_hour_has_every_lead_once_in_the_end(
    installation: Installation, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = {"hangs": Reply(503, after_s=60), "fails": Reply(503), "takes": Reply()}
    state = "hangs"
    crm = Receiver(port=free_port())
    crm.answer = lambda _: answers[state]
    sender = Sender(installation)

    def stay_down(how: str) -> None:
        sender.send(LEADS // 3, DOWN_S / 3)
        wait_until(
            lambda: any(how in reason for reason in read_failures(installation)),
            lambda: f"a try finds it like that: {how}; found were {read_failures(installation)}",
        )

    with closing(sender), delivering(installation, crm):
        stay_down("accepts no connection")
        with running(crm):  # type: ignore[arg-type]
            stay_down("did not respond within")
            state = "fails"
            stay_down("returned 503")
            assert crm.taken == []
            state = "takes"
            back = time.monotonic()
            sender.send(1, 0)
            wait_until(
                lambda: set(read_states(installation)) == {"delivered"},
                lambda: f"all are delivered: {read_states(installation)}",
                within_s=60 + LEADS,
            )
            took_s = time.monotonic() - back
    taken = [request.headers["webhook-id"].removeprefix("lead_") for request in crm.taken]
    assert len(sender.acknowledged) == LEADS + 1
    assert {*taken} >= {*sender.acknowledged}, "every lead"
    assert len(taken) == len({*taken}), "each once"
    if LEADS > 12:
        with capsys.disabled():
            print(
                f"\n{len(taken)} leads sent in {DOWN_S:.0f} s without CRM, the slowest answered in {sender.longest_s:.2f} s; "
                f"tries failed by {dict(read_failures(installation))}; all delivered {took_s:.1f} s after it was back, each once"
            )

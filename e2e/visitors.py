"""Visitors who send requests continuously while an installation changes, and the answers they get."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Final, NamedTuple, Self
from uuid import uuid4

import httpx

from .faults import LONGEST_WAIT_S

BETWEEN_READS_S: Final = 0.1
BETWEEN_LEADS_S: Final = 0.25
MOST: Final = 20_000
"""Requests of one visitor: whoever forgets to end them is not asked for ever."""
CONTACT: Final = {
    "contact[name]": "Head of Operations",
    "contact[email]": "operations@northwind.example",
    "privacyAccepted": "true",
    "captchaToken": "no-token",
}


class Read(NamedTuple):
    host: str
    path: str
    headers: dict[str, str] = {}


class Failure(NamedTuple):
    after_s: float
    what: str
    answer: str


class Visitors:
    """Two who read and one who sends leads, from the beginning of the block to its end. They go on after a failure."""

    def __init__(self, port: int, reads: Sequence[Read]) -> None:
        self.failures: list[Failure] = []
        self.answered = 0
        self.asked_again = 0
        """Reads on a connection that was open from before and that the server was closing just then: browsers ask these again."""
        self.leads: dict[str, int] = {}
        """What stands in the message of each lead, and the status its sender was answered with."""
        self._origin = f"http://127.0.0.1:{port}"
        self._host = f"localhost:{port}"
        self._reads = reads
        self._began = time.monotonic()
        self._ended = threading.Event()
        shifts = (0, len(reads) // 2)
        self._threads = [threading.Thread(target=self._read, args=[shift]) for shift in shifts]
        self._threads.append(threading.Thread(target=self._send))

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.end()

    def told(self) -> str:
        """Return the answers, and the first failures of each kind."""
        statuses = Counter(self.leads.values())
        kinds: dict[tuple[str, str], list[Failure]] = {}
        for failure in self.failures:
            kinds.setdefault((failure.what.partition("?")[0], failure.answer[:80]), []).append(failure)
        lines = [f"{len(few)} x {few[0]} … {few[-1].after_s} s" for few in kinds.values()]
        return "\n".join(
            [f"{self.answered} answers, {self.asked_again} asked again, leads {dict(statuses)}", *lines[:40]]
        )

    def end(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _read(self, shift: int) -> None:
        def ask(client: httpx.Client, number: int) -> None:
            read = self._reads[(shift + number) % len(self._reads)]
            headers = {"Host": read.host, **read.headers}
            try:
                answer = client.get(read.path, headers=headers)
            except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
                if number == 0:
                    raise
                self.asked_again += 1
                answer = client.get(read.path, headers=headers)
            self._judge(answer.status_code == 200, f"GET {read.host}{read.path}", answer)

        self._go_on(ask, "a connection to read", BETWEEN_READS_S)

    def _send(self) -> None:
        def ask(client: httpx.Client, number: int) -> None:
            mark = uuid4().hex
            form = {**CONTACT, "message": f"We move containers. {mark}", "pageUrl": f"http://{self._host}/contact-us"}
            parts = {name: (None, value) for name, value in form.items()}
            headers = {"Host": self._host, "Integration": "site", "Idempotency-Key": str(uuid4())}
            answer = client.post("/api/integration/form-data", files=parts, headers=headers)
            if answer.status_code in (201, 202):
                self.leads[mark] = answer.status_code
            self._judge(answer.status_code in (201, 202), "POST a lead", answer)

        self._go_on(ask, "a connection to send a lead", BETWEEN_LEADS_S)

    def _go_on(self, ask: Callable[[httpx.Client, int], None], what: str, pause_s: float) -> None:
        with httpx.Client(base_url=self._origin, timeout=LONGEST_WAIT_S, trust_env=False) as client:
            for number in range(MOST):
                if self._ended.wait(pause_s):
                    return
                try:
                    ask(client, number)
                except httpx.TransportError as error:
                    self._fail(what, repr(error))

    def _judge(self, is_well: bool, what: str, answer: httpx.Response) -> None:
        self.answered += 1
        if not is_well:
            self._fail(what, f"{answer.status_code} {answer.text[:200]}")

    def _fail(self, what: str, answer: str) -> None:
        self.failures.append(Failure(round(time.monotonic() - self._began, 1), what, answer))

"""Visitors: browsers that read pages over TLS as long as a block lasts, and forms that are retried until they are accepted."""

import http.client
import json
import socket
import ssl
import threading
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from types import TracebackType
from typing import Final, NamedTuple, Self

ADDRESSES: Final = [f"198.51.100.{number}" for number in range(1, 31)]
_PAUSE_S: Final = 0.05
_PATIENCE_S: Final = 30


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Browser:
    """One client, by one address. ``authority``: the certificate of who has signed the sites'."""

    def __init__(self, authority: str, at: str, address: str = ADDRESSES[0]) -> None:
        self._tls = ssl.create_default_context(cafile=authority)
        self._at, self._address = at, address
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, url: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Answer:
        scheme, _, rest = url.partition("://")
        host, slash, path = rest.partition("/")
        port = 443 if scheme == "https" else 80
        with socket.create_connection((self._at, port), _PATIENCE_S, (self._address, 0)) as plain:
            link = self._tls.wrap_socket(plain, server_hostname=host) if scheme == "https" else plain
            connection = http.client.HTTPConnection(host)
            connection.sock = link
            cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            sent = {"Host": host, "Connection": "close", **({"Cookie": cookie} if cookie else {}), **(headers or {})}
            connection.request(method, slash + path, body, sent)
            reply = connection.getresponse()
            for line in reply.headers.get_all("Set-Cookie") or ():
                name, _, value = line.partition(";")[0].partition("=")
                self.cookies[name] = value
            answer = Answer(reply.status, {key.lower(): value for key, value in reply.getheaders()}, reply.read())
            link.close()
            return answer


class Visitors:
    """Each reads the pages in turn, with a pause between."""

    def __init__(self, authority: str, at: str, urls: Sequence[str], how_many: int = 3) -> None:
        self.answered = 0
        self.failures: Counter[str] = Counter()
        self.slowest_s = 0.0
        self._failed_at: list[float] = []
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=self._read, args=(Browser(authority, at, ADDRESSES[5 + number]), urls, number))
            for number in range(how_many)
        ]

    def _read(self, browser: Browser, urls: Sequence[str], first: int) -> None:
        number = first
        while not self._ended.wait(_PAUSE_S):
            number += 1
            began = time.monotonic()
            try:
                failed = browser.ask("GET", urls[number % len(urls)]).status
                failure = "" if failed == 200 else str(failed)
            except (OSError, http.client.HTTPException) as error:
                failure = type(error).__name__
            took = time.monotonic() - began
            with self._lock:
                self.slowest_s = max(self.slowest_s, took)
                self.answered += not failure
                if failure:
                    self.failures[failure] += 1
                    self._failed_at.append(time.monotonic())

    @property
    def away_s(self) -> float:
        """From the first request that failed to the last."""
        return max(self._failed_at) - min(self._failed_at) if self._failed_at else 0.0

    def __str__(self) -> str:
        failed = ", ".join(f"{how_many} x {what}" for what, how_many in self.failures.items()) or "none"
        return f"{self.answered} pages answered, slowest {self.slowest_s:.1f} s, failed: {failed}"

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()


class Form:
    """A form as the page's own script sends it: under one key, again and again until it is taken."""

    def __init__(self, browser: Browser, site: str, name: str, files: dict[str, bytes]) -> None:
        self.name, self.key = name, uuid.uuid4().hex
        self.address = f"{name.replace(' ', '.').lower()}@visitor.example"
        self._browser, self._site = browser, site
        fields = {
            "contact[name]": name,
            "contact[email]": self.address,
            "message": f"We would like to know more, says {name}.",
            "pageUrl": f"{site}/contact-us",
            "privacyAccepted": "true",
            "captchaToken": "no-token",
        }
        parts = [
            f'Content-Disposition: form-data; name="{key}"\r\n\r\n{value}'.encode() for key, value in fields.items()
        ]
        parts += [
            f'Content-Disposition: form-data; name="attachments[{number}]"; filename="{file}"\r\n'
            "Content-Type: application/octet-stream\r\n\r\n".encode()
            + data
            for number, (file, data) in enumerate(files.items())
        ]
        self._body = b"".join(b"--drill\r\n" + part + b"\r\n" for part in parts) + b"--drill--\r\n"
        self.tries = 0

    def send(self, within_s: float = 180) -> Answer:
        """Return the answer that accepted the lead: 201, or 202 if the lead waits for the database."""
        deadline = time.monotonic() + within_s
        while True:
            self.tries += 1
            said: object
            try:
                answer = said = self._browser.ask(
                    "POST",
                    f"{self._site}/api/integration/form-data",
                    self._body,
                    {
                        "Content-Type": "multipart/form-data; boundary=drill",
                        "Integration": "site",
                        "Idempotency-Key": self.key,
                    },
                )
                if answer.status in (201, 202):
                    return answer
                assert answer.status >= 500, answer
            except (OSError, http.client.HTTPException) as error:
                said = error
            assert time.monotonic() < deadline, f"nobody takes the lead of {self.name}: {said}"
            time.sleep(0.2)


def lead_id(answer: Answer) -> str:
    return str(json.loads(answer.body)["id"])

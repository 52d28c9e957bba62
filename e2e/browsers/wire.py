"""The WebDriver protocol in two forms: W3C over HTTP, served by a driver, and Firefox's Marionette over a socket. Both have the
same commands under other names.
"""

import json
import socket
from typing import Any, Final, Protocol

import httpx

from ..faults import wait_until

COMMAND_LIMIT_S: Final = 120
_NAMES: Final = {
    "url": "WebDriver:Navigate",
    "back": "WebDriver:Back",
    "forward": "WebDriver:Forward",
    "refresh": "WebDriver:Refresh",
    "window/rect": "WebDriver:SetWindowRect",
    "execute/sync": "WebDriver:ExecuteScript",
    "element": "WebDriver:FindElement",
    "actions": "WebDriver:PerformActions",
    "element/click": "WebDriver:ElementClick",
    "element/value": "WebDriver:ElementSendKeys",
}
"""W3C command, without session and element -> Marionette's."""


class WireError(AssertionError):
    """The browser refused a command."""


class Wire(Protocol):
    def send(self, command: str, element: str = "", **values: Any) -> Any:
        """Send a command such as ``url``, or ``element/click`` with the id of an element; return its value."""

    def close(self) -> None: ...


class HttpWire:
    """WebKitWebDriver and chromedriver."""

    def __init__(self, port: int, capabilities: dict[str, Any]) -> None:
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=COMMAND_LIMIT_S, trust_env=False)
        wait_until(self._is_there, f"a driver at port {port}")
        session = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self._session = f"/session/{session['sessionId']}"

    def _is_there(self) -> bool:
        try:
            return bool(self._ask("GET", "/status", None)["ready"])
        except httpx.TransportError:
            return False

    def send(self, command: str, element: str = "", **values: Any) -> Any:
        if element:
            command = command.replace("element/", f"element/{element}/")
        return self._ask("POST", f"{self._session}/{command}", values)

    def close(self) -> None:
        self._ask("DELETE", self._session, None)
        self._client.close()

    def _ask(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        answer = self._client.request(method, path, json=body)
        value = answer.json()["value"]
        if answer.status_code != 200:
            raise WireError(f"{path}: {value['error']}: {value['message']}")
        return value


class MarionetteWire:
    """Firefox, started with ``--marionette``: each message is JSON after its length."""

    def __init__(self, port: int) -> None:
        self._connection = socket.socket()
        wait_until(lambda: self._connects(port), f"Firefox at port {port}")
        self._connection.settimeout(COMMAND_LIMIT_S)
        self._answers = self._connection.makefile("rb")
        self._sent = 0
        self._read()  # who it is
        self._ask("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {"acceptInsecureCerts": False}}})

    def _connects(self, port: int) -> bool:
        if self._connection.connect_ex(("127.0.0.1", port)) == 0:
            return True
        self._connection.close()
        self._connection = socket.socket()
        return False

    def send(self, command: str, element: str = "", **values: Any) -> Any:
        answer = self._ask(_NAMES[command], values | ({"id": element} if element else {}))
        return answer.get("value") if isinstance(answer, dict) else answer

    def close(self) -> None:
        self._ask("Marionette:Quit", {"flags": ["eForceQuit"]})
        self._connection.close()

    def _ask(self, name: str, values: dict[str, Any]) -> Any:
        self._sent += 1
        message = json.dumps([0, self._sent, name, values]).encode()
        self._connection.sendall(b"%d:%s" % (len(message), message))
        _, number, error, value = self._read()
        assert number == self._sent
        if error:
            raise WireError(f"{name}: {error['error']}: {error['message']}")
        return value

    def _read(self) -> Any:
        length = b""
        while (digit := self._answers.read(1)) != b":":
            if not digit:
                raise WireError("Firefox has ended")
            length += digit
        return json.loads(self._answers.read(int(length)))

"""The actions and questions of journeys in a window of any browser."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final
from urllib.parse import quote

from ..faults import wait_until
from .wire import Wire, WireError

ENTER, ESCAPE, TAB = "\ue007", "\ue00c", "\ue004"
"""As WebDriver names keys."""
_ELEMENT: Final = "element-6066-11e4-a52e-4f735466cecf"
"""Under which the protocol names an element."""
_CHOSEN: Final = quote(json.dumps({"ad_storage": False, "analytics_storage": False}, separators=(",", ":")), safe="")
_IS_VISIBLE: Final = "const found = document.querySelector(arguments[0]); return found?.checkVisibility() === true"

_NOT_YET: Final = ("not interactable", "no such element", "stale element", "intercepted")


class Window:
    def __init__(self, wire: Wire, origin: str) -> None:
        self._wire = wire
        self.origin = origin

    def answer_consent(self) -> None:
        """Be a visitor who has answered the question about cookies."""
        self.go("/robots.txt")
        self.run(
            "document.cookie = `consent_status=${arguments[0]}; path=/`;"
            "localStorage.consentSeen = new Date().toISOString()",
            _CHOSEN,
        )

    def go(self, path: str) -> None:
        self._wire.send("url", url=self.origin + path)

    def back(self) -> None:
        self._wire.send("back")

    def forward(self) -> None:
        self._wire.send("forward")

    def resize(self, width: int, height: int) -> None:
        """Set the size of the page, which is less than the window's."""
        for _ in range(2):  # the first time, the page's own size is not known yet
            inner = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
            self._wire.send("window/rect", width=width + max(inner[0], 0), height=height + max(inner[1], 0))
        self.wait("return innerWidth === arguments[0]", width)

    def run(self, script: str, *values: Any) -> Any:
        """Return the value of an expression in the page's JavaScript."""
        return self._wire.send("execute/sync", script=script, args=list(values))

    def wait(self, script: str, *values: Any) -> None:
        """Until JavaScript returns true; also while documents come and go."""

        def is_so() -> bool:
            with suppress(WireError):
                return self.run(script, *values) is True
            return False

        wait_until(is_so, lambda: f"{script} {values}; at {self.where()}")

    def where(self) -> str:
        with suppress(WireError):
            return f"{self.run('return location.href')}: {self.text('h1')!r}"
        return "no page"

    def text(self, selector: str) -> str | None:
        found: str | None = self.run("return document.querySelector(arguments[0])?.textContent ?? null", selector)
        return found

    def wait_for_text(self, selector: str, text: str) -> None:
        self.wait("return document.querySelector(arguments[0])?.textContent.trim() === arguments[1]", selector, text)

    def is_visible(self, selector: str) -> bool:
        return self.run(_IS_VISIBLE, selector) is True

    def wait_visible(self, selector: str) -> None:
        self.wait(_IS_VISIBLE, selector)

    def wait_hidden(self, selector: str) -> None:
        self.wait(_IS_VISIBLE.replace("=== true", "!== true"), selector)

    def wait_focused(self, selector: str) -> None:
        self.wait("return document.activeElement?.matches(arguments[0]) === true", selector)

    def click(self, selector: str) -> None:
        """Click an element once the browser can: WebKit refuses until it has laid the page out."""

        def is_clicked() -> bool:
            try:
                self._wire.send("element/click", self._find(selector))
            except WireError as error:
                if not any(why in str(error) for why in _NOT_YET):
                    raise
                return False
            return True

        wait_until(is_clicked, lambda: f"{selector} to be clicked; at {self.where()}")

    def type(self, selector: str, text: str) -> None:
        self._wire.send("element/value", self._find(selector), text=text)

    def retype(self, selector: str, text: str) -> None:
        """Replace a field's text. Browsers place the caret differently when a field gets the focus."""
        self.run("document.querySelector(arguments[0]).select()", selector)
        self.type(selector, text)

    def press(self, *keys: str) -> None:
        """Press keys one after the other, wherever the focus is."""
        moves = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._wire.send("actions", actions=[{"type": "key", "id": "keys", "actions": moves}])

    def point_at(self, selector: str) -> None:
        """Move the mouse to the middle of an element."""
        x, y = self.run(
            "const box = document.querySelector(arguments[0]).getBoundingClientRect();"
            "return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)]",
            selector,
        )
        self.point(x, y)

    def point(self, x: int, y: int) -> None:
        move = {"type": "pointerMove", "duration": 100, "x": x, "y": y, "origin": "viewport"}
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [move]}
        self._wire.send("actions", actions=[mouse])

    def scroll_to(self, top: int) -> None:
        self.run("scrollTo({ top: arguments[0], behavior: 'instant' })", top)
        self.wait_scroll(top)

    def wait_scroll(self, top: int) -> None:
        self.wait("return Math.abs(scrollY - arguments[0]) <= 1", top)

    def _find(self, selector: str) -> str:
        found: dict[str, str] = self._wire.send("element", using="css selector", value=selector)
        return found[_ELEMENT]


OpenWindow = Callable[..., Window]

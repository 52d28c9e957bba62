"""Start Debian's browsers, each with its own profile. For a missing browser, print the package to install."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from portolan_dev.ports import free_port
from tests.processes import started

from ..conftest import CHROMIUM_FLAGS
from ..faults import wait_until
from .wire import HttpWire, MarionetteWire, Wire

WHOLE_RUN_S: Final = 900
"""No browser stays for longer."""
_MINI_BROWSER: Final = ("/usr/lib/*/webkit2gtk-4.1/MiniBrowser", "/usr/libexec/webkit2gtk-4.1/MiniBrowser")
_FIREFOX_PREFERENCES: Final = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "ui.prefersReducedMotion": 1,
}


class Needed(NamedTuple):
    """A program that is needed to drive a browser."""

    package: str
    """Debian's."""
    names: tuple[str, ...]
    """Name of the program, or a pattern of its path."""

    def find(self) -> str | None:
        found = (str(path) for name in self.names if "/" in name for path in Path("/").glob(name.removeprefix("/")))
        return next(filter(None, map(shutil.which, self.names)), None) or next(found, None)


NEEDED: Final = {
    "firefox": (Needed("firefox-esr", ("firefox-esr", "firefox")),),
    "webkit": (
        Needed("webkit2gtk-driver", ("WebKitWebDriver",)),
        Needed("webkit2gtk-driver", _MINI_BROWSER),
        Needed("xvfb", ("Xvfb",)),
    ),
    "chromium": (Needed("chromium", ("chromium",)), Needed("chromium-driver", ("chromedriver",))),
}
ASKED_FOR: Final = tuple((os.environ.get("PORTOLAN_BROWSERS") or ",".join(NEEDED)).split(","))


def require_browsers() -> None:
    """Fail if a requested browser is missing, so that a run always tests it."""
    if unknown := sorted({*ASKED_FOR} - NEEDED.keys()):
        raise pytest.UsageError(f"PORTOLAN_BROWSERS: {', '.join(unknown)}. There are {', '.join(NEEDED)}.")
    missing = {name: [each.package for each in NEEDED[name] if not each.find()] for name in ASKED_FOR}
    packages = sorted({package for names in missing.values() for package in names})
    if packages:
        names = ", ".join(name for name, lacks in missing.items() if lacks)
        raise pytest.UsageError(
            f"Cannot be driven: {names}. Nothing was tried. Install what is missing:\n"
            f"  sudo apt-get install {' '.join(packages)}\n"
            "or name the browsers that are here, e.g. PORTOLAN_BROWSERS=firefox"
        )


def _path(name: str, number: int = 0) -> str:
    found = NEEDED[name][number].find()
    assert found
    return found


@contextmanager
def open_browser(name: str, home: Path) -> Iterator[Wire]:
    """A browser that knows nothing yet, until the end of the block. ``home``: an empty folder for its profile."""
    with _OPEN[name](home) as wire:
        try:
            yield wire
        finally:
            wire.close()


@contextmanager
def _firefox(home: Path) -> Iterator[Wire]:
    port = free_port()
    values = {**_FIREFOX_PREFERENCES, "marionette.port": port}
    lines = [f'user_pref("{key}", {str(value).lower()});' for key, value in values.items()]
    (home / "user.js").write_text("\n".join(lines))
    command = [_path("firefox"), "--headless", "--no-remote", "--marionette", "--profile", home, "about:blank"]
    with started(command, WHOLE_RUN_S, env=_environment(home), **_into(home / "log")):
        yield MarionetteWire(port)


@contextmanager
def _webkit(home: Path) -> Iterator[Wire]:
    port = free_port()
    driver = [_path("webkit"), "--host=127.0.0.1", f"--port={port}"]
    options = {"binary": _path("webkit", 1), "args": ["--automation"]}
    settings = home / ".config/gtk-3.0/settings.ini"
    settings.parent.mkdir(parents=True)
    settings.write_text("[Settings]\ngtk-enable-animations=0\n")  # less motion: nothing is clicked while it slides
    with _display(home) as display:
        environment = _environment(home) | {"DISPLAY": display, "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
        with started(driver, WHOLE_RUN_S, env=environment, **_into(home / "log")):
            yield HttpWire(port, {"webkitgtk:browserOptions": options})


@contextmanager
def _chromium(home: Path) -> Iterator[Wire]:
    port = free_port()
    flags = [*CHROMIUM_FLAGS, "--headless=new", "--force-prefers-reduced-motion", f"--user-data-dir={home / 'profile'}"]
    options = {"binary": _path("chromium"), "args": flags}
    driver = [_path("chromium", 1), f"--port={port}"]
    with started(driver, WHOLE_RUN_S, env=_environment(home), **_into(home / "log")):
        yield HttpWire(port, {"goog:chromeOptions": options})


@contextmanager
def _display(home: Path) -> Iterator[str]:
    """A virtual screen."""
    number = home / "display"
    with number.open("w") as file:
        command = [_path("webkit", 2), "-displayfd", "1", "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
        with started(command, WHOLE_RUN_S, stdout=file, **_into(home / "xlog", only_errors=True)):
            wait_until(lambda: number.read_text().endswith("\n"), lambda: (home / "xlog").read_text())
            yield f":{number.read_text().strip()}"


def _environment(home: Path) -> dict[str, str]:
    return {**os.environ, "HOME": str(home)}


def _into(log: Path, only_errors: bool = False) -> dict[str, int]:
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    return {"stderr": file} if only_errors else {"stdout": file, "stderr": file}


_OPEN: Final = {"firefox": _firefox, "webkit": _webkit, "chromium": _chromium}

"""Check the running roles: this machine's server, and the API and studio of an edge."""

import socket
from collections.abc import Iterator
from typing import Any, Final

from ... import __version__
from ...config.env import Env
from ...config.role_answers import Place, ask_ready
from ...domain.health import UNDECLARED_PROXY
from .finding import Finding, problem, warning, well

_ANSWERS_WITHIN_S: Final = 4


def examine_roles(settings: Env) -> Iterator[Finding]:
    """Yield findings about the API and studio of an edge."""
    for name, setting, url in (
        ("API", "PORTOLAN_API_URL", settings.api_url),
        ("studio", "PORTOLAN_STUDIO_URL", settings.studio_url),
    ):
        if not url:
            mend = f"Set {setting} to the URL of the {name}."
            yield warning("roles", f"{setting} is not set, so requests to the {name} get 503.", mend)
            continue
        said = ask_ready(Place(url), _ANSWERS_WITHIN_S)
        if said is None:
            yield problem("roles", f"The {name} does not respond at {url}.", f"Start it, or correct {setting}.")
        elif said.get("role") != name.lower():
            yield problem(
                "roles", f"{url} is {said.get('role', 'another server')}, not the {name}.", f"Correct {setting}."
            )
        elif said.get("version") != __version__:
            mend = "Run the same version on both."
            yield warning("roles", f"The {name} has version {said.get('version')}, this edge {__version__}.", mend)
        elif not said.get("ready"):
            yield problem(
                "roles", f"The {name} is not ready: {' '.join(said.get('reasons', ()))}", "Fix this on its machine."
            )
        else:
            yield well("roles", f"the {name} is ready")
            for line in said.get("warnings", said.get("remarks", ())):
                yield warning("roles", f"The {name} reports: {line}", "Fix this on its machine.")


def examine_running(settings: Env) -> Iterator[Finding]:
    """Yield the reports of this machine's server about itself and its processes.

    Yield nothing if the server is down.
    """
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
    said = ask_ready(Place(url), _ANSWERS_WITHIN_S)
    if said is None:
        if _is_taken(host, settings.port):
            what = f"The server on port {settings.port} accepts connections but does not respond."
            yield problem("running", what, "Kill all its processes (`kill -9`), then start it again.")
        return
    yield from _examine_answer(said)


def _examine_answer(said: dict[str, Any]) -> Iterator[Finding]:
    silent = [f"The {name} does not answer." for name in said.get("silent", ())]  # as in domain.health
    for line in silent:
        mend = "It restarts within 30 seconds. If this stays, read its log and restart the server."
        yield problem("running", line, mend)
    known = [*silent, *said.get("folders", ())]  # examine_folders checks folders
    others = [
        line for line in (*said.get("reasons", ()), *said.get("warnings", said.get("remarks", ()))) if line not in known
    ]
    for line in others:
        if line == UNDECLARED_PROXY:
            yield problem("proxies", line, "Add the proxy's addresses, and restart the server.")
        else:
            yield warning("running", f"The running server reports: {line}", "Read its log.")
    if not silent and not others:
        yield well("running", f"the {said.get('role', 'server')} and all its processes respond")


def _is_taken(host: str, port: int) -> bool:
    """Return whether a process listens on the port."""
    try:
        socket.create_connection((host, port), timeout=2).close()
    except OSError:
        return False
    return True

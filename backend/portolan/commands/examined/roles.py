"""The running roles: the server of this machine, and the API and studio to which an edge passes requests."""

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
            mend = f"Set {setting} to where it is."
            yield warning("roles", f"This edge knows no {name}: its addresses are answered with 503.", mend)
            continue
        said = ask_ready(Place(url), _ANSWERS_WITHIN_S)
        if said is None:
            yield problem("roles", f"The {name} does not answer at {url}.", f"Start it, or correct {setting}.")
        elif said.get("role") != name.lower():
            yield problem("roles", f"At {url} answers {said.get('role', 'something else')}.", f"Correct {setting}.")
        elif said.get("version") != __version__:
            mend = "Bring both to one version."
            yield warning("roles", f"The {name} is of version {said.get('version')}, this one {__version__}.", mend)
        elif not said.get("ready"):
            yield problem("roles", f"The {name} is not ready: {' '.join(said.get('reasons', ()))}", "Mend it there.")
        else:
            yield well("roles", f"the {name} is ready")
            for line in said.get("warnings", said.get("remarks", ())):
                yield warning("roles", f"The {name} says: {line}", "Mend it there.")


def examine_running(settings: Env) -> Iterator[Finding]:
    """Yield what the server on this machine reports about itself and its processes.

    Yield nothing if no server runs.
    """
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.host, settings.host)  # noqa: S104
    url = f"http://{f'[{host}]' if ':' in host else host}:{settings.port}"
    said = ask_ready(Place(url), _ANSWERS_WITHIN_S)
    if said is None:
        if _is_taken(host, settings.port):
            what = f"The server on port {settings.port} takes connections and does not answer."
            yield problem("running", what, "End it with all its processes (`kill -9`), then start it again.")
        return
    yield from _examine_answer(said)


def _examine_answer(said: dict[str, Any]) -> Iterator[Finding]:
    silent = [f"The {name} does not answer." for name in said.get("silent", ())]
    for line in silent:
        mend = "It is restarted by itself within half a minute. If this stays, its log says why; restart the server."
        yield problem("running", line, mend)
    known = [*silent, *said.get("folders", ())]  # folders have a check of their own
    others = [
        line for line in (*said.get("reasons", ()), *said.get("warnings", said.get("remarks", ()))) if line not in known
    ]
    for line in others:
        if line == UNDECLARED_PROXY:
            yield problem("proxies", line, "Add the addresses of what is in front, and start it again.")
        else:
            yield warning("running", f"The running server says: {line}", "Its log says more.")
    if not silent and not others:
        yield well("running", f"the {said.get('role', 'server')} and all its processes answer")


def _is_taken(host: str, port: int) -> bool:
    """Return True if a process listens there."""
    try:
        socket.create_connection((host, port), timeout=2).close()
    except OSError:
        return False
    return True

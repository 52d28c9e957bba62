from pathlib import Path
from typing import Any

import orjson
import pytest
from starlette.types import ASGIApp

from .conftest import EN, STUDIO, Harbour, pages


def fails_to_load() -> ASGIApp:
    raise SystemExit("PORTOLAN_SECRET_KEY='': too short")


async def fails(scope: Any, receive: Any, send: Any) -> None:
    raise RuntimeError("database password is hunter2")


async def fails_half_way(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    raise RuntimeError("too late")


def harbour_with(harbour: Harbour, load: Any) -> Harbour:
    return Harbour(harbour.root, harbour.media, harbour.build, load)


def test_sites_are_served_while_the_rest_cannot_start(harbour: Harbour, caplog: pytest.LogCaptureFixture) -> None:
    harbour = harbour_with(harbour, fails_to_load)
    assert harbour.ask("/").text == pages("en")["/"]
    api, studio = harbour.ask("/api/offices"), harbour.ask("/admin/", STUDIO)
    assert (api.status, api.headers["content-type"]) == (503, "application/problem+json")
    assert orjson.loads(api.body)["code"] == "unavailable"
    assert api.headers["retry-after"]
    assert (studio.status, studio.headers["content-type"]) == (503, "text/html; charset=utf-8")
    assert "too short" not in api.text + studio.text
    assert "too short" in caplog.text


def test_a_failure_behind_shows_nothing_of_itself(harbour: Harbour, caplog: pytest.LogCaptureFixture) -> None:
    harbour = harbour_with(harbour, lambda: fails)
    api, studio = harbour.ask("/api/offices"), harbour.ask("/admin/", STUDIO)
    assert (api.status, api.headers["content-type"]) == (500, "application/problem+json")
    assert studio.status == 500
    assert "hunter2" not in api.text + studio.text
    assert "hunter2" in caplog.text


def test_half_an_answer_is_broken_off(harbour: Harbour) -> None:
    with pytest.raises(RuntimeError, match="too late"):
        harbour_with(harbour, lambda: fails_half_way).ask("/api/offices", EN, "POST")


def test_a_read_is_answered_whole_or_not_at_all(harbour: Harbour) -> None:
    answer = harbour_with(harbour, lambda: fails_half_way).ask("/api/offices", EN)
    assert (answer.status, orjson.loads(answer.body)["code"]) == (500, "internal-error")


async def gives_up(scope: Any, receive: Any, send: Any) -> None:
    """Fail like Django if the body breaks off."""


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_request_that_breaks_off_is_the_clients_error_and_not_ours(harbour: Harbour, method: str) -> None:
    harbour = harbour_with(harbour, lambda: gives_up)
    api, studio = harbour.ask("/api/content/offices", EN, method), harbour.ask("/admin/", STUDIO, method)
    assert (api.status, orjson.loads(api.body)["code"]) == (400, "bad-request")
    assert studio.status == 400


def test_it_is_loaded_once(harbour: Harbour, tmp_path: Path) -> None:
    loads = []

    def load() -> ASGIApp:
        loads.append(1)
        return fails

    harbour = harbour_with(harbour, load)
    for _ in range(3):
        harbour.ask("/api/offices")
    assert loads == [1]

"""Choices about cookies pass the edge to the application, within a size limit."""

import json
from typing import Any

import pytest

from .conftest import DE, EN, STUDIO, Harbour, echo

PATH = "/__consent"


def test_a_choice_on_a_sites_host_is_handed_over(harbour: Harbour) -> None:
    for host in (EN, DE):
        answer = harbour.ask(PATH, host, "POST")
        assert (answer.status, answer.text) == (200, f"POST /__consent {host}")


def test_so_is_the_question_for_a_captcha(harbour: Harbour) -> None:
    assert harbour.ask("/__captcha", DE).text == f"GET /__captcha {DE}"
    assert harbour.ask("/__captcha/", DE).status == 404


def test_it_is_taken_before_anything_is_published(unpublished: Harbour) -> None:
    assert unpublished.ask(PATH, EN, "POST").text == f"POST /__consent {EN}"


@pytest.mark.parametrize("path", ["/__consent/", "/__consents", "/__third-party-proxy", "/__x"])
def test_other_paths_that_begin_so_are_as_they_were(harbour: Harbour, path: str) -> None:
    assert harbour.ask(path, EN, "POST").status == 405
    assert "x-backend" not in harbour.ask(path).headers


def test_the_studios_host_is_the_studios(harbour: Harbour) -> None:
    assert harbour.ask(PATH, STUDIO, "POST").headers["x-backend"] == "1"


def test_what_says_that_it_is_larger_is_not_read(harbour: Harbour) -> None:
    answer = harbour.ask(PATH, EN, "POST", content_length="1025")
    assert (answer.status, json.loads(answer.body)["code"]) == (413, "body-too-large")
    assert "1024 bytes" in json.loads(answer.body)["detail"]


def test_what_grows_larger_is_broken_off(harbour: Harbour) -> None:
    async def read_all(scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass

    reading = Harbour(harbour.root, harbour.media, harbour.build, lambda: read_all)
    answer = reading.ask(PATH, EN, "POST", parts=[b"x" * 1000, b"x" * 25])
    assert (answer.status, json.loads(answer.body)["code"]) == (413, "body-too-large")


def test_clients_are_counted_with_the_api(harbour: Harbour) -> None:
    limited = Harbour(harbour.root, harbour.media, harbour.build, lambda: echo, api_limit_per_minute=2)
    statuses = [limited.ask(PATH, EN, "POST").status for _ in range(3)]
    assert statuses == [200, 200, 429]


def test_pages_are_not_counted(harbour: Harbour) -> None:
    limited = Harbour(harbour.root, harbour.media, harbour.build, lambda: echo, api_limit_per_minute=1)
    assert [limited.ask("/", EN).status for _ in range(3)] == [200, 200, 200]

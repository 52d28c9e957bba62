import json

import pytest
from django.http import HttpRequest
from ninja import NinjaAPI, Query, Router
from ninja.errors import HttpError
from ninja.testing import TestClient

from portolan.api.problems import ApiProblem, register_problems

from .conftest import assert_problem


@pytest.mark.parametrize(
    "path", ["/api/", "/api/content", "/api/content/nothing", "/api/../api/x", "/api/content/offices/"]
)
def test_unknown_routes_are_problems(db, get, path):
    assert_problem(get(path), 404, "unknown-route")


def test_a_method_that_is_not_there_names_those_that_are(db, client):
    response = client.post("/api/content/offices", headers={"Host": "localhost"})
    assert_problem(response, 405, "method-not-allowed")
    assert "GET" in response["Allow"]


def test_an_unknown_host_is_a_problem_too(get, caplog):
    assert_problem(get("/api/content/offices", "elsewhere.example"), 400, "bad-request")


def test_a_failure_shows_no_trace_and_is_logged(db, get, monkeypatch, caplog):
    def fail(request: HttpRequest) -> None:
        raise RuntimeError("secret words")

    monkeypatch.setattr("portolan.api.content.offices.read_content", fail)
    response = get("/api/content/offices")
    assert_problem(response, 500, "internal-error")
    assert "secret" not in response.content.decode()
    assert "secret words" in caplog.text


@pytest.fixture(scope="module")
def nouns() -> TestClient:
    api = NinjaAPI(urls_namespace="test-problems")
    register_problems(api)
    router = Router()

    @router.get("/number")
    def number(request: HttpRequest, page: Query[int]) -> int:
        return page

    @router.get("/gone")
    def gone(request: HttpRequest) -> None:
        raise ApiProblem(410, "long-gone", "It is gone.")

    @router.get("/teapot")
    def teapot(request: HttpRequest) -> None:
        raise HttpError(429, "Slower, please.")

    api.add_router("", router)
    return TestClient(api)


def test_a_value_that_does_not_fit_is_named(nouns):
    reply = nouns.get("/number?page=two")
    problem = json.loads(reply.content)
    assert (reply.status_code, problem["code"]) == (422, "invalid-value")
    assert [error["field"] for error in problem["errors"]] == ["query.page"]


def test_an_operations_own_problem_keeps_its_code(nouns):
    reply = nouns.get("/gone")
    assert (reply.status_code, json.loads(reply.content)["code"]) == (410, "long-gone")


def test_other_refusals_are_problems(nouns):
    reply = nouns.get("/teapot")
    assert (reply.status_code, json.loads(reply.content)["detail"]) == (429, "Slower, please.")

import pytest

from portolan.api.document import build_document

from .conftest import assert_problem

PATHS = {
    "/api/openapi.json": "application/json",
    "/api/docs": "text/html; charset=utf-8",
    "/api/docs.css": "text/css; charset=utf-8",
}


@pytest.mark.parametrize("path", PATHS)
def test_is_served_on_every_host_alike(get, path):
    replies = [get(path, host, Accept_Language="de") for host in ("en", "ae", "studio")]
    assert {(r.status_code, r["Content-Type"], r["Content-Language"]) for r in replies} == {(200, PATHS[path], "en")}
    assert len({reply["ETag"] for reply in replies}) == 1
    for reply in replies:
        assert reply["Vary"] == "Api-Version"
        assert reply["Access-Control-Allow-Origin"] == "*"
        assert get(path, If_None_Match=reply["ETag"]).status_code == 304


def test_the_document_is_the_one_that_is_built(get):
    assert get("/api/openapi.json").json() == build_document()


def test_the_page_runs_under_a_policy_without_third_parties(get):
    policy = get("/api/docs")["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'self'")
    assert "unsafe" not in policy


@pytest.mark.django_db
@pytest.mark.parametrize("path", PATHS)
def test_takes_reads_alone(client, path):
    reply = client.post(path, headers={"Host": "localhost"})
    assert_problem(reply, 405, "method-not-allowed")
    assert reply["Allow"] == "GET, HEAD, OPTIONS"

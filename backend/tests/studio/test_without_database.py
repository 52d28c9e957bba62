"""The studio while its database is away: a short message, quickly, without a trace."""

import psycopg
import pytest
from django.db import OperationalError, connection
from django.test import Client

from portolan.releases.database_version import Migration, NewerDatabase
from portolan.releases.formats import NewerFormat


@pytest.fixture
def client() -> Client:
    """Return a client that shows the page of an exception, as a browser does."""
    return Client(raise_request_exception=False, headers={"host": "studio.localhost:8000"})


@pytest.fixture
def no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OperationalError("connection refused") from psycopg.OperationalError("connection refused")

    monkeypatch.setattr(connection, "ensure_connection", refuse)
    monkeypatch.setattr(connection, "cursor", lambda *_: refuse())


@pytest.mark.django_db
@pytest.mark.usefixtures("no_database")
def test_whoever_reads_is_told_and_the_page_tries_again(client: Client) -> None:
    client.cookies["sessionid"] = "somebody"
    answer = client.get("/admin/")
    assert answer.status_code == 503
    assert answer["Retry-After"] == "5"
    assert answer["Cache-Control"] == "no-store"
    page = answer.content.decode()
    assert "The studio cannot reach its database" in page
    assert "retries automatically" in page
    assert 'http-equiv="refresh"' in page
    assert "connection refused" not in page


@pytest.mark.django_db
@pytest.mark.parametrize("error", [NewerDatabase([Migration("content", "0099_later")]), NewerFormat("page", 9)])
def test_a_studio_older_than_its_content_says_that_it_has_to_be_started_again(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def refuse(*_: object) -> None:
        raise error

    client.cookies["sessionid"] = "somebody"
    monkeypatch.setattr(connection, "cursor", refuse)
    answer = client.get("/admin/")
    assert answer.status_code == 503
    assert "The studio has to be restarted" in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.usefixtures("no_database")
def test_whoever_sends_is_told_that_it_is_not_saved(client: Client) -> None:
    client.cookies["sessionid"] = "somebody"
    answer = client.post("/admin/account/", {"name": "x"})
    assert answer.status_code == 503
    page = answer.content.decode()
    assert "Your last input is not saved" in page
    assert "refresh" not in page


@pytest.mark.django_db
@pytest.mark.usefixtures("no_database")
def test_a_caller_of_the_api_gets_a_problem(client: Client) -> None:
    answer = client.get("/api/content/offices", headers={"accept-language": "de"})
    assert answer.status_code == 503
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["Retry-After"] == "5"


@pytest.mark.django_db
@pytest.mark.usefixtures("no_database")
def test_a_page_stops_trying_and_says_so(client: Client) -> None:
    client.cookies["sessionid"] = "somebody"
    pages = [client.get("/admin/").content.decode() for _ in range(14)]
    assert [page.count('http-equiv="refresh"') for page in pages] == [1] * 12 + [0] * 2
    assert "tried 12 times and has stopped" in pages[-1]
    assert client.cookies["studio-tries"]["max-age"] == 15

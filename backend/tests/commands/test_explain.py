"""``portolan explain``: its output for people and for programs."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.commands import explain
from portolan.config.env import Env, env
from portolan.publisher.addresses import Addresses
from portolan.publisher.publish import Publisher
from portolan.releases.reader import open_reader

from ..publisher.conftest import write_web_build
from ..publisher.fake_renderer import FakeRenderer
from ..publisher.release_book import ReleaseBook, small_site


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReleaseBook]:
    """Put two sites live. Anna has changed the German page “about”, and moved the one on web development."""
    monkeypatch.setattr(explain, "env", lambda: Env(var_dir=tmp_path))
    book = ReleaseBook(tmp_path / "portolan.sqlite3")
    for site in ("en", "de"):
        small_site(book, site)
    (tmp_path / "media").mkdir()
    (tmp_path / "media/harbour.svg").write_text("<svg/>")
    web = write_web_build(tmp_path / "dist", "web-1", {"/assets/app-1.js": "1"})
    reader = open_reader(book.url)
    addresses = Addresses(env().registry, "local", 8000)
    publisher = Publisher(addresses, reader, web, tmp_path / "builds", tmp_path / "media", FakeRenderer())
    book.release(by="seed")
    publisher.publish()
    book.content["de", "page", "about"]["blocks"][0]["title"] = "حول"
    book.content["en", "page", "mobile"]["path"] = "/moved"
    book.release(by="Anna", note="new words")
    publisher.publish()
    yield book
    reader.close()
    book.close()


def run(*arguments: str) -> tuple[int, str]:
    found = CliRunner().invoke(explain.command, arguments)
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    return found.exit_code, found.output


@pytest.mark.usefixtures("book")
def test_says_when_a_page_was_rendered_and_why() -> None:
    code, output = run("http://de.localhost:8000/about-us")
    assert code == 0
    assert "“About de”, service; live as in release 2" in output
    assert "for release 2 by Anna “new words”" in output
    assert "The page itself was changed (Blocks › hero › title): release 2, Anna “new words”" in output
    assert "All pages: the site had no readable earlier build" in output
    assert "title or URL of its parent pages: “Home de” (/)" in output
    assert "Linked from" in output
    assert "“Mobile de” (/services/mobile-development)" in output


@pytest.mark.usefixtures("book")
def test_says_what_is_where_no_page_is() -> None:
    _, output = run("/services/mobile-development", "--site", "en")
    assert "A redirect (301) to /moved." in output
    assert "The page “Mobile en” was here until release 2" in output
    _, output = run("/never")
    assert "The site's error page (404)." in output
    assert "create a page with this URL, or a redirect" in output


@pytest.mark.usefixtures("book")
def test_an_address_of_somebody_else_is_refused_without_a_trace() -> None:
    code, output = run("https://example.com/")
    assert code == 1
    assert output.startswith("Error: example.com is not one of our sites")


@pytest.mark.usefixtures("book")
def test_programs_get_everything_as_json() -> None:
    _, output = run("/about-us", "--site", "de", "--json")
    document = json.loads(output)
    assert (document["answer"], document["release"]) == ("page", 2)
    [last, first] = document["rendered"]
    [reason] = last["reasons"]
    about = {"site": "de", "kind": "page", "key": "about", "name": "“About de” (/about-us)"}
    assert (reason["cause"], reason["item"], last["by"]) == ("page", about, "Anna")
    assert reason["edits"][0]["fields"] == ["Blocks › hero › title"]
    assert [each["cause"] for each in first["reasons"]] == ["first"]
    assert {"kind": "placeholder", "site": "", "key": "company", "name": "{company}"} in [
        each["item"] for each in document["renderedBy"]
    ]
    assert [link["kind"] for link in document["links"]["by"]] == ["footer", "page"]
    _, output = run("/services/mobile-development", "--site", "en", "--json")
    document = json.loads(output)
    assert document["redirect"] == {"status": 301, "target": "/moved"}
    assert document["former"] == {"key": "mobile", "title": "Mobile en", "until": 2}

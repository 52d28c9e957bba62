"""Test over HTTP that no content bypasses the publish checks.

People without publishing rights, with rights elsewhere only, or with required approval, open every screen in the studio and
send all its forms. They also send by hand the requests that once bypassed the checks.

``backend/tests/studio/going_live`` sends more requests, within one process. Here sessions, middleware and the edge are
those of production.
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import httpx
import pytest

from tests.processes import SLOWER
from tests.studio.going_live.forms import OTHER_PICTURE, read_forms
from tests.studio.going_live.screens import every_api_action

from ..faults import LONGEST_WAIT_S
from ..seeded import ROOT
from .installation import Installation, installed

pytestmark = pytest.mark.one_worker
only_long: Final = pytest.mark.skipif(
    os.environ.get("PORTOLAN_WALK") != "whole", reason="PORTOLAN_WALK is not set: `make soak` sets it"
)
MOST_PAGES: Final = 250
ALIKE: Final = 2
"""Number of opened URLs among those that differ only by a number."""
LEFT_OUT: Final = re.compile(r"/admin/(log(in|out)|account|help|static|jsi18n|users/\d+/signing-in|leads)")
TAKES_DOWN: Final = re.compile(
    r"/(unpublish|delete|hidden|revert|show-again|resume|empty)/|delete_multiple|/multiple/\d+/delete/"
)
"""Requests that people who may publish on a site are allowed to send, because they may take content down at once. Not
sent as such a person."""
BOOKKEEPING: Final = frozenset(
    {
        "draft_title", "first_published_at", "has_unpublished_changes", "last_published_at", "latest_revision_created_at",
        "latest_revision_id", "locked", "locked_at", "locked_by_id", "numchild",
    }
)  # fmt: skip
PAGES: Final = "wagtailcore_page"
FILES: Final = ("content_siteimage", "wagtaildocs_document")
APPROVED: Final = "de approved"
"""Change set that another person has approved, so that these people may publish it."""
CSV: Final = "site,from,to\nde,/bypassed,https://example.com/\n"


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Start the studio without a publisher. The tables show the live content."""
    folder = tmp_path_factory.mktemp("bypassed")
    with installed(folder / "var", "--workers", "1", "--no-publisher", "--no-deliver") as running:
        yield running


@pytest.fixture(scope="module")
def made(studio: Installation) -> Any:
    command = [sys.executable, "-m", "e2e.security.bypass_accounts"]
    environment = {**studio.environment, "PYTHONPATH": str(ROOT / "backend")}
    said = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True, timeout=300 * SLOWER
    )
    return json.loads(said.stdout)


def read_live(database: Path, elsewhere: tuple[str, ...]) -> dict[tuple[str, int], dict[str, Any]]:
    """Return the rows that visitors see, without the studio's own fields. Rows of the sites ``elsewhere`` are left out."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    with closing(sqlite3.connect(database, timeout=LONGEST_WAIT_S)) as connection:
        connection.row_factory = sqlite3.Row
        sites = dict(connection.execute("SELECT wagtail_site_id, key FROM content_siterecord").fetchall())
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
            if "id" not in columns or not ("live" in columns or table in FILES):
                continue
            where = "WHERE live" if "live" in columns else ""
            for row in map(dict, connection.execute(f'SELECT * FROM "{table}" {where}')):
                place = (
                    str(row.get("url_path") or sites.get(row.get("site_id"), row.get("site_id")))
                    .strip("/")
                    .partition("/")[0]
                )
                if place not in elsewhere:
                    # A page's live revision is its visible content; for other rows the fields are compared.
                    left_out = BOOKKEEPING if table == PAGES else BOOKKEEPING | {"live_revision_id"}
                    found[table, row["id"]] = {name: value for name, value in row.items() if name not in left_out}
        scheduled = "SELECT id FROM wagtailcore_revision WHERE approved_go_live_at IS NOT NULL"
        found |= {("scheduled", row[0]): {} for row in connection.execute(scheduled)}
        sets = "SELECT id FROM content_changeset WHERE state IN ('scheduled', 'live')"
        found |= {("change set", row[0]): {} for row in connection.execute(sets) if not elsewhere}
        found |= {("asked", row[0]): {} for row in connection.execute("SELECT id FROM releases_liverequest")}
    return found


class Person:
    def __init__(self, studio: Installation, session: str, takes_down: bool) -> None:
        self.takes_down = takes_down
        cookies = {"sessionid": session, "csrftoken": "x" * 32}
        headers = {"Host": studio.studio, "X-CSRFToken": "x" * 32, "Origin": f"http://{studio.studio}"}
        base = f"http://127.0.0.1:{studio.port}"
        self._client = httpx.Client(
            base_url=base, headers=headers, cookies=cookies, timeout=LONGEST_WAIT_S, trust_env=False
        )

    def get(self, path: str) -> httpx.Response:
        return self._client.get(path)

    def send(self, path: str, data: dict[str, Any]) -> httpx.Response:
        files = {name: (value.name, value.read()) for name, value in data.items() if hasattr(value, "read")}
        fields = {name: value for name, value in data.items() if name not in files and name != "csrfmiddlewaretoken"}
        return self._client.post(path, data=fields, files=files or None)

    def post(self, path: str, data: dict[str, Any]) -> int:
        return self.send(path, data).status_code

    def close(self) -> None:
        self._client.close()

    def crawl(self, screens: list[str]) -> Iterator[tuple[str, str]]:
        """Yield the studio URLs that this person finds, with their pages."""
        waiting, known, alike = ["/admin/", *(f"/{screen}" for screen in screens)], set[str](), dict[str, int]()
        while waiting and len(known) < MOST_PAGES:
            path = waiting.pop(0)
            shape = re.sub(r"\d+", "N", path.partition("?")[0])
            if path in known or LEFT_OUT.match(path) or alike.get(shape, 0) >= ALIKE:
                continue
            known.add(path)
            alike[shape] = alike.get(shape, 0) + 1
            reply = self.get(path)
            if reply.status_code != 200 or "html" not in reply.headers.get("content-type", ""):
                continue
            yield path, reply.text
            links = re.findall(r'href="(/admin/[^"#]*|\?[^"#]*)"', reply.text)
            waiting += [_own(urljoin(path, link.replace("&amp;", "&"))) for link in links]


def _own(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def send_by_hand(person: Person, world: dict[str, Any]) -> None:
    """Send the requests that once bypassed the checks."""
    picture, document, pages = world["picture"], world["document"], world["pages"]
    person.post(f"/admin/images/{picture}/", {"title": "Other", "tags": "", "file": _Upload("o.svg", OTHER_PICTURE)})
    person.post(f"/admin/images/multiple/{picture}/", {f"image-{picture}-title": "Other", f"image-{picture}-tags": ""})
    person.post(
        f"/admin/documents/edit/{document}/", {"title": "Other", "tags": "", "file": _Upload("o.pdf", b"%PDF-1.4")}
    )
    person.post(
        f"/admin/documents/multiple/{document}/", {f"doc-{document}-title": "Other", f"doc-{document}-tags": ""}
    )
    for action in every_api_action():
        fields = {"alias": "true", "locale": "de", "copy_parents": "true", "destination_page_id": pages["de-folder"]}
        person.post(f"/admin/api/main/pages/{pages['de-edited']}/action/{action}/", fields)
    plan = person.send("/admin/redirects/upload/", {"text": CSV}).text
    if mark := re.search(r'name="mark" value="([^"]+)"', plan):
        person.post("/admin/redirects/upload/", {"text": CSV, "mark": mark[1]})
    for subject in ("menu&key=main", "footer&key=main", "rate_card&key=main", "redirect&key=/old"):
        person.post(f"/admin/releases/version-history/1/restore/?site=de&kind={subject}", {})
    for number in (number for name, number in world["sets"].items() if name != APPROVED):
        for step in ("publish", "schedule", "approve"):
            person.post(f"/admin/changes/{number}/{step}/", {"at": "2030-01-01T10:00"})
    if person.takes_down:
        person.post(f"/admin/images/{picture}/delete/", {})
        person.post(f"/admin/documents/delete/{document}/", {})
        person.post(f"/admin/images/multiple/{picture}/delete/", {})


class _Upload:
    def __init__(self, name: str, data: bytes) -> None:
        self.name, self._data = name, data

    def read(self) -> bytes:
        return self._data


@pytest.mark.parametrize(
    ("name", "elsewhere"),
    [
        pytest.param("editor", (), marks=only_long),
        pytest.param("elsewhere", ("en", "uk"), marks=only_long),
        ("reviewed", ()),
    ],
)
def test_nothing_goes_live_past_the_gate(
    studio: Installation, made: Any, name: str, elsewhere: tuple[str, ...]
) -> None:
    database = studio.var / "portolan.sqlite3"
    with closing(sqlite3.connect(database, timeout=LONGEST_WAIT_S)) as connection:
        for table in FILES:  # this person has uploaded all files
            connection.execute(f"UPDATE {table} SET uploaded_by_user_id = ?", [made["people"][name]["user"]])
        connection.execute("UPDATE content_siterecord SET is_reviewed = ?", [name == "reviewed"])
        connection.commit()
    person = Person(studio, made["people"][name]["session"], takes_down=name != "reviewed")
    assert person.get("/admin/").status_code == 200
    before, approved = read_live(database, elsewhere), f"/admin/changes/{made['world']['sets'][APPROVED]}/"
    sent = 0
    send_by_hand(person, made["world"])
    for path, html in person.crawl(made["screens"]):
        for fields in read_forms(path, html):
            if not path.startswith(approved) and (person.takes_down or not TAKES_DOWN.search(path)):
                person.post(path, fields)
                sent += 1
    person.close()
    assert sent > 20
    after = read_live(database, elsewhere)
    changed = {key: (row, after.get(key)) for key, row in before.items() if after.get(key) != row}
    fresh = {key: row for key, row in after.items() if key not in before and key[0] not in FILES}
    assert not changed, f"as {name}: changed for visitors: {changed}"
    assert not fresh, f"as {name}: new for visitors: {fresh}"

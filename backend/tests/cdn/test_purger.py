"""When paths are purged: after a switch, twice, and again after a failure."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from portolan.builds.live import switch_live
from portolan.cdn.purged import purged_file, read_purged, say_failures
from portolan.cdn.purger import RETRY_PAUSES_S, Purger
from portolan.sites.cdn import Cdn, CdnSettings
from portolan.sites.load import load_registry

from ..builds.conftest import Build, build, root

__all__ = ["build", "root"]

REGISTRY = load_registry(Path(__file__).parents[3] / "sites.toml")
EN, DE = "http://localhost:8000", "http://de.localhost:8000"
OLD = {"/": "home", "/about-us": "about"}
NEW = {"/": "home", "/about-us": "about 2"}


class Office:
    """Purges with a test clock, and a CDN that may be down."""

    def __init__(self, root: Path, **values: Any) -> None:
        given = {"kind": "fastly", "service": "SU1Z0isxPaozGVKXdv0eY", "secret_env": "CDN_TOKEN", **values}
        given = {"name": "front", "country": "cdn", "environments": ["local"], **given}
        given = {name: value for name, value in given.items() if value is not None}
        self._cdn = TypeAdapter[Any](CdnSettings).validate_python(given)
        self._root = root
        self.asked: list[list[str]] = []
        self.now = 1000.0
        self.answer = ""
        self.secrets = {"CDN_TOKEN": "secret"}
        self.most = 10
        self.purger = self.start()

    def start(self) -> Purger:
        registry = REGISTRY.model_copy(update={"cdns": [self._cdn]})
        most = {"fastly": self.most}
        self.purger = Purger(
            self._root, registry, "local", 8000, self.secrets, self._purge, most, clock=lambda: self.now
        )
        return self.purger

    def _purge(self, cdn: Cdn, secret: str, sites: Mapping[str, str], urls: Sequence[str]) -> None:
        assert sites[EN] == "en"
        self.asked.append(sorted(urls))
        if self.answer:
            raise OSError(self.answer)

    def round(self) -> list[str]:
        """Return the paths that the CDN was asked to purge."""
        self.asked.clear()
        self.purger.round()
        return [url for urls in self.asked for url in urls]


@pytest.fixture
def office(root: Path, build: Build) -> Office:
    """Everything of build a has been purged, twice."""
    build("a", OLD)
    made = Office(root)
    assert made.round() == [f"{EN}/*"]
    made.now += 6
    assert made.round() == [f"{EN}/*"]
    assert made.round() == []
    return made


def test_an_edit_is_purged_at_once_and_once_more_and_nothing_else(office: Office, build: Build) -> None:
    build("b", NEW)
    assert office.round() == [f"{EN}/about-us"]
    assert office.round() == []
    office.now += 4
    assert office.round() == []
    office.now += 2
    assert office.round() == [f"{EN}/about-us"]
    assert office.round() == []


def test_two_edits_in_a_row_are_both_purged_once_more(office: Office, build: Build) -> None:
    build("b", NEW)
    assert office.round() == [f"{EN}/about-us"]
    build("c", {**NEW, "/": "home 2"})
    assert office.round() == [f"{EN}/"]
    office.now += 6
    assert office.round() == [f"{EN}/", f"{EN}/about-us"]


def test_going_back_is_purged_too(office: Office, build: Build, root: Path) -> None:
    build("b", NEW)
    office.round()
    switch_live(root, {"en": "a"})
    assert office.round() == [f"{EN}/about-us"]


def test_each_site_has_its_own_addresses(office: Office, build: Build) -> None:
    build("x", OLD, site="de")
    assert office.round() == [f"{DE}/*"]
    build("y", NEW, site="de")
    build("b", NEW)
    assert office.round() == [f"{DE}/about-us", f"{EN}/about-us"]


def test_what_happened_while_nobody_purged_is_made_up_for(office: Office, build: Build) -> None:
    build("b", NEW)
    build("c", {**NEW, "/new": "new"})
    office.start()
    assert office.round() == [f"{EN}/about-us", f"{EN}/new"]


def test_a_purge_that_fails_is_said_and_tried_again_and_nothing_is_lost(
    office: Office, build: Build, root: Path
) -> None:
    office.answer = "it is away"
    build("b", NEW)
    for pause in RETRY_PAUSES_S:
        assert office.round() == [f"{EN}/about-us"]
        assert office.round() == []
        (said,) = say_failures(root)
        assert "front could not be purged" in said and "it is away" in said
        office.now += pause
    since = read_purged(root).failures["front"].since
    office.start()  # open purges outlive the process
    assert office.round() == [f"{EN}/about-us"]
    assert read_purged(root).failures["front"].since == since
    build("c", {**NEW, "/": "home 2"})
    office.answer = ""
    office.now += RETRY_PAUSES_S[-1]
    assert office.round() == [f"{EN}/", f"{EN}/about-us"]
    assert say_failures(root) == []


def test_with_too_many_all_of_the_site_is_dropped(office: Office, build: Build) -> None:
    build("b", {f"/page-{number}": "x" for number in range(office.most + 1)})
    assert office.round() == [f"{EN}/*"]


def test_a_proxy_is_told_each_address_too_because_some_know_no_other(root: Path, build: Build) -> None:
    build("a", OLD)
    proxy = Office(root, kind="http", urls=["http://127.0.0.1:6081"], service=None, secret_env=None)
    assert proxy.round() == [f"{EN}/", f"{EN}/*", f"{EN}/about-us"]


def test_a_missing_secret_is_named(office: Office, build: Build, root: Path) -> None:
    office.secrets = {}
    office.start()
    build("b", NEW)
    assert office.round() == []
    assert "CDN_TOKEN is empty or missing" in say_failures(root)[0]


def test_another_origin_or_other_rules_drop_everything(office: Office, root: Path) -> None:
    changed = Office(root, kept_s=7200)
    assert changed.round() == [f"{EN}/*"]
    assert changed.round() == []


def test_a_damaged_note_costs_one_purge_of_everything(office: Office, root: Path) -> None:
    purged_file(root).write_bytes(b"{")
    assert office.round() == [f"{EN}/*"]

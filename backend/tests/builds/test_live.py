from pathlib import Path

import pytest

from portolan.builds.live import Pin, live_file, read_live, resume, switch_live
from portolan.builds.manifest import BuildError

from .conftest import Build


def test_nothing_is_live_before_the_first_publish(root: Path) -> None:
    assert read_live(root).builds == {}


def test_a_switch_moves_the_named_sites_only(root: Path, build: Build) -> None:
    for site in ("en", "de"):
        for name in ("a", "b"):
            build(name, {"/": name}, site=site, live=False)
    switch_live(root, {"en": "a", "de": "a"})
    switch_live(root, {"de": "b"})
    assert read_live(root).builds == {"en": "a", "de": "b"}


def test_other_sites_stay_pinned_when_one_is_switched(root: Path, build: Build) -> None:
    for site in ("en", "de", "fr"):
        build("a", {"/": "a"}, site=site)
    earlier, later = Pin("2026-03-01T12:00:00+00:00", "anna"), Pin("2026-03-02T12:00:00+00:00", "ben")
    switch_live(root, {"en": "a", "de": "a"}, pin=earlier)
    switch_live(root, {"fr": "a"})
    assert read_live(root).pins == {"en": earlier, "de": earlier}
    switch_live(root, {"de": "a"}, pin=later)
    assert read_live(root).pins == {"en": earlier, "de": later}


def test_resuming_ends_the_hold_of_those_sites_and_of_all_where_none_is_named(root: Path, build: Build) -> None:
    pin = Pin("2026-03-01T12:00:00+00:00", "anna")
    for site in ("en", "de", "fr"):
        build("a", {"/": "a"}, site=site)
    switch_live(root, {"en": "a", "de": "a"}, pin=pin)
    before = read_live(root)
    assert resume(root, ["en", "fr"]) == ["en"]
    assert read_live(root).pins == {"de": pin}
    assert read_live(root).builds == before.builds
    assert read_live(root).releases == before.releases
    assert resume(root, ["fr"]) == []
    assert resume(root) == ["de"]
    assert read_live(root).pins == {}


def test_a_site_can_show_a_newer_release_than_its_build_was_made_from(root: Path, build: Build) -> None:
    for site in ("en", "de"):
        build("a", {"/": "a"}, site=site)
    made_from = read_live(root).releases["en"]
    switch_live(root, {"en": "a"}, release=made_from + 5)
    assert read_live(root).releases == {"en": made_from + 5, "de": made_from}
    switch_live(root, {"en": "a"})  # going back to a build is going back to its release
    assert read_live(root).releases == {"en": made_from, "de": made_from}


def test_a_pointer_written_before_releases_were_noted_is_read(root: Path, build: Build) -> None:
    build("a", {"/": "a"})
    release = read_live(root).releases["en"]
    live_file(root).write_text('{"sites": {"en": "a"}}')
    assert read_live(root).releases == {"en": release}


def test_each_switch_is_another_file(root: Path, build: Build) -> None:
    build("a", {"/": "a"})
    with live_file(root).open() as before:
        build("b", {"/": "b"})
        assert '"a"' in before.read()


def test_a_build_without_a_manifest_cannot_go_live(root: Path, build: Build) -> None:
    build("a", {"/": "a"})
    with pytest.raises(BuildError, match="build nowhere of site en"):
        switch_live(root, {"en": "nowhere"})
    assert read_live(root).builds == {"en": "a"}


def test_a_damaged_pointer_is_named(root: Path, build: Build) -> None:
    build("a", {"/": "a"})
    live_file(root).write_text("{")
    with pytest.raises(BuildError, match=r"live\.json is damaged"):
        read_live(root)

"""``portolan rollback`` and ``portolan resume``: their output. Both work without a render worker."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.builds.live import live_file, read_live
from portolan.builds.manifest import list_builds, manifest_path, read_manifest
from portolan.builds.scrub import Scrub
from portolan.builds.store import ContentStore
from portolan.commands import resume, rollback
from portolan.config.env import Env, env
from portolan.publisher.addresses import Addresses
from portolan.publisher.lock import publish_lock
from portolan.publisher.publish import Publisher
from portolan.publisher.web_build import load_web_build
from portolan.releases.reader import open_reader

from ..builds.test_verify import ruin
from ..publisher.conftest import write_web_build
from ..publisher.fake_renderer import FakeRenderer
from ..publisher.release_book import ReleaseBook, page, small_site


class Installation:
    """Eight sites at release 3: release 2 changed en and de, release 3 en alone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.builds = folder / "builds"
        web = write_web_build(folder / "dist", "web-1", {"/assets/app-1.js": "console.log(1)"})
        (folder / "media").mkdir()
        (folder / "media/harbour.svg").write_text("<svg/>")
        self.book = ReleaseBook(folder / "releases.sqlite3")
        for site in env().registry.sites:
            small_site(self.book, site)
        self.publisher = Publisher(
            Addresses(env().registry, "local", 8000),
            open_reader(self.book.url),
            web,
            self.builds,
            folder / "media",
            FakeRenderer(),
        )
        for changed in ((), ("en", "de"), ("en",)):
            for site in changed:
                self.write(site, f"Edition {self.book.number + 1}")
            self.publish()
        self.first = {site: list_builds(self.builds, site)[-1].build for site in env().registry.sites}

    def write(self, site: str, title: str) -> None:
        self.book.content[site, "page", "about"]["blocks"][0]["title"] = title

    def publish(self) -> None:
        self.book.release()
        self.publisher.publish()

    def run(self, *arguments: str, command: str = "rollback") -> tuple[int, str]:
        found = CliRunner().invoke({"rollback": rollback, "resume": resume}[command].command, arguments)
        assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
        return found.exit_code, found.output

    def shown(self, *sites: str) -> list[str]:
        """Return the builds that these sites show."""
        return [
            next(
                head.build
                for head in reversed(list_builds(self.builds, site))
                if read_manifest(self.builds, site, head.build).files
                == read_manifest(self.builds, site, read_live(self.builds).builds[site]).files
            )
            for site in sites
        ]


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Installation]:
    found = Installation(tmp_path)
    settings = Env(var_dir=tmp_path, database_url=found.book.url, web_dist=tmp_path / "dist")
    # As in the fixture's publisher: this web build is fake and cannot take a brand.
    monkeypatch.setattr(rollback, "load_web", lambda settings, pictures: load_web_build(settings.web_dist))
    for command in (rollback, resume):
        monkeypatch.setattr(command, "env", lambda: settings)
        monkeypatch.setattr(command.getpass, "getuser", lambda: "anna")
    yield found
    found.publisher.close()
    found.book.close()


def test_goes_back_over_a_release_that_touched_two_sites(installation: Installation) -> None:
    before = read_live(installation.builds).builds
    code, output = installation.run("--release", "1")
    assert code == 0
    first = installation.first
    assert f"en: as it was at release 1 (the files of build {first['en']}, created 20" in output
    assert "Changed: /about-us.\n" in output
    assert f"fr: already as at release 1; build {first['fr']} stays.\n" in output
    assert output.endswith(
        "Pinned: new releases wait and go live after `portolan resume`. To fix the content "
        "first: `portolan releases list`, `portolan releases revert N`.\n"
    )
    after = read_live(installation.builds)
    assert {site for site in before if before[site] != after.builds[site]} == {"en", "de"}
    assert installation.shown("en", "de") == [first["en"], first["de"]]
    assert after.installation[:2] == (True, 1)
    assert after.installation.by == "anna"


def test_goes_back_by_one_release_where_none_is_named(installation: Installation) -> None:
    _, output = installation.run()
    assert "en: as it was at release 2 (" in output
    assert "de: already as at release 2" in output


def test_a_dry_run_says_the_same_and_changes_nothing(installation: Installation) -> None:
    installation.book.content["de", "page", "new"] = page("/new", parent="home")
    installation.publish()
    pointer = live_file(installation.builds).read_bytes()
    code, output = installation.run("--release", "1", "--dry-run")
    assert code == 0
    assert "de: would be as it was at release 1 (" in output
    assert "Changed: /about-us. Gone: /new.\n" in output
    assert output.endswith("Nothing changed. To go back: `portolan rollback --release 1`\n")
    assert live_file(installation.builds).read_bytes() == pointer


def test_says_that_the_sites_show_the_release_already(installation: Installation) -> None:
    _, output = installation.run("--release", "3")
    assert "These sites already showed release 3. No file changes.\nPinned:" in output
    assert read_live(installation.builds).installation.is_pinned


def test_one_site_goes_back_alone_and_follows_alone(installation: Installation) -> None:
    _, output = installation.run("--release", "1", "--site", "en")
    assert "go live there after `portolan resume --site en`" in output
    assert set(read_live(installation.builds).pins) == {"en"}
    _, output = installation.run("--site", "en", command="resume")
    assert output == "Resumed: en. `portolan publish` puts the newest release live.\n"
    code, output = installation.run("--site", "en", command="resume")
    assert code == 1
    assert "Not pinned: en. Nothing changed." in output


def test_the_installation_follows_again(installation: Installation) -> None:
    installation.run("--release", "1")
    code, output = installation.run(command="resume")
    assert code == 0
    assert output.startswith("Resumed: ae, az, de, ")
    installation.publisher.publish()
    live = read_live(installation.builds)
    assert (live.installation.is_pinned, live.installation.by) == (False, "anna")
    assert set(live.releases.values()) == {3}


def test_goes_to_a_named_build_without_a_database(installation: Installation) -> None:
    newest = read_live(installation.builds).builds["en"]
    (installation.folder / "releases.sqlite3").rename(installation.folder / "elsewhere")
    code, output = installation.run("--release", "1")
    assert code == 1
    assert "Nothing changed on any site." in output
    assert "`portolan rollback --site SITE --to BUILD`" in output
    for build in (installation.first["en"], newest):
        code, output = installation.run("--site", "en", "--to", build)
        assert code == 0
        assert f"en: the files of build {build}, created " in output
        assert installation.shown("en") == [build]
    assert set(read_live(installation.builds).pins) == {"en"}


def test_a_damaged_build_is_named_where_it_was_asked_for(installation: Installation) -> None:
    pointer = live_file(installation.builds).read_bytes()
    manifest_path(installation.builds, "en", installation.first["en"]).write_text("{")
    code, output = installation.run("--site", "en", "--to", installation.first["en"])
    assert code == 1
    assert "its manifest is unreadable" in output
    assert live_file(installation.builds).read_bytes() == pointer


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--to", "a"), "Name the site once with --site"),
        (("--site", "en", "--to", "a", "--dry-run"), "without --dry-run"),
        (("--site", "en", "--to", "a", "--release", "1"), "Use --release or --to, not both"),
        (("--site", "en", "--to", "zz"), "has no build zz. Nothing was changed. Its builds: "),
        (("--site", "de", "--to", "../en/a"), "has no build ../en/a"),
        (("--site", "xx"), "Site xx is not live"),
        (("--site", "xx", "--to", "a"), "Site xx is not live"),
        (("--release", "4"), "There is no release 4. No site was changed. The newest is 3"),
        (("--release", "0"), "There is no release 0"),
    ],
)
def test_says_what_was_called_wrongly(installation: Installation, arguments: tuple[str, ...], message: str) -> None:
    pointer = live_file(installation.builds).read_bytes()
    code, output = installation.run(*arguments)
    assert code != 0
    assert message in output
    assert live_file(installation.builds).read_bytes() == pointer


def test_waits_for_a_publisher_that_is_at_work(installation: Installation, monkeypatch: pytest.MonkeyPatch) -> None:
    holding = publish_lock(installation.builds)
    holding.__enter__()
    said: list[str] = []

    def stop_waiting() -> None:
        said.append("waiting")
        holding.__exit__(None, None, None)

    monkeypatch.setattr(rollback, "_say_waiting", stop_waiting)
    assert installation.run("--release", "1")[0] == 0
    assert said == ["waiting"]
    assert read_live(installation.builds).installation.release == 1


def test_says_that_nothing_is_live(installation: Installation) -> None:
    live_file(installation.builds).unlink()
    shutil.rmtree(installation.builds / "manifests")
    code, output = installation.run()
    assert code == 1
    assert "No site is live" in output
    assert "`portolan publish --release N`" in output


def test_a_build_with_a_damaged_file_is_refused_and_another_is_named(installation: Installation) -> None:
    """Its manifest is intact: only reading the bytes shows the damage."""
    pointer = live_file(installation.builds).read_bytes()
    first = installation.first["en"]
    page = read_manifest(installation.builds, "en", first).files["/about-us"]
    file = ruin(installation.builds, page.digest)
    code, output = installation.run("--site", "en", "--to", first)
    live = read_live(installation.builds).builds["en"]
    assert code == 1
    assert f"Build {first} of site en is damaged: {file} is" in output
    assert f"To put an intact build live, run `portolan rollback --site en --to {live}`. " in output
    assert live_file(installation.builds).read_bytes() == pointer


def test_a_release_of_which_the_kept_build_is_damaged_is_rendered(installation: Installation) -> None:
    page = read_manifest(installation.builds, "en", installation.first["en"]).files["/about-us"]
    whole = ContentStore(installation.builds).read(page.digest)
    file = ruin(installation.builds, page.digest)
    Scrub(installation.builds).round()
    trial = installation.publisher.go_back(1, ["en"], "anna", is_trial=True)
    assert [site.origin for site in trial.sites] == ["rendered"]
    assert file.read_bytes() == whole


def test_who_goes_back_from_a_damaged_live_build_needs_nothing_of_it(installation: Installation) -> None:
    manifest_path(installation.builds, "en", read_live(installation.builds).builds["en"]).write_text("{")
    code, output = installation.run("--site", "en", "--to", installation.first["en"])
    assert (code, output.startswith("en: the files of build")) == (0, True)
    assert installation.shown("de") == [list_builds(installation.builds, "de")[0].build]

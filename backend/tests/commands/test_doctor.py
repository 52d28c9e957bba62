"""The findings of ``portolan doctor``: each problem has one fix."""

import errno
import json
import os
import re
import shutil
import socket
import sys
import threading
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from portolan.backups.last import Last, note_last
from portolan.builds.damage import DamagedFile, DamageReport, write_damage
from portolan.builds.live import switch_live
from portolan.builds.manifest import Manifest, now_iso, write_manifest
from portolan.commands.examined import installation, machine, marks, others, previews, publishing, roles, stored_files
from portolan.commands.examined.finding import Finding
from portolan.config.env import Env
from portolan.domain.health import Health, describe_ready
from portolan.leads.destinations.base import Retryable
from portolan.leads.destinations.email import Mailer
from portolan_dev.ports import free_port

from ..builds.test_signing import OURS, pem
from ..processes import LIMIT_S, run_program

ROOT = Path(__file__).parents[3]


def given(tmp_path: Path, **values: Any) -> Env:
    (tmp_path / "var").mkdir(mode=0o700, exist_ok=True)
    return Env(**{"sites_file": ROOT / "sites.toml", "var_dir": tmp_path / "var", **values})


def problems(found: Iterator[Finding]) -> list[str]:
    """Return each problem in one line. Each has a fix."""
    wrong = [each for each in found if each.state != "well"]
    assert all(each.mend for each in wrong)
    return [f"{each.state}: {each.said} {each.mend}" for each in wrong]


def test_a_variable_that_is_no_setting_is_named_with_what_may_be_meant(tmp_path: Path) -> None:
    (said,) = problems(
        machine.examine_variables(given(tmp_path), {"PORTOLAN_TRUSTED_PROXY": "1", "PORTOLAN_PORT": "1"})
    )
    assert said.startswith("warning: PORTOLAN_TRUSTED_PROXY is not a setting")
    assert "Did you mean PORTOLAN_TRUSTED_PROXIES?" in said


def test_folders_and_files_that_others_can_read_are_named(tmp_path: Path) -> None:
    settings = given(tmp_path)
    assert not problems(machine.examine_folders(settings, is_written=True))
    key = settings.var_dir / "secret-key"
    key.write_text("x")
    key.chmod(0o644)
    assert not problems(machine.examine_folders(settings, is_written=True)), "nobody else comes to it"
    settings.var_dir.chmod(0o755)
    (said,) = problems(machine.examine_folders(settings, is_written=True))
    assert "secret-key" in said
    assert "chmod 600" in said
    gone = Env(sites_file=ROOT / "sites.toml", var_dir=tmp_path / "nowhere")
    assert "is missing" in problems(machine.examine_folders(gone, is_written=True))[0]


@pytest.mark.parametrize(("free", "state"), [(50 << 20, "problem"), (500 << 20, "warning"), (5 << 30, None)])
def test_a_disk_that_fills_is_said_before_it_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, state: str | None
) -> None:
    usage = namedtuple("usage", "total used free")(10 << 30, 0, free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    found = problems(machine.examine_folders(given(tmp_path), is_written=True))
    assert [said.partition(":")[0] for said in found] == ([state] if state else [])


def test_a_web_build_of_another_version_and_a_lacking_one(tmp_path: Path) -> None:
    (tmp_path / "web-build.json").write_text('{"protocol": 0}')
    for folder in (tmp_path, tmp_path / "nowhere"):
        (said,) = problems(machine.examine_web_build(given(tmp_path, web_dist=folder)))
        assert "no usable web build" in said


def test_secrets_that_every_machine_would_make_by_itself(tmp_path: Path) -> None:
    assert not problems(installation.examine_secrets(given(tmp_path)))
    many = given(tmp_path, database_url="postgres://db/portolan")
    (said,) = problems(installation.examine_secrets(many))
    assert "PORTOLAN_SECRET_KEY is not set" in said
    assert not problems(
        installation.examine_secrets(given(tmp_path, database_url="postgres://db/x", secret_key="k" * 50))
    )


def test_a_database_that_is_away_or_old(tmp_path: Path) -> None:
    (said,) = problems(installation.examine_data(given(tmp_path, database_url="postgres://nobody@127.0.0.1:1/x")))
    assert "does not respond" in said
    (tmp_path / "empty.sqlite3").touch()
    (said,) = problems(installation.examine_data(given(tmp_path, database_url=f"sqlite:///{tmp_path}/empty.sqlite3")))
    assert "portolan upgrade" in said


@pytest.mark.parametrize(("off", "state"), [(0, None), (5, "warning"), (90, "problem")])
def test_clocks_that_go_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, off: int, state: str | None) -> None:
    monkeypatch.setattr(installation, "read_database_clock", lambda _: datetime.now(UTC) - timedelta(seconds=off))
    found = problems(installation._examine_clock(given(tmp_path)))
    assert [said.partition(":")[0] for said in found] == ([state] if state else [])


def test_https_without_a_declared_proxy(tmp_path: Path) -> None:
    assert not problems(installation.examine_proxies(given(tmp_path)))
    (said,) = problems(installation.examine_proxies(given(tmp_path, environment="production")))
    assert "PORTOLAN_TRUSTED_PROXIES is not set" in said
    declared = given(tmp_path, environment="production", trusted_proxies="10.0.0.0/8")
    assert not problems(installation.examine_proxies(declared))


def with_groups(tmp_path: Path, **retention: int) -> Env:
    """Write a site configuration: fr and pl have a publisher of their own, and a third group is empty."""
    text = (ROOT / "sites.toml").read_text()
    for site in ("fr", "pl"):
        text = text.replace(f"[sites.{site}]\n", f'[sites.{site}]\ngroup = "brand"\n')
    kept = "".join(f"{name} = {value}\n" for name, value in retention.items())
    groups = f'[groups.brand]\npublisher = "own"\n[groups.empty]\n[retention]\n{kept}'
    (tmp_path / "sites.toml").write_text(f"{text}\n{groups}")
    for name in ("brand.toml", "brand", "public"):
        (tmp_path / name).symlink_to(ROOT / name)
    return given(tmp_path, sites_file=tmp_path / "sites.toml")


def put_live(builds: Path, site: str, build: str = "a", created: str = "") -> None:
    manifest = Manifest(
        site=site, build=build, release=1, web="w", created=created or now_iso(), html_headers={}, files={}
    )
    write_manifest(builds, manifest, None)
    switch_live(builds, {site: build})


def test_a_group_that_nobody_publishes_one_without_sites_and_one_that_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = with_groups(tmp_path)
    put_live(settings.builds_dir, "en")
    empty, unpublished = problems(publishing.examine_groups(settings))
    assert empty.startswith("warning: The group empty has no sites.")
    assert unpublished.startswith("problem: The sites of the group brand are not published yet.")
    assert "portolan-publisher@brand" in unpublished
    put_live(settings.builds_dir, "fr")
    assert problems(publishing.examine_groups(settings, "brand")) == [empty]
    (said,) = problems(publishing.examine_groups(settings, "brands"))
    assert "Group 'brands' has no publisher of its own, so nothing was published. Groups with one: brand." in said
    for minutes, late in ((5, []), (20, ["problem"])):
        since = datetime.now(UTC) - timedelta(minutes=minutes)
        monkeypatch.setattr(publishing, "_waits_since", lambda _, release, since=since: since if release == 1 else None)
        found = [said.partition(":")[0] for said in problems(publishing.examine_groups(settings))]
        assert found == ["warning", *late]
    assert not list(publishing.examine_groups(given(tmp_path))), "nothing is said where there are none"


def test_what_is_kept_is_said_and_what_contradicts_it(tmp_path: Path) -> None:
    settings = given(tmp_path)
    (kept,) = publishing.examine_retention(settings)
    assert kept.said == "20 builds of each site, builds of 7 days, and all releases are kept"
    (said,) = problems(publishing.examine_retention(with_groups(tmp_path, release_days=3, builds=2)))
    assert said.startswith("warning: Builds are kept for 7 days, but releases for 3")
    settings = given(tmp_path, sites_file=tmp_path / "sites.toml")
    for number in range(6):
        put_live(settings.builds_dir, "en", f"b{number}", f"2026-01-0{number + 1}T00:00:00+00:00")
    assert len(problems(publishing.examine_retention(settings))) == 1, "this machine never published"
    (settings.builds_dir / "publish.lock").touch()
    _, overdue = problems(publishing.examine_retention(settings))
    assert overdue.startswith("warning: 4 builds are past the retention period.")


@contextmanager
def answering(port: int, health: Health | None) -> Iterator[None]:
    """Run a server on the port. If ``health`` is None, it accepts connections but stays silent."""
    if health is None:
        with socket.create_server(("127.0.0.1", port)):
            yield
        return

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(describe_ready(health)).encode())

        def log_message(self, *_: object) -> None: ...

    with HTTPServer(("127.0.0.1", port), Answer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()


@pytest.mark.parametrize(
    ("health", "words"),
    [
        (Health("serve", "1", sites=8), []),
        (Health("serve", "1", sites=8, undeclared_proxy=True), ["PORTOLAN_TRUSTED_PROXIES"]),
        (
            Health("serve", "1", sites=8, silent=("API", "studio")),
            ["problem: The API does not answer. It restarts", "problem: The studio does not answer."],
        ),
        (Health("serve", "1", sites=0), ["warning: The running server reports: No site has been published"]),
        (None, ["accepts connections but does not respond"]),
    ],
)
def test_what_the_running_server_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, health: Health | None, words: list[str]
) -> None:
    monkeypatch.setattr(roles, "_ANSWERS_WITHIN_S", LIMIT_S if health else 0.1)
    settings = given(tmp_path, port=free_port())
    assert list(roles.examine_running(settings)) == [], "none runs, and that is no problem"
    with answering(settings.port, health):
        found = problems(roles.examine_running(settings))
    assert len(found) == len(words)
    assert all(wanted in said for wanted, said in zip(words, found, strict=True))


def test_a_disk_that_takes_nothing_is_named_with_what_follows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, mend in ((errno.EROFS, "mount it writable"), (errno.EACCES, "chown")):

        def refuse(*_: object, number: int = number) -> None:
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(Path, "write_bytes", refuse)
        found = problems(machine.examine_folders(given(tmp_path), is_written=True))
        assert os.strerror(number) in found[0]
        assert mend in found[0]


def test_a_mail_server_that_is_not_there(tmp_path: Path) -> None:
    settings = given(tmp_path, smtp_url=f"smtp://127.0.0.1:{free_port()}")
    (said,) = problems(installation.examine_mail(settings))
    assert "The mail server cannot be reached" in said
    with pytest.raises(Retryable, match="PORTOLAN_SMTP_URL is not set"):
        Mailer(None, None).try_server()


def test_an_antivirus_that_is_not_there(tmp_path: Path) -> None:
    assert not problems(installation.examine_antivirus(given(tmp_path)))
    settings = given(tmp_path, antivirus=f"unix://{tmp_path}/clamd.ctl")
    (said,) = problems(installation.examine_antivirus(settings))
    assert "does not respond (No such file or directory). Leads with files wait in quarantine." in said


def test_a_cache_a_store_a_cluster_and_roles_that_are_not_there(tmp_path: Path) -> None:
    port = free_port()
    settings = given(
        tmp_path,
        cache_url=f"redis://127.0.0.1:{port}",
        api_url=f"http://127.0.0.1:{port}",
        build_store=f"file://{tmp_path / 'store'}",
        ray_address=f"ray://127.0.0.1:{port}",
    )
    assert "No Ray cluster responds at ray://127.0.0.1" in problems(others.examine_cluster(settings))[0]
    assert "The cache does not respond" in problems(others.examine_cache(settings))[0]
    api, studio = problems(roles.examine_roles(settings))
    assert api.startswith("problem: The API does not respond")
    assert studio.startswith("warning: PORTOLAN_STUDIO_URL is not set")
    assert "is empty" in problems(others.examine_store(settings))[0]


def test_a_storage_of_uploads_that_is_empty_or_not_there(tmp_path: Path) -> None:
    uploads = tmp_path / "uploads"
    settings = given(tmp_path, media_storage=uploads.as_uri())
    assert not problems(others.examine_media(settings))
    settings.media_dir.mkdir(parents=True)
    (settings.media_dir / "quay.png").touch()
    (said,) = problems(others.examine_media(settings))
    assert "The upload storage is empty" in said
    (uploads / "pictures").mkdir(parents=True)
    (uploads / "pictures/quay.png").touch()
    assert not problems(others.examine_media(settings))
    settings = given(tmp_path, media_storage="s3://bucket-that-nobody-has/x")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{free_port()}", "AWS_ACCESS_KEY_ID": "a"}.items():
            patch.setenv(name, value)
        patch.setenv("AWS_SECRET_ACCESS_KEY", "b")
        (said,) = problems(others.examine_media(settings))
    assert "The upload storage cannot be read" in said


def test_machines_that_differ_are_told_without_a_secret(tmp_path: Path) -> None:
    here, there = (given(tmp_path, secret_key=key * 50) for key in "ab")
    file = tmp_path / "other.json"
    file.write_text(json.dumps({"marks": marks.make_marks(there)}))
    assert "b" * 50 not in file.read_text()
    (said,) = problems(marks.compare_marks(marks.make_marks(here), (file,)))
    assert "PORTOLAN_SECRET_KEY differs from other.json" in said
    assert not problems(marks.compare_marks(marks.make_marks(there), (file,)))


def test_the_command_says_all_of_it_for_programs_and_by_its_exit_code(tmp_path: Path) -> None:
    known = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CACHE_URL")}
    variables = {**known, "PORTOLAN_VAR_DIR": str(tmp_path), "DATABASE_URL": f"sqlite:///{tmp_path}/nothing.sqlite3"}
    command = [sys.executable, "-c", "from portolan.commands.main import main; main()", "doctor", "--json"]
    done = run_program(command, env=variables)
    assert done.returncode == 1, done.stderr
    said = json.loads(done.stdout)
    assert {each["subject"] for each in said["findings"] if each["state"] == "problem"} == {"database"}
    assert {"python", "registry", "var", "disk", "clock", "builds", "proxies", "django"} <= {
        "clock",  # there is none without a database
        *(each["subject"] for each in said["findings"]),
    }
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("days", "state"), [(None, "warning"), (0, "well"), (1, "well"), (3, "problem")], ids=["none", "now", "1", "3"]
)
def test_a_backup_that_is_not_made_any_more_is_missed(tmp_path: Path, days: int | None, state: str) -> None:
    if days is not None:
        given(tmp_path).var_dir.mkdir(exist_ok=True)
        note_last(
            given(tmp_path).var_dir, Last((datetime.now(UTC) - timedelta(days=days)).isoformat(), "id", "/mnt/backups")
        )
    assert [each.state for each in others.examine_backups(given(tmp_path))] == [state]


def test_damaged_files_are_named_and_keys_that_others_can_read(tmp_path: Path) -> None:
    settings = given(tmp_path)
    (said,) = problems(stored_files.examine_damage(settings))
    assert said.startswith("warning: The integrity check of stored files has not run yet")
    now = "2026-11-24T10:00:00.000+00:00"
    write_damage(settings.builds_dir, DamageReport({}, passed=now))
    assert not problems(stored_files.examine_damage(settings))
    file = DamagedFile("0" * 32, 4, "x is missing", "en b /about-us", now)
    write_damage(settings.builds_dir, DamageReport({file.digest: file}, {"de a": "It cannot be read."}, now, 2))
    said = problems(stored_files.examine_damage(settings))
    assert [each.partition(":")[0] for each in said] == ["problem", "problem", "warning"]
    assert "(en b /about-us): x is missing. The publisher renders" in said[0]
    assert not list(stored_files.examine_keys(settings))
    key = tmp_path / "signing.pem"
    key.write_bytes(pem(OURS))
    key.chmod(0o600)
    settings = given(tmp_path, signing_key_file=key)
    assert not problems(stored_files.examine_keys(settings))
    key.chmod(0o644)
    (said_of_key,) = problems(stored_files.examine_keys(settings))
    assert f"`chmod 600 {key}`" in said_of_key


PREVIEWS = {"environment": "production", "preview_host": "acme-preview.example"}


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (previews.Reached("name", "no such name"), "problem: *.acme-preview.example has no DNS record"),
        (previews.Reached("certificate", "Hostname mismatch"), "problem: *.acme-preview.example has no certificate"),
        (previews.Reached("nobody", "ConnectTimeout"), "warning: *.acme-preview.example does not respond from"),
        (previews.Reached("answer", status=421), "problem: *.acme-preview.example reaches an edge without previews"),
        (
            previews.Reached("answer", status=503),
            "problem: *.acme-preview.example reaches an edge or proxy that",
        ),
        (previews.Reached("answer", status=404), "problem: *.acme-preview.example reaches another server (404)"),
        (previews.Reached("answer", status=404, is_preview=True), None),
    ],
)
@pytest.mark.parametrize("sites_file", [ROOT / "sites.toml", Path("/nowhere/sites.toml")], ids=["registry", "edge"])
def test_previews_that_are_set_up_half(
    tmp_path: Path, found: previews.Reached, said: str | None, sites_file: Path
) -> None:
    asked: list[str] = []

    def reach(url: str) -> previews.Reached:
        asked.append(url)
        return found

    all_said = problems(previews.examine_previews(given(tmp_path, **PREVIEWS, sites_file=sites_file), reach))
    assert [line.startswith(said) for line in all_said] == [True] if said else all_said == []
    (url,) = asked
    assert re.fullmatch(r"https://[a-z2-7]{26}-en\.acme-preview\.example/", url)


def test_previews_where_nothing_is_asked(tmp_path: Path) -> None:
    def reach(url: str) -> previews.Reached:
        raise AssertionError(url)

    assert not problems(previews.examine_previews(given(tmp_path, preview_host="a.example"), reach)), "local"
    assert not problems(previews.examine_previews(given(tmp_path, environment="production"), reach)), "none are wanted"
    host = "brightmoor.example"
    (said,) = problems(previews.examine_previews(given(tmp_path, **{**PREVIEWS, "preview_host": host}), reach))
    assert "would be a preview" in said


def test_a_name_that_nobody_has_and_a_port_where_nobody_is() -> None:
    assert previews.reach_preview("https://nobody.invalid/").what == "name"
    assert previews.reach_preview(f"http://127.0.0.1:{free_port()}/").what == "nobody"

"""The background check notices a damaged database; readiness, doctor and alerts report it."""

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from portolan.backups.last import Last, note_failure, note_last
from portolan.commands.examined import installation, others
from portolan.commands.faults import find_damage
from portolan.config.database_check import check_database, read_checked
from portolan.config.empty_database import begin_database
from portolan.config.env import Env
from portolan.config.health import examine_database, examine_role
from portolan.config.project import ROOT
from portolan.domain.health import Health, Role, find_reasons

from ..damaged_databases import damage_header, damage_table


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Env:
    """Return the environment of an installation with an empty database."""
    (tmp_path / "var").mkdir(mode=0o700)
    begin_database(tmp_path / "var" / "portolan.sqlite3", "en")
    settings = Env(
        sites_file=ROOT / "sites.toml",
        var_dir=tmp_path / "var",
        DATABASE_URL=f"sqlite:///{tmp_path}/var/portolan.sqlite3",
    )
    monkeypatch.setattr("portolan.config.health.env", lambda: settings)
    return settings


def file_of(here: Env) -> Path:
    return here.var_dir / "portolan.sqlite3"


def check(here: Env) -> str:
    return check_database(here.var_dir, here.database).damage


def test_damage_is_found_logged_once_and_over_when_another_file_is_there(
    here: Env, caplog: pytest.LogCaptureFixture
) -> None:
    assert check(here) == ""
    whole = file_of(here).read_bytes()
    damage_table(file_of(here), "leads_lead")
    with caplog.at_level(logging.ERROR):
        assert check(here) == "table leads_lead"
        first = read_checked(here.var_dir, here.database)
        assert check(here) == "table leads_lead"
    assert read_checked(here.var_dir, here.database) == first
    assert caplog.text.count("The database is damaged (table leads_lead)") == 1
    restored = here.var_dir / "restored"
    restored.write_bytes(whole)
    restored.replace(file_of(here))
    assert read_checked(here.var_dir, here.database) is None
    assert check(here) == ""


def test_a_database_that_is_locked_is_not_damaged(here: Env) -> None:
    with closing(sqlite3.connect(file_of(here), isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = DELETE")
        writer.execute("BEGIN EXCLUSIVE")
        assert check(here) == ""


@pytest.mark.parametrize(
    ("role", "is_ready"), [("serve", True), ("api", True), ("studio", False), ("publisher", False), ("delivery", False)]
)
def test_readiness_goes_by_the_last_check(here: Env, role: Role, is_ready: bool) -> None:
    damage_table(file_of(here), "leads_lead")
    check(here)
    reasons, warnings = find_reasons(examine_role(Health(role, "1")))
    assert [said for said in (warnings if is_ready else reasons) if said.startswith("The database is damaged.")]
    assert is_ready is not any(said.startswith("The database is damaged.") for said in reasons)


def test_a_file_that_is_no_database_is_damaged_and_not_away(here: Env) -> None:
    damage_header(file_of(here))
    assert examine_database(here.database, ())[0] == "damaged"
    (said,) = (each for each in installation.examine_data(here) if each.state == "problem")
    assert said.said == "The database is damaged (file is not a database)."


def test_doctor_names_the_table_and_a_command(here: Env) -> None:
    damage_table(file_of(here), "wagtailcore_page")
    (said,) = (each for each in installation.examine_data(here) if each.state == "problem")
    assert said.said == "The database is damaged (table wagtailcore_page)."
    assert "`portolan restore TARGET --replace`" in said.mend


def test_alerts_and_doctor_tell_of_backups_that_fail_and_leads_that_were_set_aside(here: Env) -> None:
    assert list(find_damage(here)) == []
    damage_table(file_of(here), "leads_lead")
    check(here)
    note_last(here.var_dir, Last("2026-11-27T06:00:00+00:00", "id", "/mnt/backups"))
    note_failure(here.var_dir, "/mnt/backups", "The disk is full.")
    spool = here.leads_dir / "spool"
    spool.mkdir(parents=True)
    (spool / "1-abc.bad").touch()
    causes = list(find_damage(here))
    assert [cause.key for cause in causes] == ["database-damage", "backup", "leads-set-aside"]
    assert causes[1].what == "Backups to /mnt/backups fail: The disk is full."
    said = [each.said for each in others.examine_backups(here) if each.state == "problem"]
    assert "Backups to /mnt/backups have failed since" in said[0]
    assert any("1 lead could not be stored" in each.said for each in installation.examine_data(here))

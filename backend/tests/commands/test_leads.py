"""``portolan leads``: delivering, listing and reopening destinations."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from django.utils import timezone
from pytest_django import Settings

from portolan.commands.leads import command
from portolan.leads.models import ClosedDestination, Delivery
from portolan.releases.wake import wake
from portolan.sites.destinations import LeadRules, Mailbox, Webhook

from ..leads.making import make_lead
from ..processes import LIMIT_S, PORTOLAN, run_program, started, wait_until


@pytest.fixture(autouse=True)
def destinations(settings: Settings, tmp_path: Path) -> None:
    hook = Webhook(name="crm", kind="webhook", url="https://crm.example/leads", secret_env="CRM_SECRET")
    mail = Mailbox(name="sales", kind="email", sites=["de"], to=["sales@brightmoor.example"])
    registry = settings.SITES_REGISTRY
    rules = LeadRules(sender="website@brightmoor.example")
    settings.SITES_REGISTRY = registry.model_copy(update={"destinations": [hook, mail], "leads": rules})
    settings.LEADS_DIR = tmp_path / "leads"
    settings.LEADS_SOCKET = tmp_path / "leads.sock"
    settings.SECRETS = {}
    settings.MAIL_SERVER = None


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


@pytest.mark.postgres
@pytest.mark.django_db
def test_what_is_due_is_tried_once_and_what_a_destination_lacks_is_said() -> None:
    lead = make_lead(timezone.now(), destinations=["crm", "sales"])
    result = run("deliver", "--once")
    assert result.exit_code == 0
    assert "crm: CRM_SECRET is not set. Until then they wait." in result.stderr
    assert "sales: PORTOLAN_SMTP_URL is not set." in result.stderr
    assert "2 tries made." in result.stderr
    assert set(lead.deliveries.values_list("state", "attempts")) == {("pending", 1)}


@pytest.mark.django_db
def test_destinations_are_listed_with_what_waits_and_what_they_lack() -> None:
    make_lead(destinations=["crm"])
    ClosedDestination.objects.create(name="sales", closed_at=timezone.now())
    result = run("destinations")
    assert result.exit_code == 1
    crm, sales = result.stdout.splitlines()
    assert crm == "crm  webhook  all sites  1 pending, 0 held, 0 delivered, 0 dead"
    assert sales.startswith("sales  email  de  ")
    assert sales.endswith("CLOSED: receives no leads")
    assert "CRM_SECRET" in result.stderr


@pytest.mark.django_db
def test_a_webhooks_secret_is_checked_and_not_shown(settings: Settings) -> None:
    settings.SECRETS = {"CRM_SECRET": "whsec_canary"}
    result = run("destinations")
    assert "CRM_SECRET is not a webhook secret" in result.stderr
    assert "canary" not in result.output


@pytest.mark.django_db
def test_a_closed_destination_is_opened_again() -> None:
    ClosedDestination.objects.create(name="crm", closed_at=timezone.now())
    assert run("reopen", "crm").exit_code == 0
    assert "is not closed" in run("reopen", "crm").stderr
    assert not Delivery.objects.exists()


def test_the_worker_stays_is_woken_and_ends_when_asked(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "PORTOLAN_VAR_DIR": str(tmp_path / "var"),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'empty.sqlite3'}",
        "PORTOLAN_ALERT_AFTER_S": "1",
    }
    start = [*PORTOLAN, "leads", "deliver"]
    with started(start, env=environment, stderr=subprocess.PIPE) as process:
        wait_until(lambda: wake(tmp_path / "var" / "leads.sock"))
        second = run_program(start, env=environment, timeout_s=60)
        assert second.returncode == 1
        assert "Another process already delivers leads" in second.stderr
        assert process.stderr
        said, deadline = "", time.monotonic() + LIMIT_S
        while "An edit is waiting since" not in said:  # the tables are missing, so waiting edits are unknown
            assert time.monotonic() < deadline, said  # it prints a line every fifteen seconds at least
            line = process.stderr.readline()
            assert line
            said += line
        process.send_signal(signal.SIGTERM)
        said += process.communicate(timeout=LIMIT_S)[1]
    assert process.returncode == 0
    assert "The database lacks tables" in said  # missing tables do not end the command

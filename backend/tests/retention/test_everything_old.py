"""Every removal by age in the product. The guard is in front of all data that cannot be restored."""

import ast
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from click.testing import CliRunner
from django.db.models import Model
from django.utils import timezone
from pytest_django import Settings
from wagtail.models import Page

import portolan
from portolan.accounts import endings
from portolan.accounts.models import SignIn
from portolan.commands import consent, retention
from portolan.commands.release_worker import DjangoReleaseWorker
from portolan.consent_records.models import ConsentRecord
from portolan.leads import housekeeping
from portolan.leads.models import Lead
from portolan.leads.open_store import open_store
from portolan.releases.models import Release
from portolan.retention.guard import list_failed_checks, note_seen
from portolan.studio import bin
from portolan.studio.models import DeletedPage
from portolan.studio.previews import secret
from portolan.studio.previews.models import Preview

_PRODUCT: Final = Path(portolan.__file__).parent
_REMOVES: Final = re.compile(
    r"\.delete\(|_raw_delete\(|unlink\(|rmtree\(|DELETE FROM|\bpurge\(|\.remove\(|prune_before\("
)
_BY_AGE: Final = re.compile(r"__lte?=|timedelta|st_mtime|is_unused\(|time\.time\(\)|days\b|find_older")

REVIEWED: Final = {
    "accounts/endings.py prune": "sessions, links and invitations that are over: people sign in or ask again",
    "builds/documents.py remove_unoffered": "copies that no kept build offers",
    "builds/follow.py _prune_packs": "copies of a publisher's files",
    "builds/follow.py prune_copies": "copies of a publisher's files",
    "builds/met_damage.py take": "reports of damage: an edge that meets it again writes another",
    "builds/pack_pruning.py _remove_index": "files that no kept build has",
    "builds/pack_pruning.py remove_orphans": "what a failed write left",
    "builds/prune.py _remove_parts": "what a failed write left",
    "builds/prune.py _remove_whole": "files that no kept build has",
    "builds/prune.py prune": "the newest builds stay whatever their age, and older ones are rendered again from their release",
    "builds/prune.py remove_unmentioned": "files that no kept build has",
    "consent_records/models.py purge": "called by the rule of consent records alone",
    "leads/erasure.py purge": "called by the rule of leads alone",
    "leads/file_store.py _remove_shared_strays": "files whose lead is neither in the database nor in the spool",
    "leads/file_store.py remove_strays": "files whose lead is neither in the database nor in the spool",
    "leads/housekeeping.py remove_leftovers": "answers to repeats and used captchas: at worst a repeat becomes a second lead",
    "publisher/build_inputs.py prune_inputs": "inputs of builds that are gone: a publish writes them again",
    "publisher/retention.py remove_left_sites": "counts the days on which it looked, and goes by no clock",
    "studio/previews/secret.py _forget_old": "previews of the studio: it opens them again",
    "studio/translations/importing.py _keep": "uploads that were not imported: people upload the file again",
    "studio/tree/order.py put_beside": "is about places in a tree",
}
"""Functions that remove by age without a rule of the guard, and the reason why no data is lost."""


def _functions() -> Iterator[tuple[str, str]]:
    for file in sorted(_PRODUCT.rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        if "migrations" not in file.parts and _REMOVES.search(source):
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    name = f"{file.relative_to(_PRODUCT)} {node.name}"
                    yield name, ast.get_source_segment(source, node) or ""


def test_what_removes_by_age_is_a_rule_of_the_guard_or_was_reviewed() -> None:
    found = {
        name for name, text in _functions() if _REMOVES.search(text) and _BY_AGE.search(text) and "Rule(" not in text
    }
    assert found == set(REVIEWED)
    rules = {name for name, text in _functions() if re.search(r"\bRule\(", text)}
    assert len(rules) == len(KEPT), "a rule has its row in KEPT, and its place in `portolan retention`"


OLD: Final = timezone.now() - timedelta(days=1500)


def _lead() -> Model:
    return Lead.objects.create(site="en", form="contact", fields={"message": "a"}, captcha_token="x", created_at=OLD)


def _record() -> Model:
    choices = {"ad_storage": False, "analytics_storage": False, "method": "reject"}
    return ConsentRecord.objects.create(site="en", made_at=OLD, policy_version="1", text_hash="0" * 32, **choices)


def _page() -> Model:
    held = Page.get_first_root_node().add_child(instance=DeletedPage(title="Old", slug="old", live=False))
    DeletedPage.objects.update(deleted_at=OLD)
    return held


def _link() -> Model:
    return Preview.objects.create(secret="s", shown="page", subject="1", is_link=True, ends_at=OLD)


class Kept(NamedTuple):
    make: Callable[[], Model]
    """Makes an old row."""
    clean: Callable[[], object]
    """The product's automatic removal."""


KEPT: Final = {
    "leads": Kept(_lead, lambda: housekeeping.tidy(open_store())),
    "consent-records": Kept(_record, lambda: CliRunner().invoke(consent.command, ["purge"])),
    "sign-ins": Kept(lambda: SignIn.objects.create(name="ada", client="c", result="done", at=OLD), endings.tidy),
    "deleted-pages": Kept(_page, bin.empty),
    "preview-links": Kept(_link, secret._forget_old),
    "releases": Kept(lambda: Release.objects.create(number=1), lambda: DjangoReleaseWorker().tidy(2)),
}


def _is_there(row: Model) -> bool:
    return type(row)._base_manager.filter(pk=row.pk, **{"erased_at": None} if isinstance(row, Lead) else {}).exists()


@pytest.fixture
def old(request: pytest.FixtureRequest, sites: object, settings: Settings, tmp_path: Path, monkeypatch: Any) -> Model:
    settings.LEADS_DIR = tmp_path
    for module in (housekeeping, endings, bin):
        monkeypatch.setattr(module, "_next_at", 0.0)
    return KEPT[request.param].make()


@pytest.mark.django_db
@pytest.mark.postgres
@pytest.mark.parametrize(("old", "subject"), [(name, name) for name in KEPT], indirect=["old"])
def test_a_clock_that_is_400_days_ahead_removes_nothing(old: Model, subject: str) -> None:
    note_seen("another rule", timezone.now() - timedelta(days=400), is_confirmed=True)
    KEPT[subject].clean()
    assert _is_there(old)
    assert [check.subject for check in list_failed_checks()] == [
        subject.replace("-", " ") if subject != "sign-ins" else subject
    ]


@pytest.mark.django_db
@pytest.mark.postgres
@pytest.mark.parametrize(("old", "subject"), [(name, name) for name in KEPT], indirect=["old"])
def test_what_is_old_by_a_clock_that_is_right_goes(old: Model, subject: str) -> None:
    note_seen("another rule", timezone.now() - timedelta(days=1), is_confirmed=True)
    KEPT[subject].clean()
    assert not _is_there(old)


@pytest.mark.django_db
def test_a_person_confirms_each_rule_by_its_name(sites: object, settings: Settings, tmp_path: Path) -> None:
    settings.LEADS_DIR = tmp_path
    rows = {subject: kept.make() for subject, kept in KEPT.items() if subject != "releases"}
    note_seen("another rule", timezone.now() - timedelta(days=400), is_confirmed=True)
    listed = CliRunner().invoke(retention.command, ["list"])
    assert {line.split()[0] for line in listed.stdout.splitlines()} == set(KEPT)
    for subject, row in rows.items():
        assert re.search(
            rf"^{subject}  1 of \d+  NOT removed automatically: the clock shows", listed.stdout, re.MULTILINE
        )
        refused = CliRunner().invoke(retention.command, ["remove", subject])
        assert (refused.exit_code, _is_there(row)) == (1, True)
        done = CliRunner().invoke(retention.command, ["remove", subject, "--yes"])
        assert (done.exit_code, _is_there(row)) == (0, False), done.output
    assert "Available: leads, consent-records" in CliRunner().invoke(retention.command, ["remove", "cats"]).stderr

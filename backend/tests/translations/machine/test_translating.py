"""A machine drafts a translation, which no way of publishing puts live before a person approves or edits it."""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from click.testing import CliRunner, Result
from django.contrib.auth.models import User
from django.utils import timezone
from wagtail.models import Revision

from portolan.commands.translations import command
from portolan.content.change_sets.holding import add
from portolan.content.change_sets.models import ChangeSet
from portolan.content.export import export_batch
from portolan.content.items import PAGE, ItemKey
from portolan.content.pages.home import HomePage
from portolan.content.pages.service import ServicePage
from portolan.content.site_records import SiteRecord
from portolan.domain.problems import Block, UnapprovedTranslation
from portolan.domain.roles import Role, SiteRole
from portolan.releases.change_sets import NotReady, put_live
from portolan.releases.create import create_release
from portolan.releases.models import PendingChange
from portolan.releases.schedule import run_schedule
from portolan.studio.checks.draft_check import check_draft
from portolan.studio.people.giving import set_roles
from portolan.translations.machine import providers
from portolan.translations.machine.approval import approve
from portolan.translations.matrix import read_rows
from portolan.translations.models import MachineText

from .service import KEY, Service, running

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

BODY = [
    {"type": "hero", "id": "h", "value": {"tone": "navy", "title": "We build for {company}", "eyebrow": "Web"}},
    {
        "type": "rich_text",
        "id": "t",
        "value": {"html": '<p>See <a href="https://a.example/">us</a> &amp; <b>x</b>.</p>'},
    },
]


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Iterator[Service]:
    settings.MACHINE_TRANSLATION, settings.MACHINE_TRANSLATION_KEY = "deepl", KEY
    with running() as service:
        usual = providers.DeepL
        monkeypatch.setattr(providers, "DeepL", lambda key: usual(key, service.url))
        yield service


@pytest.fixture
def source(homes: Mapping[str, HomePage], add_page: Callable[..., Any]) -> ServicePage:
    page: ServicePage = add_page(homes["en"], ServicePage, "web", title="Web work", body=BODY)
    return page


@pytest.fixture
def ada() -> User:
    user = User.objects.create_user("ada")
    set_roles(user, [SiteRole(Role.PUBLISHER, "de")], None)
    return User.objects.get(pk=user.pk)


def translate(*arguments: str) -> Result:
    given = ["translate", "--site", "de", "--as", "ada", *arguments]
    return CliRunner().invoke(command, given, catch_exceptions=False)


def german(source: ServicePage) -> ServicePage:
    return ServicePage.objects.get(translation_key=source.translation_key, locale__record__key="de")


@pytest.fixture
def draft(service: Service, source: ServicePage, ada: User) -> ServicePage:
    result = translate("/web")
    assert result.exit_code == 0, result.output
    assert "Wrote 4 texts into 1 draft, 1 of them a new page." in result.output
    return german(source)


def released(page: ServicePage) -> bool:
    create_release("test", timezone.now().date())
    key = str(page.translation_key)
    return not PendingChange.objects.filter(site="de", key=key).exclude(problem="").exists()


def marks(page: ServicePage, site: str = "de") -> int:
    (row,) = read_rows([site], page.translation_key)
    return row.cells[site].machine


def test_a_machine_writes_a_draft_and_keeps_code(draft: ServicePage, service: Service) -> None:
    newest = draft.latest_revision.as_object()
    assert not draft.live
    assert newest.title == "WEB WORK"
    assert newest.body.raw_data[0]["value"]["title"] == "WE BUILD FOR {company}"
    assert newest.body.raw_data[1]["value"]["html"] == (
        '<p>SEE <a href="https://a.example/">US</a> &amp; <b>X</b>.</p>'
    )
    assert (marks(draft), marks(draft, "uk")) == (4, 0)
    assert "Wrote 0 texts" in translate("/web").output
    assert len(service.texts) == 4


def test_it_does_not_go_live_by_any_way_before_it_is_approved(draft: ServicePage, ada: User) -> None:
    newest = draft.latest_revision.as_object()
    subjects = {(one.subject.block, one.subject.field) for one in check_draft(newest) if _is_ours(one)}
    assert subjects == {
        (Block("h", 1, "hero"), ""),
        (Block("t", 2, "rich_text"), ""),
        (None, "title"),
    }
    change_set = ChangeSet.objects.create(name="All")
    add(change_set, draft, ada)
    with pytest.raises(NotReady):
        put_live(change_set, "ada", ada, states=[change_set.at])
    assert not export_batch([ItemKey("de", PAGE, str(draft.translation_key))]).bodies.get(
        ItemKey("de", PAGE, str(draft.translation_key))
    )
    change_set.items.all().delete()
    Revision.objects.filter(pk=draft.latest_revision_id).update(approved_go_live_at=timezone.now())
    run_schedule(timezone.now() + timedelta(minutes=1))
    draft.refresh_from_db()
    assert not released(draft)
    draft.latest_revision.publish(user=ada)
    assert not released(draft)

    assert approve(draft.translation_key, "de") == 4
    assert released(draft)
    assert marks(draft) == 0


def test_only_an_edit_of_its_words_frees_a_text(draft: ServicePage) -> None:
    newest = draft.latest_revision.as_object()
    newest.body = newest.body.stream_block.to_python(
        [
            {**BODY[0], "value": {"tone": "navy", "title": "Wir bauen", "eyebrow": "Web"}},
            {
                **BODY[1],
                "value": {"html": '<p data-block-key="a">SEE <a href="/">US</a> &amp; <strong>X</strong>.</p>'},
            },
        ]
    )
    newest.save_revision()
    found = [one.subject.block.type for one in check_draft(newest) if _is_ours(one) and one.subject.block]
    assert found == ["rich_text"]
    assert marks(draft) == 2


def test_a_persons_words_stay(
    service: Service, source: ServicePage, ada: User, sites: Mapping[str, SiteRecord]
) -> None:
    own = ServicePage.objects.get(pk=source.copy_for_translation(sites["de"].locale).pk)
    own.title = "Netz"
    own.save_revision()
    assert "Wrote 3 texts into 1 draft, 0 of them new pages." in translate("/web").output
    newest = german(source).latest_revision.as_object()
    assert (newest.title, newest.body.raw_data[0]["value"]["title"]) == ("Netz", "WE BUILD FOR {company}")


def test_a_damaged_text_is_left_out_and_a_used_up_quota_keeps_earlier_pages(
    service: Service, source: ServicePage, ada: User, homes: Mapping[str, HomePage], add_page: Callable[..., Any]
) -> None:
    service.answer = lambda text: text.replace("id=", "di=") if "<x" in text else f"{text}!"
    result = translate("/web")
    assert result.exit_code == 1
    assert "damaged links or placeholders of the text. It was not translated." in result.output
    assert german(source).latest_revision.as_object().body.raw_data[0]["value"]["title"] == "We build for {company}"

    add_page(homes["en"], ServicePage, "app", title="Apps")
    service.status = 456
    result = translate("--missing")
    assert result.exit_code == 1
    assert "Wrote 0 texts" in result.output
    assert "The quota of DeepL is used up." in result.output


def test_bad_calls_say_what_to_do(source: ServicePage, ada: User) -> None:
    for arguments, said in (
        (("/web",), "Machine translation is off."),
        ((), "Name pages by their path, or use --missing."),
        (("/web", "--missing"), "Name pages by their path, or use --missing."),
        (("/nowhere",), "There is no page /nowhere on site en."),
    ):
        result = translate(*arguments)
        assert result.exit_code
        assert said in result.output


def test_marks_of_all_sites_of_the_page_count(draft: ServicePage) -> None:
    """A site may show a live copy of this one."""
    newest = draft.latest_revision.as_object()
    MachineText.objects.update(site="at")
    assert any(map(_is_ours, check_draft(newest)))
    MachineText.objects.update(translation_key=UUID(int=7))
    assert not any(map(_is_ours, check_draft(newest)))


def _is_ours(problem: Any) -> bool:
    return isinstance(problem.detail, UnapprovedTranslation)

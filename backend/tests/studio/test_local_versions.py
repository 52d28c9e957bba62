"""A page of an inheriting site with content of its own takes over all other changes of its source."""

import json
import re

import pytest
from django.urls import reverse
from wagtail.actions.convert_alias import ConvertAliasPageAction
from wagtail.models import Page

from portolan.content.local_versions import LocalVersion
from portolan.content.pages.legal import LegalPage
from portolan.domain.inheritance import State
from portolan.studio.local_versions.fill import fill_local_versions
from portolan.studio.local_versions.following import choose, follow_again, keep, states_of
from portolan.studio.local_versions.forecast import foresee
from portolan.translations.models import Translation

pytestmark = pytest.mark.django_db


def block(id: str, text: str) -> dict[str, object]:
    return {"type": "rich_text", "id": id, "value": {"tone": "paper", "html": f"<p>{text}</p>"}}


@pytest.fixture
def source(homes, add_page) -> Page:
    return add_page(homes["en"], LegalPage, "imprint", title="Imprint", body=[block("a", "A."), block("b", "B.")])


@pytest.fixture
def local(source) -> Page:
    """The page of the United Kingdom, whose second block is its own."""
    copy = source.get_translations().get(alias_of=source).specific
    ConvertAliasPageAction(copy).execute(skip_permission_checks=True)
    write(copy, b="Own B.")
    return reload(copy)


def reload(page: Page) -> Page:
    return LegalPage.objects.get(pk=page.pk)


def texts(page: Page) -> dict[str, str]:
    return {each["id"]: each["value"]["html"].removeprefix("<p>").removesuffix("</p>") for each in page.body.raw_data}


def write(page: Page, *, is_published: bool = True, title: str = "", **changed: str | None) -> None:
    """Save blocks by ID. ``None`` deletes a block, and an unknown ID adds one."""
    page = page.latest_revision.as_object() if page.latest_revision else page
    found = {**texts(page), **changed}
    page.body = page.body.stream_block.to_python([block(id, text) for id, text in found.items() if text is not None])
    page.title = title or page.title
    revision = page.save_revision()
    if is_published:
        revision.publish()


def states(local: Page, source: Page) -> dict[str, str]:
    row = LocalVersion.objects.get(page=local.pk)
    found = states_of(row, reload(source), reload(local).get_latest_revision_as_object())
    return {path[-1]: state for path, state in found.items() if path[0] == "body" or state is not State.FOLLOWS}


def test_other_blocks_follow_and_an_own_block_stays(source, local):
    write(reload(source), title="Legal notice", a="New A.", b="New B.", n="N.")
    local = reload(local)
    assert texts(local) == {"a": "New A.", "b": "Own B.", "n": "N."}
    assert local.title == "Legal notice"
    assert states(local, source) == {"a": "follows", "b": "changed", "n": "follows"}
    write(reload(source), a="Newer A.")
    assert texts(reload(local)) == {"a": "Newer A.", "b": "Own B.", "n": "N."}
    assert states(local, source) == {"a": "follows", "b": "changed", "n": "follows"}, "it is still offered"


def test_a_live_copy_without_own_content_follows_as_before(source):
    copy = source.get_translations().get(alias_of=source)
    write(reload(source), a="New A.")
    assert texts(reload(copy)) == {"a": "New A.", "b": "B."}
    assert not LocalVersion.objects.exists()


def test_deleted_blocks(source, local):
    write(local, a=None)
    write(reload(source), b=None, a="New A.")
    assert texts(reload(local)) == {"b": "Own B."}
    assert states(local, source) == {"a": "changed", "b": "changed"}


def test_a_draft_is_neither_published_nor_lost(source, local):
    write(reload(local), is_published=False, a="Draft of A.")
    write(reload(source), b="New B.", n="N.")
    local = reload(local)
    assert texts(local) == {"a": "A.", "b": "Own B.", "n": "N."}
    assert local.has_unpublished_changes
    assert texts(local.get_latest_revision_as_object()) == {"a": "Draft of A.", "b": "Own B.", "n": "N."}
    write(reload(source), a="New A.")
    assert texts(reload(local)) == {"a": "New A.", "b": "Own B.", "n": "N."}
    assert texts(reload(local).get_latest_revision_as_object())["a"] == "Draft of A."
    assert states(local, source)["a"] == "changed"


def test_a_page_that_is_not_live_takes_over_into_its_draft(source, local):
    local.unpublish()
    write(reload(source), a="New A.")
    local = reload(local)
    assert not local.live
    assert texts(local.get_latest_revision_as_object()) == {"a": "New A.", "b": "Own B."}


def test_a_kept_block_stays_although_it_equals_the_source(source, local):
    row = LocalVersion.objects.get(page=local.pk)
    keep(row, ("body", "a"))
    assert states(local, source)["a"] == "own"
    write(reload(source), a="New A.")
    assert texts(reload(local))["a"] == "A."
    assert states(local, source)["a"] == "changed"


def test_a_block_follows_again(source, local):
    write(reload(source), b="New B.")
    row = LocalVersion.objects.get(page=local.pk)
    follow_again(row, reload(source), reload(local), [("body", "b")]).save_revision().publish()
    assert texts(reload(local)) == {"a": "A.", "b": "New B."}
    assert states(local, source) == {"a": "follows", "b": "follows"}
    write(reload(source), b="Newer B.")
    assert texts(reload(local))["b"] == "Newer B."


@pytest.mark.parametrize(("side", "text", "state"), [("mine", "Own B.", "own"), ("theirs", "New B.", "follows")])
def test_an_editor_chooses_where_both_have_changed(source, local, side, text, state):
    write(reload(source), b="New B.")
    row = LocalVersion.objects.get(page=local.pk)
    path = ("body", "b", "html")
    choose(row, reload(source), reload(local), {path: side}).save_revision().publish()
    assert texts(reload(local))["b"] == text
    assert states(local, source)["b"] == state


def test_a_change_that_the_page_cannot_hold_is_reported_and_blocks_no_publish(source, local, monkeypatch):
    from django.core.exceptions import ValidationError

    def refuse(page: Page) -> None:
        if page.pk == local.pk:
            raise ValidationError("Only one heading is allowed.")

    monkeypatch.setattr(LegalPage, "clean", refuse)
    write(reload(source), a="New A.")
    assert texts(reload(source))["a"] == "New A."
    row = LocalVersion.objects.get(page=local.pk)
    assert (texts(reload(local))["a"], row.refused) == ("A.", "Only one heading is allowed.")


def test_a_page_whose_source_is_deleted_for_good_stays(source, local):
    source.refresh_from_db()
    source.delete()
    assert texts(reload(local)) == {"a": "A.", "b": "Own B."}
    assert not LocalVersion.objects.exists()


def test_a_page_detached_before_local_versions_existed_changes_by_choice_alone(source, local):
    LocalVersion.objects.all().delete()
    write(reload(source), a="New A.")
    assert texts(reload(local)) == {"a": "A.", "b": "Own B."}
    fill_local_versions()
    fill_local_versions()
    assert states(local, source) == {"a": "changed", "b": "own"}
    write(reload(source), a="Newer A.", b="New B.", n="N.")
    assert texts(reload(local)) == {"a": "A.", "b": "Own B.", "n": "N."}
    assert states(local, source) == {"a": "changed", "b": "changed", "n": "follows"}


def is_up_to_date(local: Page) -> bool:
    return Translation.objects.get(translation_key=local.translation_key, site="uk").outdated_words == 0


def test_the_overview_shows_it_as_outdated_only_while_a_change_is_offered(source, local):
    assert is_up_to_date(local)
    write(reload(source), a="New A.")
    assert is_up_to_date(local)
    write(reload(source), b="New B.")
    assert not is_up_to_date(local)
    choose(LocalVersion.objects.get(page=local.pk), reload(source), reload(local), {("body", "b", "html"): "mine"})
    assert is_up_to_date(local)


@pytest.fixture
def editor(client, local, django_user_model):
    client.defaults["HTTP_HOST"] = "studio.localhost"
    client.force_login(django_user_model.objects.create_superuser("ada", "ada@example.com", "x"))
    return client


def described(editor, local: Page) -> dict[str, str]:
    page = editor.get(reverse("wagtailadmin_pages:edit", args=[local.pk])).content.decode()
    told = json.loads(re.search(r'id="studio-inheritance" type="application/json">(.*?)</script>', page)[1])
    return {each["path"][-1]: each["state"] for each in told["states"]}


def test_the_form_shows_the_state_of_each_block(editor, source, local):
    assert described(editor, local) == {
        "title": "follows",
        "seo_title": "follows",
        "search_description": "follows",
        "a": "follows",
        "b": "own",
    }
    write(reload(source), b="New B.")
    assert described(editor, local)["b"] == "changed"


def test_a_switch_makes_a_block_own_and_lets_it_follow_again(editor, source, local):
    url = reverse("studio_switch_inheritance", args=[local.pk])
    answer = editor.post(url, {"path": '["body", "a"]', "state": "own"})
    assert answer.json() == {"state": "own", "isChanged": False}
    assert described(editor, local)["a"] == "own"
    answer = editor.post(url, {"path": '["body", "a"]', "state": "follows"})
    assert answer.json() == {"state": "follows", "isChanged": False}
    answer = editor.post(url, {"path": '["body", "b"]', "state": "follows"})
    assert answer.json() == {"state": "follows", "isChanged": True}
    assert texts(reload(local))["b"] == "Own B."
    assert texts(reload(local).get_latest_revision_as_object())["b"] == "B.", "it is a draft"


@pytest.mark.parametrize(("path", "status"), [("", 400), ("[1]", 400), ("{}", 400), ('["body", "z"]', 404)])
def test_an_unknown_place_is_refused(editor, local, path, status):
    url = reverse("studio_switch_inheritance", args=[local.pk])
    assert editor.post(url, {"path": path, "state": "own"}).status_code == status


def test_the_comparison_shows_three_versions_and_merges_words(editor, source, local):
    write(reload(local), b="Own B, with more words.")
    write(reload(source), b="Newer B.")
    url = reverse("studio_local_version", args=[local.pk])
    shown = editor.get(url).content.decode()
    assert "<ins>Newer" in shown
    assert 'value="both"' not in shown, "both changed the same words"
    write(reload(source), b="B. And a second sentence.")
    assert 'value="both"' not in editor.get(url).content.decode()
    write(reload(local), b="Own B.")
    assert 'value="both"' in editor.get(url).content.decode()
    answer = editor.post(url, {"choice-body-b-html": "both"})
    assert answer.status_code == 302
    assert texts(reload(local).get_latest_revision_as_object())["b"] == "Own B. And a second sentence."
    assert described(editor, local)["b"] == "own"


def test_who_may_not_edit_the_page_may_not_switch(client, local, django_user_model):
    client.defaults["HTTP_HOST"] = "studio.localhost"
    client.force_login(django_user_model.objects.create_user("eve", "eve@example.com", "x"))
    for name in ("studio_switch_inheritance", "studio_local_version", "studio_forecast"):
        assert client.post(reverse(name, args=[local.pk])).status_code in (302, 403)
    assert LocalVersion.objects.get(page=local.pk).kept == []


def test_the_forecast_of_a_draft_equals_what_publishing_it_does(editor, source, local):
    write(reload(source), is_published=False, a="New A.", b="New B.", title="Legal notice")
    draft = reload(source).get_latest_revision_as_object()
    forecast = foresee(draft)
    [effect] = forecast.local_versions
    assert (effect.site, forecast.copies, effect.refused) == ("United Kingdom", [], "")
    assert effect.taken == ["Title", "Block 1 (Text), Text"]
    assert effect.offered == ["Block 2 (Text), Text"]
    shown = editor.get(reverse("studio_forecast", args=[source.pk])).content.decode()
    assert "Block 2 (Text), Text" in shown

    draft.latest_revision.publish()
    assert texts(reload(local)) == {"a": "New A.", "b": "Own B."}
    assert foresee(reload(source)).is_empty, "what is offered already is not offered again"


def test_the_forecast_names_a_page_that_cannot_take_over(source, local):
    draft = reload(source)
    draft.title = ""
    assert foresee(draft).local_versions[0].refused == "This field cannot be blank."


def test_the_forecast_names_translations_and_live_copies(homes, source):
    copy = source.get_translations().get(alias_of=source)
    german = source.copy_for_translation(homes["de"].locale, copy_parents=True)
    german.save_revision().publish()
    write(reload(source), is_published=False, a="Five more words for A.")
    forecast = foresee(reload(source).get_latest_revision_as_object())
    assert (forecast.copies, forecast.translations) == (["United Kingdom"], ["Deutschland"])
    assert forecast.words == "5 words"
    assert reload(copy).title == "Imprint"

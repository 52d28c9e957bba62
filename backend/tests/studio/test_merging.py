"""Two editors of one page at once lose nothing. A single editor gets no conflicts, and publishes only their own
changes."""

import html
import json
import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from wagtail.models import Page
from wagtail.test.utils.form_data import nested_form_data, rich_text, streamfield

from portolan.content.models import EventPage, LegalPage
from portolan.studio.merging import own_saves
from portolan.studio.merging.versions import read_content
from portolan.studio.merging.words import Words

HOST = {"Host": "studio.localhost"}
_HIDDEN = re.compile(
    r'<input type="hidden" name="(merge_base|merge_seen|form_key|loaded_revision_\w+)" value="([^"]*)"'
)


@pytest.fixture
def page(homes, add_page):
    body = [
        {"type": "rich_text", "id": "first", "value": {"tone": "paper", "html": "<p>First.</p>"}},
        {"type": "rich_text", "id": "second", "value": {"tone": "paper", "html": "<p>Second, <b>loud</b>.</p>"}},
    ]
    page = add_page(homes["en"], LegalPage, "imprint", title="Imprint", body=body)
    page.save_revision()
    return page


class Editor:
    """A browser with the form: it returns the loaded data with the typed changes."""

    def __init__(self, name: str, page: Page) -> None:
        users = get_user_model().objects
        user = users.filter(username=name).first() or users.create_superuser(name, f"{name}@example.com", "x")
        self._client = Client(headers=HOST)
        self._client.force_login(user)
        self._url = f"/admin/pages/{page.pk}/edit/"
        self.fields: dict[str, Any] = {"title": "Imprint", "slug": "imprint"}
        self.blocks = {"first": "<p>First.</p>", "second": "<p>Second, <b>loud</b>.</p>"}
        self.hidden: dict[str, str] = {}
        self._keep(self._client.get(self._url))

    def publish(self, **more: str) -> str:
        return self.save(**{"action-publish": "action-publish"}, **more)

    def save(self, **more: str) -> str:
        """Return the words of the reply."""
        answer = self._client.post(self._url, {**self._sent(), **more}, follow=True)
        assert answer.status_code == 200
        self._keep(answer)
        return html.unescape(answer.content.decode())

    def _sent(self) -> dict[str, Any]:
        stream = [
            ("rich_text", {"tone": "paper", "anchor": "", "anchor_title": "", "html": rich_text(text)}, id)
            for id, text in self.blocks.items()
        ]
        body = streamfield([each[:2] for each in stream])
        for place, (_, _, id) in enumerate(stream):
            body[f"{place}-id"] = id
        sent = nested_form_data({**self.fields, "seo_title": "", "search_description": "", "body": body})
        return {**sent, **COMMENTS, **self.hidden}

    def save_by_itself(self, **more: str) -> Any:
        return self._client.post(self._url, {**self._sent(), **more}, headers={"Accept": "application/json"}).json()

    def _keep(self, answer: Any) -> None:
        text = answer.content.decode()
        self.hidden = {name: html.unescape(value) for name, value in _HIDDEN.findall(text)}
        assert "merge_base" in self.hidden


COMMENTS = {
    "comments-TOTAL_FORMS": "0",
    "comments-INITIAL_FORMS": "0",
    "comments-MIN_NUM_FORMS": "0",
    "comments-MAX_NUM_FORMS": "",
}


def newest(page: Page) -> tuple[str, dict[str, str]]:
    content = Page.objects.get(pk=page.pk).latest_revision.content
    texts = {
        block["id"]: re.sub(r' data-block-key="[^"]*"', "", block["value"]["html"])
        for block in json.loads(content["body"])
    }
    return content["title"], texts


def test_what_each_changed_is_in_the_page(page):
    ada, ben = Editor("ada", page), Editor("ben", page)
    ada.blocks["first"] = "<p>First, by Ada.</p>"
    ada.fields["title"] = "Imprint of ours"
    ada.save()
    ben.blocks["second"] = "<p>Second, by Ben.</p>"
    said = ben.save()
    assert "ada saved this page at" in said
    assert "Title; Block 1 (Text), Text" in said
    assert newest(page) == (
        "Imprint of ours",
        {"first": "<p>First, by Ada.</p>", "second": "<p>Second, by Ben.</p>"},
    )


def test_where_both_changed_the_same_nothing_is_saved_before_somebody_chose(page):
    ada, ben = Editor("ada", page), Editor("ben", page)
    ada.blocks["first"] = "<p>By Ada.</p>"
    ada.save()
    ben.blocks |= {"first": "<p>By Ben.</p>", "second": "<p>Second, by Ben.</p>"}
    before = page.revisions.count()
    said = ben.save()
    assert 'data-merge="1"' in said
    assert "By Ada." in said
    assert "By Ben." in said
    assert page.revisions.count() == before
    assert 'data-merge="1"' in ben.save(), "saving again does not save over it"
    assert page.revisions.count() == before
    name = re.search(r'name="(merge_choice-[^"]+)" value="theirs"', said)[1]
    ben.save(**{name: "theirs"})
    assert newest(page)[1] == {"first": "<p>By Ada.</p>", "second": "<p>Second, by Ben.</p>"}


def test_a_choice_counts_for_the_version_that_was_shown(page):
    ada, ben = Editor("ada", page), Editor("ben", page)
    ada.blocks["first"] = "<p>By Ada.</p>"
    ada.save()
    ben.blocks["first"] = "<p>By Ben.</p>"
    name = re.search(r'name="(merge_choice-[^"]+)" value="mine"', ben.save())[1]
    ada.blocks["first"] = "<p>By Ada, later.</p>"
    ada.save()
    assert "By Ada, later." in ben.save(**{name: "mine"})
    ben.save(**{name: "mine"})
    assert newest(page)[1]["first"] == "<p>By Ben.</p>"


def test_what_was_loaded_counts_also_where_its_author_saved_over_it(page):
    """Autosave overwrites the same revision, so the state that another editor loaded is lost."""
    ben = Editor("ben", page)
    revision = page.latest_revision
    content = revision.content
    body = json.loads(content["body"])
    body[0]["value"]["html"] = "<p>By Ada.</p>"
    page.body = json.dumps(body)
    page.save_revision(overwrite_revision=revision)
    ben.blocks["second"] = "<p>By Ben.</p>"
    ben.save()
    assert newest(page)[1] == {"first": "<p>By Ada.</p>", "second": "<p>By Ben.</p>"}


def test_a_block_that_the_other_deleted_is_asked_for_where_it_was_changed(page):
    ada, ben = Editor("ada", page), Editor("ben", page)
    del ada.blocks["first"]
    ada.save()
    ben.blocks["first"] = "<p>By Ben.</p>"
    said = ben.save()
    assert "Deleted" in said
    ben.save(**{"merge_choice-body-first": "mine"})
    assert [*newest(page)[1]] == ["first", "second"]


def test_a_form_that_asks_is_not_saved_by_itself(page):
    ada, ben = Editor("ada", page), Editor("ben", page)
    ada.blocks["first"] = "<p>By Ada.</p>"
    ada.save()
    ben.blocks["first"] = "<p>By Ben.</p>"
    ben.save()
    assert ben.save_by_itself()["error_code"] == "invalid_revision"


def test_a_draft_whose_answer_was_lost_is_no_conflict(page):
    """The reply to the first save was lost, so the browser tries again. Then the editor saves."""
    ada = Editor("ada", page)
    ada.blocks["first"] = "<p>First, by A</p>"
    assert ada.save_by_itself()["success"]
    ada.blocks["first"] = "<p>First, by Ada.</p>"
    again = ada.save_by_itself()
    assert again["success"], again
    ada.blocks["second"] = "<p>Second, by Ada.</p>"
    said = ada.save()
    assert "data-merge" not in said
    assert "has been updated" in said
    assert newest(page)[1] == {"first": "<p>First, by Ada.</p>", "second": "<p>Second, by Ada.</p>"}


def test_drafts_with_a_number_that_is_behind_overwrite_their_newest(page):
    """The reply to a later draft was lost: the form still has the previous number."""
    ada = Editor("ada", page)
    ada.blocks["first"] = "<p>One.</p>"
    first = ada.save_by_itself()["revision_id"]
    ada.blocks["first"] = "<p>Two.</p>"
    ada.save_by_itself()
    ada.blocks["first"] = "<p>Three.</p>"
    assert ada.save_by_itself(overwrite_revision_id=str(first))["success"]
    assert newest(page)[1]["first"] == "<p>Three.</p>"


def test_a_lost_answer_and_then_a_colleague_are_merged(page):
    ada = Editor("ada", page)
    ada.blocks["first"] = "<p>First, by Ada.</p>"
    ada.save_by_itself()
    ben = Editor("ben", page)
    ben.blocks = {**ada.blocks, "second": "<p>Second, by Ben.</p>"}
    ben.save()
    ada.blocks["first"] = "<p>First, by Ada again.</p>"
    assert ada.save_by_itself()["error_code"] == "invalid_revision"
    assert "Your version now includes those changes: Block 2 (Text), Text." in ada.save()
    assert newest(page)[1] == {"first": "<p>First, by Ada again.</p>", "second": "<p>Second, by Ben.</p>"}


def test_a_second_tab_of_the_same_person_is_merged(page):
    one, other = Editor("ada", page), Editor("ada", page)
    one.blocks["first"] = "<p>First, here.</p>"
    one.save_by_itself()
    other.blocks["second"] = "<p>Second, there.</p>"
    refused = other.save_by_itself()
    assert refused["error_message"].startswith("You saved this page in another window at ")
    assert "overwrite a newer" not in refused["error_message"]
    assert "You saved this page in another window at" in other.save()
    assert newest(page)[1] == {"first": "<p>First, here.</p>", "second": "<p>Second, there.</p>"}


def test_a_form_that_created_its_page_and_was_not_told_goes_on_with_it(homes, admin_client):
    url = f"/admin/pages/add/content/legalpage/{homes['en'].pk}/"
    form = admin_client.get(url, headers=HOST).content.decode()
    hidden = {name: html.unescape(value) for name, value in _HIDDEN.findall(form)}
    body = streamfield(
        [("rich_text", {"tone": "paper", "anchor": "", "anchor_title": "", "html": rich_text("<p>A</p>")})]
    )
    body["0-id"] = "only"

    def send(accept: str, **more: Any) -> Any:
        text = {"seo_title": "", "search_description": "", "body": body}
        sent = nested_form_data({"title": "Terms", "slug": "terms", **text, **more})
        return admin_client.post(url, {**sent, **COMMENTS, **hidden}, headers={**HOST, "Accept": accept}, follow=True)

    first = send("application/json").json()
    again = send("application/json", title="Terms of use").json()
    assert (again["pk"], again["url"]) == (first["pk"], first["url"])
    assert again["hydrate_url"] == first["hydrate_url"]
    assert "has been updated" in send("text/html", title="Terms of service").content.decode()
    (page,) = LegalPage.objects.filter(slug__startswith="terms")
    assert page.get_latest_revision().content["title"] == "Terms of service"
    ben = Editor("ben", page)
    ben.fields = {"title": "Terms of service", "slug": "terms-of-service"}
    ben.blocks = {"only": "<p>A</p>"}
    ben.save()
    said = html.unescape(send("text/html", title="Terms of our service").content.decode())
    assert "data-merge" not in said
    assert "Your version now includes those changes: Slug." in said


def test_drafts_never_overwrite_what_is_published(page):
    ada = Editor("ada", page)
    ada.blocks["first"] = "<p>Live.</p>"
    ada.publish()
    live = LegalPage.objects.get(pk=page.pk).live_revision
    ada.blocks["first"] = "<p>Draft.</p>"
    assert ada.save_by_itself(overwrite_revision_id=str(live.pk))["success"]
    live.refresh_from_db()
    assert "Live." in live.content["body"]
    assert newest(page)[1]["first"] == "<p>Draft.</p>"


def test_the_ping_does_not_tell_a_form_of_its_own_draft(page):
    ada, ben = Editor("ada", page), Editor("ben", page)
    ada.save_by_itself()

    def told(editor: Editor) -> list[str]:
        sent = {"revision_id": editor.hidden["loaded_revision_id"], "form_key": editor.hidden["form_key"]}
        sent["revision_created_at"] = editor.hidden["loaded_revision_created_at"]
        answer = editor._client.post(f"/admin/editing-sessions/ping/wagtailcore/page/{page.pk}/999/", sent).json()
        return [session["user"] for session in answer["other_sessions"] if session["revision_id"]]

    assert told(ada) == []
    assert told(ben) == ["ada"]


def test_the_ping_does_not_tell_a_form_of_what_it_saves_meanwhile(page, monkeypatch):
    ada = Editor("ada", page)
    find = own_saves.find_own
    saves: list[dict[str, str]] = [{"action-publish": "action-publish"}, {}]

    def find_then_save(*asked: Any) -> Any:
        found = find(*asked)
        if saves:
            monkeypatch.setattr(own_saves, "find_own", find)
            assert ada.save_by_itself(**saves.pop(0))["success"]
            monkeypatch.setattr(own_saves, "find_own", find_then_save)
        return found

    monkeypatch.setattr(own_saves, "find_own", find_then_save)
    sent = {"revision_id": ada.hidden["loaded_revision_id"], "form_key": ada.hidden["form_key"]}
    sent["revision_created_at"] = ada.hidden["loaded_revision_created_at"]
    answer = ada._client.post(f"/admin/editing-sessions/ping/wagtailcore/page/{page.pk}/999/", sent).json()
    assert saves == []
    assert [session["user"] for session in answer["other_sessions"] if session["revision_id"]] == []


def test_values_are_shown_as_the_form_shows_them(homes, add_page):
    target = add_page(homes["en"], LegalPage, "imprint", title="Imprint")
    value = {"tone": "ink", "html": f'<p>See <a linktype="page" id="{target.pk}">this</a> &amp; <b>that</b>.</p>'}
    stored = {
        "start": "2026-12-03",
        "country": "de",
        "hidden_here": True,
        "body": json.dumps([{"type": "rich_text", "id": "a", "value": value}]),
    }
    content = read_content(stored, stored)
    form = EventPage.get_edit_handler().get_form_class()(instance=EventPage(locale=homes["en"].locale), for_user=None)
    words = Words(form, content)
    said = {path[-1]: words.value(path, content) for path in [("start",), ("country",), ("hidden_here",)]}
    assert said == {"start": "Dec. 3, 2026", "country": "Germany", "hidden_here": "Yes"}
    assert words.value(("body", "a", "tone"), content) == "Ink (near-black)"
    assert words.value(("body", "a", "html"), content) == "See this (→ Imprint) & that."


LEFT = "<p>Second, half a sent</p>"


def test_publishing_asks_before_it_takes_along_what_a_colleague_has_not_published(page):
    page.get_latest_revision().publish()
    ada = Editor("ada", page)
    ada.blocks["second"] = LEFT
    ada.save_by_itself()
    ben = Editor("ben", page)
    ben.blocks = {"first": "<p>First, by Ben.</p>", "second": LEFT}
    said = ben.publish()
    assert 'data-others="1"' in said
    assert re.search(r"<bdi>ada</bdi>, since [^:]+:\d\d [A-Z]+: Block 2 \(Text\), Text</li>", said)
    assert "half a sent" not in live(page)
    seen = re.search(r'name="publish_others" value="([^"]+)"', said)[1]
    assert 'data-others="1"' in ben.publish(), "pressing it again is no answer"
    ada.blocks["second"] = "<p>Second, half a sentence</p>"
    ada.save()
    assert 'data-others="1"' in ben.publish(publish_others=seen), "the answer counts for the version that was shown"
    assert "First, by Ben" not in live(page)
    said = ben.publish()
    ben.publish(publish_others=re.search(r'name="publish_others" value="([^"]+)"', said)[1])
    assert "First, by Ben" in live(page)
    assert "half a sentence" in live(page)


@pytest.mark.parametrize("what", ["own draft", "colleague's, published", "written over", "by the product"])
def test_publishing_does_not_ask_if_nothing_of_others_would_go_live(page, what):
    page.get_latest_revision().publish()
    ada, ben = Editor("ada", page), Editor("ben", page)
    if what == "own draft":
        ben.blocks["second"] = LEFT
        ben.save_by_itself()
    elif what == "by the product":
        page.title = "Imprint of ours"
        page.save_revision()
    else:
        ada.blocks["second"] = LEFT
        ada.publish() if what == "colleague's, published" else ada.save()
    ben = Editor("ben", page)
    ben.blocks["second"] = "<p>Second, by Ben.</p>"
    ben.fields["title"] = newest(page)[0]
    assert "data-others" not in ben.publish()
    assert "Second, by Ben." in live(page)


def test_publishing_by_script_is_refused_until_it_is_confirmed(page):
    page.get_latest_revision().publish()
    ada = Editor("ada", page)
    ada.blocks["second"] = LEFT
    ada.save_by_itself()
    ben = Editor("ben", page)
    ben.blocks["second"] = LEFT
    said = ben.save_by_itself(**{"action-publish": "action-publish"})
    assert said["success"] is False
    assert "publish changes of ada" in said["error_message"]
    assert "half a sent" not in live(page)


def test_a_list_says_whose_unpublished_changes_would_go_live(page):
    page.get_latest_revision().publish()
    ada, ben = Editor("ada", page), Editor("ben", page)
    url = f"/admin/bulk/wagtailcore/page/publish/?id={page.pk}&next=/admin/"
    assert "data-others" not in ben._client.get(url).content.decode()
    ada.save_by_itself()
    said = ben._client.get(url).content.decode()
    assert re.search(r"“Imprint” has unpublished changes by <bdi>ada</bdi>, since .+\. They go live too\.", said)
    assert "data-others" not in ada._client.get(url).content.decode()


def live(page: Page) -> str:
    return str(LegalPage.objects.get(pk=page.pk).body.raw_data[:])

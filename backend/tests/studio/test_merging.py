"""Two editors of one page at once: who saves second loses nothing, and loses nothing of the other's."""

import html
import json
import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from wagtail.models import Page
from wagtail.test.utils.form_data import nested_form_data, rich_text, streamfield

from portolan.content.models import LegalPage

HOST = {"Host": "studio.localhost"}
_HIDDEN = re.compile(r'<input type="hidden" name="(merge_base|merge_seen|loaded_revision_\w+)" value="([^"]*)"')


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
    """What a browser does with the form: it sends back what it was given, but for what was typed."""

    def __init__(self, name: str, page: Page) -> None:
        user = get_user_model().objects.create_superuser(name, f"{name}@example.com", "x")
        self._client = Client(headers=HOST)
        self._client.force_login(user)
        self._url = f"/admin/pages/{page.pk}/edit/"
        self.fields: dict[str, Any] = {"title": "Imprint", "slug": "imprint"}
        self.blocks = {"first": "<p>First.</p>", "second": "<p>Second, <b>loud</b>.</p>"}
        self.hidden: dict[str, str] = {}
        self._keep(self._client.get(self._url))

    def save(self, **more: str) -> str:
        """Words of the answer."""
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
    """Who types saves by themselves, each time over the same revision: what another began with is gone then."""
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

"""Frozen bodies outlive the code that froze them: all are read in today's format."""

import json

import pytest
from django.utils import timezone

from portolan.commands.failures import explain_failure
from portolan.content.items import ItemKey
from portolan.releases import create, formats
from portolan.releases.connection import connected_reader
from portolan.releases.create import count_stale, create_release
from portolan.releases.formats import NewerFormat, current_format, lower_body, raise_body
from portolan.releases.models import PendingChange, Release, ReleaseItem

STEPS = {"page": [lambda body: {"title": body["name"]}, lambda body: {**body, "tags": []}]}


@pytest.fixture
def steps(monkeypatch):
    monkeypatch.setattr(formats, "STEPS", STEPS)


@pytest.mark.parametrize(
    ("kind", "format", "body", "expected"),
    [
        ("page", 1, b'{"name":"A"}', b'{"title":"A","tags":[]}'),
        ("page", 2, b'{"title":"A"}', b'{"title":"A","tags":[]}'),
        ("page", 3, b'{"title": "A"}', b'{"title": "A"}'),
        ("office", 1, b'{"name": "A"}', b'{"name": "A"}'),
    ],
)
def test_a_body_is_raised_step_by_step_and_else_left_as_it_is(steps, kind, format, body, expected):
    assert raise_body(kind, format, body) == expected


@pytest.mark.parametrize(
    ("kind", "format", "body", "expected"),
    [
        pytest.param(
            "page",
            1,
            {"blocks": [{"type": "event_teasers", "events": {"$items": "event", "choose": ["others"], "last": 24}},
                        {"type": "event_list", "events": {"$items": "event"}}]},
            {"blocks": [{"type": "event_teasers", "events": {"$items": "event", "choose": ["others"], "first": 24}},
                        {"type": "event_list", "events": {"$items": "event"}}]},
            id="the next events are the first ones",
        ),
        pytest.param(
            "page", 2, {"blocks": [{"type": "hero"}, {"type": "cards", "cards": [{"title": "A"}]}]},
            {"blocks": [{"type": "hero"}, {"type": "cards", "cards": [{"title": "A", "picture": None}]}]},
            id="cards from before they could have pictures",
        ),
        pytest.param(
            "event", 1, {"order": 739000, "value": {"id": "a"}}, {"order": 739000, "value": {"id": "a", "past": False, "registration": ""}},
            id="an event that was frozen before events passed",
        ),
        pytest.param(
            "event", 2, {"value": {"id": "a", "past": True}}, {"value": {"id": "a", "past": True, "registration": ""}},
            id="an event from before one could register",
        ),
        pytest.param(
            "picture", 1, {"url": "a"}, {"url": "a", "focus": None}, id="a picture from before it could have a focal point"
        ),
    ],
)  # fmt: skip
def test_every_step_there_has_been(kind, format, body, expected):
    assert json.loads(raise_body(kind, format, json.dumps(body).encode())) == expected


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        pytest.param("picture", {"url": "a", "focus": None}, (1, {"url": "a"}), id="the previous version can read it"),
        pytest.param("picture", {"url": "a", "focus": {"x": 7}}, (2, {"url": "a", "focus": {"x": 7}}), id="it would lose the focal point"),
        pytest.param("office", {"city": "Baku"}, (1, {"city": "Baku"}), id="there is one format only"),
        pytest.param("page", {"blocks": []}, (3, {"blocks": []}), id="there is no way back"),
    ],
)  # fmt: skip
def test_a_body_is_frozen_in_the_oldest_format_that_holds_it(kind, body, expected):
    assert lower_body(kind, body) == expected
    format, stored = expected
    assert json.loads(raise_body(kind, format, json.dumps(stored).encode())) == body


def test_todays_format_is_the_one_the_last_step_leads_to(steps):
    assert [current_format(kind) for kind in ("page", "office")] == [3, 1]


@pytest.mark.parametrize(("kind", "format"), [("page", 4), ("office", 2)])
def test_what_a_newer_version_froze_is_refused_with_what_to_do(steps, kind, format):
    with pytest.raises(NewerFormat) as error:
        raise_body(kind, format, b"{}")
    said = explain_failure(error.value)
    assert f"kind {kind} is in format {format}" in said
    assert "Install the newer version again, or restore the database backup" in said


@pytest.mark.django_db
@pytest.mark.postgres
def test_every_way_to_read_gives_todays_format(steps):
    Release.objects.create(number=1)
    ReleaseItem.objects.create(site="en", kind="page", key="a", digest="d", body=b'{"name":"A"}', since=1)
    reader = connected_reader()
    item = reader.item(1, "en", "page", "a")
    assert (item.body, item.digest) == (b'{"title":"A","tags":[]}', "d")
    assert reader.items(1) == reader.collection(1, "en", "page") == reader.some_items(1, "en", "page", ["a"]) == [item]


@pytest.mark.django_db
@pytest.mark.postgres
def test_what_is_frozen_today_says_its_format(steps, homes):
    create_release("test", timezone.now().date(), full=True)
    key = str(homes["en"].translation_key)
    assert ReleaseItem.objects.get(**ItemKey("en", "page", key)._asdict()).format == 3
    assert ReleaseItem.objects.get(kind="figures").format == 1


@pytest.fixture
def snapshot_before(homes, monkeypatch):
    """``snapshot_before(neutral)``: freeze pages in the format before the field for a hidden switcher. The step to
    today's format sets ``neutral``."""

    def snapshot(neutral):
        monkeypatch.setattr(formats, "STEPS", {})
        create_release("before", timezone.now().date(), full=True)
        for item in ReleaseItem.objects.filter(kind="page"):
            body = json.loads(item.body)
            del body["switcher_hidden"]
            item.body, item.digest = json.dumps(body).encode(), create.digest_body(body)
            item.save()
        monkeypatch.setattr(formats, "STEPS", {"page": [lambda body: {**body, "switcher_hidden": neutral}]})

    return snapshot


@pytest.mark.django_db
@pytest.mark.postgres
def test_what_the_step_makes_right_is_not_frozen_anew(snapshot_before, homes):
    snapshot_before(False)
    assert not count_stale()
    assert create_release("upgrade", timezone.now().date(), full=True) is None
    homes["de"].title = "Edited"
    homes["de"].save_revision().publish()
    release = create_release("editor", timezone.now().date())
    assert (release.changed, connected_reader().formats()["page", 2]) == (1, 1), "others stay in the format they have"


@pytest.mark.django_db
@pytest.mark.postgres
def test_what_only_the_model_knows_is_frozen_anew_once(snapshot_before, homes):
    snapshot_before(True)
    assert count_stale() == {"page": len(homes)}
    release = create_release("upgrade", timezone.now().date(), full=True)
    assert release.changed == len(homes)
    assert connected_reader().formats() == {("figures", 1): 1, ("page", 2): len(homes)}
    assert not count_stale()
    assert create_release("upgrade", timezone.now().date(), full=True) is None


@pytest.mark.django_db
@pytest.mark.postgres
def test_edits_that_wait_are_no_work_of_an_upgrade(snapshot_before, homes):
    snapshot_before(False)
    homes["de"].title = "Edited"
    homes["de"].save_revision().publish()
    assert not count_stale()


@pytest.mark.django_db
@pytest.mark.postgres
def test_an_older_version_freezes_nothing_over_what_a_newer_one_froze(steps, homes, monkeypatch):
    create_release("newer", timezone.now().date(), full=True)
    before = list(ReleaseItem.objects.values_list("pk", "until"))
    monkeypatch.setattr(formats, "STEPS", {})
    homes["de"].title = "Edited"
    homes["de"].save_revision().publish()
    with pytest.raises(NewerFormat):
        create_release("older", timezone.now().date())
    assert list(ReleaseItem.objects.values_list("pk", "until")) == before
    assert PendingChange.objects.exists(), "the edit waits for the version that can take it"

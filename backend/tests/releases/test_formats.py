"""Frozen bodies outlive the code that froze them: each is read in today's format."""

import pytest
from django.utils import timezone

from portolan.commands.failures import explain_failure
from portolan.content.items import ItemKey
from portolan.releases import formats
from portolan.releases.connection import connected_reader
from portolan.releases.create import create_release
from portolan.releases.formats import NewerFormat, current_format, raise_body
from portolan.releases.models import Release, ReleaseItem

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


def test_todays_format_is_the_one_the_last_step_leads_to(steps):
    assert [current_format(kind) for kind in ("page", "office")] == [3, 1]


@pytest.mark.parametrize(("kind", "format"), [("page", 4), ("office", 2)])
def test_what_a_newer_version_froze_is_refused_with_what_to_do(steps, kind, format):
    with pytest.raises(NewerFormat) as error:
        raise_body(kind, format, b"{}")
    said = explain_failure(error.value)
    assert f"kind {kind} is in format {format}" in said
    assert "Install that version again, or restore the backup" in said


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

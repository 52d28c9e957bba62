"""A block with a new shape is changed in all places that store it."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from wagtail.blocks.migrations.operations import RenameStructChildrenOperation
from wagtail.models import Revision

from portolan.content.block_migrations import ChangeBlocks
from portolan.content.models import AboutPage

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
LATER = datetime(2099, 1, 1, tzinfo=UTC)


@pytest.fixture
def page(homes: Any, add_page: Any) -> Any:
    """A live page with a scheduled revision and a draft. All have ``kicker``, as stored by the previous version."""
    hero = [("hero", {"title": "Hello", "eyebrow": "Live"})]
    page = add_page(homes["de"], AboutPage, "about", body=hero)
    page.body[0].value["eyebrow"] = "Scheduled"
    page.go_live_at = LATER
    page.save_revision(approved_go_live_at=LATER)
    page.body[0].value["eyebrow"] = "Draft"
    page.save_revision()
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE content_aboutpage SET body = CAST(replace(CAST(body AS text), 'eyebrow', 'kicker') AS "
            f"{'jsonb' if connection.vendor == 'postgresql' else 'text'})"
        )
    for revision in Revision.objects.all():
        revision.content["body"] = revision.content["body"].replace("eyebrow", "kicker")
        revision.save()
    return page


def eyebrows(page: Any) -> list[str]:
    """Return them for the live page and its revisions, the oldest first."""
    live = AboutPage.objects.get(pk=page.pk)
    versions = [live, *(revision.as_object() for revision in Revision.objects.for_instance(page).order_by("pk"))]
    return [version.body[0].value.get("eyebrow") for version in versions]


def test_live_drafted_scheduled_and_past_revisions_are_changed(page: Any) -> None:
    assert set(eyebrows(page)) <= {"", None}
    id = AboutPage.objects.get(pk=page.pk).body.raw_data[0]["id"]
    apps = MigrationLoader(connection).project_state().apps  # a migration gets these instead of today's models
    change = ChangeBlocks((RenameStructChildrenOperation("kicker", "eyebrow"), "hero"))
    for _ in range(2):
        change.code(apps, None)
        assert eyebrows(page) == ["Live", "Live", "Scheduled", "Draft"]
    assert AboutPage.objects.get(pk=page.pk).body.raw_data[0]["id"] == id
    assert Revision.objects.get(approved_go_live_at=LATER).content["go_live_at"]

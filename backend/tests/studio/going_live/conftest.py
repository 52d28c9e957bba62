from typing import Any

import pytest
from django.contrib.auth import get_user_model
from pytest_django import Settings

from portolan.studio import publishing, releases
from portolan.studio.changes import checks
from portolan.studio.checks import form, row_form

from ...shared_content import ensure, shared
from .world import World, make_world


@pytest.fixture
def live_world(sites: Any, media: Any, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> World:
    registry = settings.SITES_REGISTRY
    settings.SITES_REGISTRY = registry.model_copy(update={"sites": {key: registry.sites[key] for key in sites}})
    settings.ALLOWED_HOSTS = ["*"]
    monkeypatch.setattr(form, "check_form", lambda form: [])
    monkeypatch.setattr(row_form, "check_row_form", lambda form: [])
    monkeypatch.setattr(publishing, "sift", lambda pages: (list(pages), []))
    monkeypatch.setattr(checks, "check_together", lambda bodies: [])
    monkeypatch.setattr(releases, "_WAIT_S", 0)
    return ensure("live_world")


@shared("live_world", on="sites")
def make_live_world(media: Any) -> World:
    from django.conf import settings
    from django.test import override_settings

    people = get_user_model().objects
    people.create_superuser("root", "root@example.com", "x")
    people.create_user("other", "other@example.com", "x")
    owner = people.create_user("owner", "owner@example.com", "x")
    registry = settings.SITES_REGISTRY
    with override_settings(
        SITES_REGISTRY=registry.model_copy(update={"sites": {key: registry.sites[key] for key in ("en", "uk", "de")}})
    ):
        return make_world(owner)

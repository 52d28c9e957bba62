"""Each country has a structure of its own: slugs in its language, pages that it leaves out, and pages that only it has."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from portolan.content.models import ServicePage
from portolan.domain.roles import parse_site_role
from portolan.releases.create import create_release
from portolan.releases.models import ReleaseRoute
from portolan.studio.permissions import sync_role_group
from portolan.translations.matrix import read_rows
from portolan.translations.states import State

pytestmark = pytest.mark.django_db


def test_a_country_has_own_slugs_leaves_pages_out_and_adds_its_own(
    homes: Mapping[str, Any], add_page: Callable[..., Any], live_copy: Callable[..., Any], client: Client
) -> None:
    client.defaults["HTTP_HOST"] = "studio.localhost"
    user = get_user_model().objects.create(username="publisher")
    user.groups.set([sync_role_group(parse_site_role("publisher"))])
    client.force_login(user)
    web, apps, data = (add_page(homes["en"], ServicePage, name, title=name) for name in ("web", "apps", "data"))
    own = {"locale": homes["de"].locale}
    add_page(homes["de"], ServicePage, "netz", title="Netz", translation_key=web.translation_key, **own)
    alone = add_page(homes["de"], ServicePage, "messe", title="Messe", **own)
    client.post(reverse("studio_translations_change"), {"do": "exclude", "cell": [f"{data.translation_key}:de"]})
    client.post(reverse("studio_toggle_hidden", args=[live_copy(apps, "uk").pk]))
    create_release("test", date(2026, 11, 28))

    routes = {
        name: dict(ReleaseRoute.objects.filter(key=page.translation_key, until=None).values_list("site", "path"))
        for name, page in {"web": web, "apps": apps, "data": data, "alone": alone}.items()
    }
    assert routes == {
        "web": {"en": "/web", "uk": "/web", "de": "/netz"},
        "apps": {"en": "/apps"},
        "data": {"en": "/data", "uk": "/data"},
        "alone": {"de": "/messe"},
    }
    states = {row.key: {site: cell.state for site, cell in row.cells.items()} for row in read_rows(["uk", "de"])}
    assert states[web.translation_key] == {"uk": State.CURRENT, "de": State.CURRENT}
    assert states[apps.translation_key] == {"uk": State.EXCLUDED, "de": State.MISSING}
    assert states[data.translation_key] == {"uk": State.CURRENT, "de": State.EXCLUDED}
    assert alone.translation_key not in states

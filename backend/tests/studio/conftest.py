"""A site configuration of three small sites that tests may change."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings as django_settings
from django.contrib.auth import get_user_model
from django.test import Client
from pytest_django import Settings

from portolan.domain.roles import parse_site_role
from portolan.sites.registry import Registry
from portolan.studio.permissions import sync_role_group

PRODUCTS_REGISTRY: Final = django_settings.SITES_REGISTRY
"""The product's, even if a test changes the settings."""


@pytest.fixture(autouse=True)
def no_publisher(settings: Settings, tmp_path: Path) -> None:
    settings.WAKE_SOCKET = tmp_path / "publisher.sock"
    settings.BUILDS_DIR = tmp_path / "builds"


@pytest.fixture
def sign_in(client: Client) -> Callable[[str], None]:
    """Return a function that signs a new person in with one role, such as ``editor:de``."""
    client.defaults["HTTP_HOST"] = "studio.localhost"

    def sign_in(role: str) -> None:
        user = get_user_model().objects.create_user(role.replace(":", "-"))
        user.groups.set([sync_role_group(parse_site_role(role))])
        client.force_login(user)

    return sign_in


@pytest.fixture
def registry_of() -> Callable[..., Registry]:
    return registry_with


def registry_with(*keys: str, **changes: dict[str, Any]) -> Registry:
    """Return entries of the product's site configuration with changes: ``registry_with("en", "de", de={"language":
    "de-CH"})``.
    """
    raw = PRODUCTS_REGISTRY.model_dump(mode="json")
    template = raw["sites"]["fr"]
    sites = {}
    for key in keys:
        entry = raw["sites"].get(key) or {
            **template,
            "key": key,
            "origins": {name: f"https://{key}.{name}.example" for name in raw["environments"]},
        }
        sites[key] = {**entry, **changes.get(key, {})}
    return Registry.model_validate({**raw, "sites": sites})

"""A site configuration of three small sites that tests may change."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings as django_settings
from pytest_django import Settings

from portolan.sites.registry import Registry

PRODUCTS_REGISTRY: Final = django_settings.SITES_REGISTRY
"""The product's, even if a test changes the settings."""


@pytest.fixture(autouse=True)
def no_publisher(settings: Settings, tmp_path: Path) -> None:
    settings.WAKE_SOCKET = tmp_path / "publisher.sock"
    settings.BUILDS_DIR = tmp_path / "builds"


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

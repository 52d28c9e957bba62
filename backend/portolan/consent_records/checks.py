"""Warn at Django's start about sites whose country's law requires consent first, but that do not ask for it."""

from collections.abc import Sequence
from typing import Any, Final

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning, register

from ..sites.registry import Registry, Site

GRANTED_UNASKED: Final = "consent_records.W001"


def connect() -> None:
    register(check_profiles)


def check_profiles(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    return [
        Warning(
            f"The site {site.key} grants cookies for statistics and advertising before its visitors have agreed, which the law of its "
            f"country ({site.country}) does not allow.",
            hint=f'Set profile = "strict" in sites.{site.key}.consent of the registry. See docs/privacy.md.',
            id=GRANTED_UNASKED,
        )
        for site in find_unasking_sites()
    ]


def find_unasking_sites() -> list[Site]:
    """Return the configured sites that should have the profile ``strict`` but have ``spec``."""
    registry: Registry = settings.SITES_REGISTRY
    return registry.sites_granting_unasked()

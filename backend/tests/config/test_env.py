from typing import Any

import pytest

from portolan.config.env import Env
from portolan.domain.client_limits import ClientLimits
from portolan.sites.load import RegistryError


def test_local_is_one_persons_machine_and_is_not_held_to_public_limits() -> None:
    assert Env(environment="local").client_limits == ClientLimits(1000, 1000, 1000, 1000, 1000, 1000)
    limits = Env(environment="production").client_limits
    assert limits == ClientLimits(email=10, views=60, leads=5, lead_flood=60, consent=10, misses=240)


def test_a_given_limit_holds_everywhere_and_zero_is_given_too() -> None:
    for environment in ("local", "production"):
        limits = Env(environment=environment, email_limit_per_minute=3, lead_flood_per_minute=0).client_limits
        assert (limits.email, limits.lead_flood) == (3, 0)


def test_no_name_server_is_asked_where_none_is_configured() -> None:
    assert Env().name_servers is None
    assert Env(email_dns="system").name_servers == []
    assert Env(email_dns="192.0.2.1, [2001:db8::1]:5353").name_servers == [("192.0.2.1", 53), ("2001:db8::1", 5353)]


@pytest.mark.parametrize(
    "setting",
    [
        {"build_store": "ftp://company"},
        {"build_store": "s3://"},
        {"ray_address": "10.0.0.1"},
        {"ray_address": "http://10.0.0.1:6379"},
        {"ray_from_pages": 0},
        {"leads_storage": "gs://company"},
        {"email_dns": "dns.example"},
        {"cache_url": "memcached://localhost"},
        {"email_limit_per_minute": -1},
        {"preview_host": "https://preview.example.com"},
        {"preview_host": "preview"},
    ],
)
def test_a_setting_that_cannot_be_used_is_refused(setting: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="1 validation error"):
        Env(**setting)


def test_settings_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CACHE_URL", "redis://localhost:1/0")
    monkeypatch.setenv("PORTOLAN_VIEWS_WITHOUT_REPEATS", "true")
    monkeypatch.setenv("PORTOLAN_VIEWS_LIMIT_PER_MINUTE", "7")
    found = Env()
    assert (found.cache_url, found.views_without_repeats, found.client_limits.views) == (
        "redis://localhost:1/0",
        True,
        7,
    )


@pytest.mark.parametrize(
    ("given", "domain"),
    [
        ({}, "preview.localhost:8000"),
        ({"preview_host": ""}, ""),
        ({"environment": "production"}, ""),
        ({"environment": "production", "preview_host": "preview.example.com"}, "preview.example.com"),
    ],
)
def test_previews_are_reached_as_the_studio_is(given: dict[str, Any], domain: str) -> None:
    assert Env(**given).preview_domain == domain


def test_no_host_of_the_registry_is_a_preview() -> None:
    with pytest.raises(RegistryError, match=r"studio\.localhost would be a preview"):
        _ = Env(preview_host="studio.localhost").preview_domain

from django.core.checks import run_checks
from pytest_django import Settings

from portolan.consent_records.checks import GRANTED_UNASKED, find_unasking_sites
from portolan.sites.registry import Registry


def with_profile(registry: Registry, profile: str) -> Registry:
    raw = registry.model_dump(mode="json")
    for site in raw["sites"].values():
        site["consent"]["profile"] = profile
    return Registry.model_validate(raw)


def test_warns_of_sites_in_the_eea_and_the_uk_that_do_not_ask(settings: Settings) -> None:
    settings.SITES_REGISTRY = with_profile(settings.SITES_REGISTRY, "spec")
    assert [site.key for site in find_unasking_sites()] == ["uk", "de", "pl", "fr"]
    warnings = [message for message in run_checks() if message.id == GRANTED_UNASKED]
    assert len(warnings) == 4
    assert any("site uk" in warning.msg and "(gb)" in warning.msg for warning in warnings)
    assert all("strict" in (warning.hint or "") for warning in warnings)


def test_says_nothing_of_sites_that_ask(settings: Settings) -> None:
    settings.SITES_REGISTRY = with_profile(settings.SITES_REGISTRY, "strict")
    assert find_unasking_sites() == []
    assert not [message for message in run_checks() if message.id == GRANTED_UNASKED]

"""Sites of one language, and which sites have each other's pages."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from portolan.sites.groups import MAIN_GROUP, MOST_ALTERNATES
from portolan.sites.load import load_registry
from portolan.sites.locale_codes import locales_of
from portolan.sites.registry import Registry

ROOT = Path(__file__).resolve().parents[3]
US = {"language": "en-US", "hreflang": ["en-us"], "name": "United States", "endonym": "English"}
TWO_GROUPS: dict[str, dict[str, Any]] = {"outlets": {"alternates": False}, "brand": {"publisher": "own"}}

Make = Callable[..., Registry]


@pytest.fixture
def registry_of() -> Make:
    raw = load_registry(ROOT / "sites.toml").model_dump(mode="json")
    template = raw["sites"]["fr"]

    def make(groups: dict[str, Any] | None = None, **sites: dict[str, Any]) -> Registry:
        entries = {
            key: {
                **template,
                "key": key,
                "origins": {name: f"https://{key}.{name}.example" for name in raw["environments"]},
            }
            | changes
            for key, changes in ({"en": raw["sites"]["en"]} | sites).items()
        }
        return Registry.model_validate({**raw, "groups": groups or {}, "sites": entries})

    return make


@pytest.mark.parametrize(
    ("sites", "codes"),
    [
        ({"us": US}, {"en": "en", "us": "en-us"}),
        ({"us": US, "outlet": {**US, "group": "outlets"}}, {"en": "en", "us": "en-us", "outlet": "en-us-x-outlet"}),
        (
            {"brandatlanta": {**US, "group": "outlets"}, "us": US},
            {"en": "en", "brandatlanta": "en-us", "us": "en-us-x-us"},
        ),
        (
            {"us": US, "brandatlanta": {**US, "group": "outlets"}},
            {"en": "en", "us": "en-us", "brandatlanta": "en-us-x-brandatl-anta"},
        ),
        ({"int": {"language": "en", "group": "outlets"}}, {"en": "en", "int": "en-x-int"}),
    ],
)
def test_each_site_has_a_locale_of_its_own(
    registry_of: Make, sites: dict[str, dict[str, Any]], codes: dict[str, str]
) -> None:
    assert {key: locale.code for key, locale in locales_of(registry_of(TWO_GROUPS, **sites)).items()} == codes


def test_the_default_site_has_its_language_alone_wherever_it_stands(registry_of: Make) -> None:
    registry = registry_of(TWO_GROUPS, us=US, outlet={**US, "group": "outlets"})
    company = registry.company.model_copy(update={"default_site": "outlet"})
    codes = {key: locale.code for key, locale in locales_of(registry.model_copy(update={"company": company})).items()}
    assert codes == {"en": "en", "us": "en-us-x-us", "outlet": "en-us"}


def test_locales_that_editors_could_not_tell_apart_have_the_site_s_key(registry_of: Make) -> None:
    outlet = {**US, "group": "outlets"}
    found = locales_of(registry_of(TWO_GROUPS, us=US, outlet=outlet, other={**outlet, "name": "Other"}))
    labels = [locale.label for locale in found.values()]
    assert labels[1:] == ["English · United States (us)", "English · United States (outlet)", "English · Other"]


@pytest.mark.parametrize(
    ("site", "others"),
    [
        ("en", ["en", "us"]),
        ("us", ["en", "us"]),
        ("outlet", ["outlet"]),
        ("other", ["other"]),
        ("brand", ["brand", "fr"]),
    ],
)
def test_pages_are_alternates_within_a_group(registry_of: Make, site: str, others: list[str]) -> None:
    outlet = {**US, "group": "outlets"}
    brand = {**US, "group": "brand"}
    registry = registry_of(
        TWO_GROUPS, us=US, outlet=outlet, other=outlet, brand=brand, fr={"group": "brand", "hreflang": ["fr"]}
    )
    assert [each.key for each in registry.alternates_of(site)] == others
    assert registry.shared_groups == [MAIN_GROUP, "outlets"]
    assert registry.sites_of([MAIN_GROUP, "outlets"]) == ["en", "us", "outlet", "other"]
    assert registry.sites_of(["brand"]) == ["brand", "fr"]


@pytest.mark.parametrize(
    ("sites", "problem"),
    [
        (
            {"us": US, "outlet": US},
            "sites.outlet.hreflang: 'en-us' is already used by sites.us, but a page can have only one translation for it; give each "
            "its own, or another group",
        ),
        (
            {"us": {**US, "group": "shops"}},
            "sites.us.group: no group 'shops' (there are: outlets, brand); add [groups.shops], or use another",
        ),
        (
            {"us": {"hreflang": [f"en-{number}" for number in range(MOST_ALTERNATES + 1)], "group": "brand"}},
            f"groups.brand: has {MOST_ALTERNATES + 1} values of hreflang, which every page would list; use at most "
            f"{MOST_ALTERNATES}, and split the sites into several groups",
        ),
    ],
)
def test_what_a_group_cannot_have(registry_of: Make, sites: dict[str, dict[str, Any]], problem: str) -> None:
    with pytest.raises(ValueError, match="Value error") as caught:
        registry_of(TWO_GROUPS, **sites)
    assert problem in str(caught.value)

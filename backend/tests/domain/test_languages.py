import pytest

from portolan.domain.languages import LONGEST_HEADER, MOST_RANGES, SiteLanguages

LANGUAGES = {
    "en": "en",
    "uk": "en-GB",
    "de": "de-DE",
    "ae": "ar-AE",
    "az": "az-AZ",
    "kz": "ru-KZ",
    "pl": "pl-PL",
    "fr": "fr-FR",
}


@pytest.mark.parametrize(
    ("header", "site"),
    [
        ("ae", "ae"),
        (" KZ ", "kz"),
        ("uk", "uk"),
        ("uk-UA,uk;q=0.9", None),
        ("uk-UA,uk;q=0.9,pl;q=0.2", "pl"),
        ("de-DE,de;q=0.9", "de"),
        ("de-AT", "de"),
        ("de-CH-1996,en;q=0.1", "de"),
        ("en-GB", "uk"),
        ("en-US,en;q=0.9", "en"),
        ("ar", "ae"),
        ("ar-EG,en", "ae"),
        ("ru", "kz"),
        ("fr;q=0.3,pl;q=0.7", "pl"),
        ("fr;q=0,pl;q=0.1", "pl"),
        ("ja,zh-Hant-TW", None),
        ("*", None),
        ("", None),
        (",,;q=1", None),
        ("de;q=high,fr;q=0.1", "fr"),
        ("de;q=nan,fr;q=0.1", "fr"),
        ("-,--,de", "de"),
        ("de-x-harbour", "de"),
        ("de-" + "-".join(["harbour"] * 100), "de"),
        ("xx," * (MOST_RANGES - 1) + "de", "de"),
        ("xx," * MOST_RANGES + "de", None),
        ("de," + "x" * LONGEST_HEADER, None),
        (" " * LONGEST_HEADER + "de", None),
    ],
)
def test_the_header_chooses_the_site(header, site):
    assert SiteLanguages(LANGUAGES).by_language(header) == site


@pytest.mark.parametrize("header", ["zh", "zh-Hant", "zh-Hant-TW", "zh-Hant-HK", "zh-Hant-TW-x-harbour", "zh-TW"])
def test_a_site_is_found_by_the_beginning_of_its_tag(header):
    assert SiteLanguages({"en": "en", "tw": "zh-Hant-TW", "cn": "zh-Hans-CN"}).by_language(header) == "tw"


def test_without_a_language_the_host_decides_and_without_both_the_specification():
    sites = SiteLanguages(LANGUAGES)
    assert sites.choose("sv", "pl") == "pl"
    assert sites.choose("fr", "pl") == "fr"
    assert sites.choose("", None) == "ae"
    assert SiteLanguages({"en": "en", "de": "de-DE"}).choose("", None) == "en"


@pytest.mark.parametrize(
    ("header", "host", "site"),
    [
        ("en-US", "outlet", "outlet"),
        ("en-US,en;q=0.9", "shop", "shop"),
        ("en-US", "de", "us"),
        ("en-US", None, "us"),
        ("en", "outlet", "outlet"),
        ("us", "outlet", "us"),
        ("OUTLET", "us", "outlet"),
        ("de", "outlet", "de"),
        ("sv", "outlet", "outlet"),
    ],
)
def test_of_sites_in_one_language_the_host_s_answers_else_the_first(header, host, site):
    sites = SiteLanguages({"us": "en-US", "outlet": "en-US", "de": "de-DE", "shop": "en-US"})
    assert sites.choose(header, host) == site


@pytest.mark.parametrize("size", [10, LONGEST_HEADER, 15_000, 120_000])
@pytest.mark.parametrize("unit", ["xx-", "x-", "-", ",", "xx,", ";", "de;q=1;", "x", "xx-yy-zz-aa,", "de-x-,"])
def test_no_header_costs_more_than_an_ordinary_one(unit, size):
    header = (unit * size)[:size]
    looked_up = list(SiteLanguages(LANGUAGES).candidates(header))
    assert len(looked_up) <= 2 * MOST_RANGES  # our tags have two subtags at most
    assert sum(map(len, looked_up)) <= 2 * LONGEST_HEADER

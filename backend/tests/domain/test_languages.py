import pytest

from portolan.domain.languages import choose_site_by_language

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
    ],
)
def test_the_header_chooses_the_site(header, site):
    assert choose_site_by_language(header, LANGUAGES) == site

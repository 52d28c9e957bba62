"""Detect a text in another language than its site's. An unclear text gives no warning."""

import pytest

from portolan.domain.text_language import find_foreign_language, name_language

ENGLISH = "We build the software that ports and clinics work with, and we run it for as long as it is needed."
GERMAN = "Wir bauen die Software, mit der Häfen und Kliniken arbeiten, und betreiben sie, solange sie gebraucht wird."
POLISH = "Tworzymy oprogramowanie, z którego korzystają porty i kliniki, i dbamy o nie tak długo, jak jest potrzebne."


@pytest.mark.parametrize(
    ("texts", "language", "found"),
    [
        ([ENGLISH], "de-DE", "en"),
        ([ENGLISH], "ar-AE", "en"),
        ([ENGLISH], "en-GB", None),
        ([GERMAN], "de-DE", None),
        ([GERMAN], "en", "de"),
        ([POLISH], "de-DE", "pl"),
        ([GERMAN, ENGLISH], "de-DE", "en"),
        (["What we", "do for you", "and how it", "is done by us"], "de-DE", "en"),
        (["Contact us"], "de-DE", None),
        (
            ["Northwind Port Authority, Lumen Clinic Network, Harrowgate Bank, Kestrel Freight, Alder Grid"],
            "de-DE",
            None,
        ),
        (["const port = await open(8000); if (port.isFree) return port.number;"], "de-DE", None),
        (
            ["Mit Continuous Delivery, Infrastructure as Code und Feature Flags gehen wir zweimal am Tag live."],
            "de-DE",
            None,
        ),
        ([ENGLISH], "kk-KZ", "en"),
        ([ENGLISH], "tr-TR", None),
    ],
    ids=lambda value: value[0][:24] if isinstance(value, list) else str(value),
)
def test_only_what_is_plainly_in_another_language_is_found(texts: list[str], language: str, found: str | None) -> None:
    assert find_foreign_language(texts, language) == found


def test_a_language_without_a_name_is_called_by_its_tag() -> None:
    assert (name_language("en-GB"), name_language("tr")) == ("English", "tr")

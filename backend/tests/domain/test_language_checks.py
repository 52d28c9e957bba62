"""Warnings about the language of texts: sure mistakes are found, and correct texts of seven languages have none."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from portolan.domain.language_checks import check_text, find_foreign_sentences, find_untranslated, gather_sentences
from portolan.domain.text_places import read_segments

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "fixtures" / "demo"
SITES = tomllib.loads((ROOT / "sites.toml").read_text("utf-8"))["sites"]
LANGUAGES = {key: site["language"] for key, site in SITES.items()}
WITHOUT_ACCENTS = (
    "Tworzymy oprogramowanie, z ktorego korzystaja porty i kliniki, a nasi ludzie dbaja o nie tak dlugo, jak jest to "
    "potrzebne. To jest nasza praca od lat i to sie nie zmieni, bo na tym polega nasze zadanie."
)


@pytest.mark.parametrize(
    ("language", "text", "rule", "instead"),
    [
        ("pl", WITHOUT_ACCENTS, "missing-letters", ""),
        ("de", "Das ist fuer Sie.", "spelling", "für"),
        ("de", "FUER SIE", "spelling", "FÜR"),
        ("de", "Ausserdem: die Loesung", "spelling", "Außerdem"),
        ("fr", "Les donnees de la mer", "spelling", "données"),
        ("pl", "To sie uda", "spelling", "się"),
        ("kk", "Біз жане сіз", "spelling", "және"),
        ("az", "Biz ve siz", "spelling", "və"),
        ("ru", "Наша cистема", "mixed-alphabets", "система"),
        ("kk", "сурет c мәтін", "mixed-alphabets", "с мәтін"),
        ("de", "Unser Pоrtal", "mixed-alphabets", "Portal"),
        ("ar", "نظام sysنظام", "mixed-alphabets", ""),
        ("de", 'Er sagt "Ja" dazu.', "quotation-marks", "„Ja“"),
        ("de", "Er sagt “Ja” dazu.", "quotation-marks", "„Ja“"),
        ("en", "He says „yes“ to it.", "quotation-marks", "“yes”"),
        ("fr", "Il dit „oui“ à tout.", "quotation-marks", "«\u202foui\u202f»"),
        ("pl", "Mówi “tak” na to.", "quotation-marks", "„tak”"),
        ("kk", 'Ол "иә" дейді.', "quotation-marks", "«иә»"),
        ("ar", 'قال "نعم" لنا.', "quotation-marks", "«نعم»"),
        ("de", "1,000.50 €", "number-format", "1.000,50"),
        ("de", "über 3.5 Millionen", "number-format", "3,5"),
        ("de", "1,000,000 Container", "number-format", "1.000.000"),
        ("en", "1.000.000 containers", "number-format", "1,000,000"),
        ("fr", "12 500 conteneurs", "number-format", "12\u202f500"),
        ("pl", "12 500 kontenerów", "number-format", "12\u00a0500"),
    ],
)
def test_a_sure_mistake_is_found(language: str, text: str, rule: str, instead: str) -> None:
    found = [(correction.rule, correction.instead) for correction in check_text(text, language)]
    assert (rule, instead) in found


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Die Firma Ueberseehafen ist in Moers. NEUE OSS."),
        ("de-CH", "Ausserdem «gut» und „so“."),
        ("de", 'Ein Brett von 5" und eine Version 1.20.3, IP 10.0.0.100, Tel. 030 123 456, am 1.2.2026'),
        ("de", "1,140 ist hier eine Dezimalzahl, 1.140 eine ganze."),
        ("de", "x.example/fuer-alle und fuer@haus.example"),
        ("kk", "DevOpsқа және SAPтан"),
        ("ar", "منصة الـAPI وواجهة"),
        ("fr-CH", "Il dit «oui» à tout."),
        ("pl", "Hotel i bar. OK."),
        ("tr", '"Evet" der'),
    ],
)
def test_a_name_a_version_and_other_countries_are_left_alone(language: str, text: str) -> None:
    assert check_text(text, language) == []


def test_a_sentence_in_another_language_is_found_and_a_quotation_is_not() -> None:
    german = "Wir bauen Software für Häfen. {} Das ist alles, und es ist nicht wenig."
    english = "We run it for as long as it is needed by you."
    found = find_foreign_sentences(german.format(english), "de-DE")
    assert [(correction.found, correction.instead) for correction in found] == [(english, "en")]
    assert find_foreign_sentences(german.format(f"„{english}“"), "de-DE") == []


def test_a_sentence_of_the_original_is_found_and_a_name_is_not() -> None:
    original = gather_sentences(["We run the software. Port of Example", "Talk to us about it"])
    own = "Reden wir darüber. Talk to us about it. Port of Example"
    assert [one.found for one in find_untranslated(own, "de-DE", original, "en-GB")] == ["Talk to us about it."]
    assert list(find_untranslated(own, "en-US", original, "en-GB")) == []


@pytest.mark.parametrize("site", sorted(path.name for path in DEMO.iterdir() if path.name in LANGUAGES))
def test_the_demo_has_no_warning(site: str) -> None:
    language = LANGUAGES[site]
    for file in sorted((DEMO / site).rglob("*.toml")):
        segments = list(_segments(tomllib.loads(file.read_text("utf-8"))))
        found = [
            one for text in segments for one in (*check_text(text, language), *find_foreign_sentences(text, language))
        ]
        original = DEMO / "en" / file.relative_to(DEMO / site)
        if original.exists() and site != "en":
            others = gather_sentences(_segments(tomllib.loads(original.read_text("utf-8"))))
            found += (one for text in segments for one in find_untranslated(text, language, others, LANGUAGES["en"]))
        assert found == [], f"{file.relative_to(ROOT)}: {found}"


@pytest.mark.parametrize("piece", ['"„“”«»', "1,000.", "a.b", "1 000 ", "cи", "<b", "“a. "])
def test_a_long_text_takes_time_in_proportion_to_its_length(piece: str) -> None:
    def measure(length: int) -> float:
        text = piece * (length // len(piece))
        started = process_time()
        for segment in read_segments(text):
            for language in ("de", "kk", "fr"):
                check_text(segment, language)
                find_foreign_sentences(segment, language)
        return process_time() - started

    measure(1_000)
    assert measure(40_000) < 8 * max(measure(10_000), 0.02)


def _segments(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from read_segments(value) if "<" in value else (line for line in value.split("\n") if " " in line)
    elif isinstance(value, list):
        for part in value:
            yield from _segments(part)
    elif isinstance(value, dict):
        for name, part in value.items():
            if name != "code":
                yield from _segments(part)

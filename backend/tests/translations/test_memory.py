"""The translation memory: equal and similar texts, the pairs that are stored, and the time of a search."""

from collections.abc import Callable, Mapping
from time import process_time
from typing import Any

import pytest
from django.contrib.auth import get_user_model

from portolan.content.models import ServicePage
from portolan.translations.memory import LEAST_PERCENT, find_matches, remember
from portolan.translations.models import MemoryEntry, MemoryKey
from portolan.translations.remembering import fill_memory

pytestmark = pytest.mark.django_db

LANGUAGES = "en>de"
SENTENCE = "We build software for banks that have to work every day of the year"


@pytest.mark.parametrize(
    ("text", "percent"),
    [
        (SENTENCE, 100),
        (f"<p>{SENTENCE}</p>", 99),
        (SENTENCE.replace("software", "applications"), 92),
        (SENTENCE.replace("every day of the year", "without any interruption"), None),
        ("We build cars", 80),
        ("…", None),
        ("", None),
    ],
)
def test_equal_and_similar_texts_are_found(text: str, percent: int | None) -> None:
    remember(LANGUAGES, [(SENTENCE, "Software für Banken"), ("We build", "Wir bauen"), ("Same", "Same"), ("1", "eins")])
    found = [match.percent for match in find_matches(LANGUAGES, [text])[text]] if text else []
    assert found == ([percent] if percent else [])
    assert find_matches("en>fr", [SENTENCE])[SENTENCE] == []


def test_equal_pairs_are_stored_once_and_the_newest_comes_first() -> None:
    for text in ("Alt", "Neu", "Alt"):
        remember(LANGUAGES, [("Old and new", text)])
    assert [match.text for match in find_matches(LANGUAGES, ["Old and new"])["Old and new"]] == ["Alt", "Neu"]
    assert (MemoryEntry.objects.count(), MemoryKey.objects.count()) == (2, 6)


def test_a_published_translation_is_remembered(
    homes: Mapping[str, Any], add_page: Callable[..., Any], django_capture_on_commit_callbacks: Any
) -> None:
    english = add_page(homes["en"], ServicePage, "web", title="Websites")
    own = {"locale": homes["de"].locale, "translation_key": english.translation_key}
    german = add_page(homes["de"], ServicePage, "web", title="Netzauftritte", **own)
    user = get_user_model().objects.create_superuser("mira")
    for by, known in ((None, []), (user, ["Netzauftritte"])):
        with django_capture_on_commit_callbacks(execute=True):
            german.save_revision().publish(user=by)
        assert [match.text for match in find_matches(LANGUAGES, ["Websites"])["Websites"]] == known
    MemoryEntry.objects.all().delete()
    fill_memory()
    assert [match.text for match in find_matches(LANGUAGES, ["Websites"])["Websites"]] == ["Netzauftritte"]


def test_a_search_reads_a_bounded_number_of_entries() -> None:
    """In 2,000 entries that differ in one word."""
    remember(LANGUAGES, [(f"{SENTENCE} number{place}", f"Text {place}") for place in range(2000)])
    texts = [f"{SENTENCE} number{place} again" for place in range(40)]
    began = process_time()
    found = find_matches(LANGUAGES, texts)
    assert process_time() - began < 2
    assert all(found[text][0].percent >= LEAST_PERCENT for text in texts)

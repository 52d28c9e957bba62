"""Which terms of the glossary a text contains, and which its translation lacks."""

import pytest

from portolan.translations.glossary import find_missing, find_terms, mark_terms
from portolan.translations.models import GlossaryTerm

TERMS = [
    GlossaryTerm(term="dedicated team", translation="eigenes Team"),
    GlossaryTerm(term="Portolan", is_kept=True),
    GlossaryTerm(term="C++", is_kept=True),
    GlossaryTerm(term="team", translation="Team"),
]


@pytest.mark.parametrize(
    ("text", "translation", "found", "missing"),
    [
        ("A Dedicated Team", "Ein eigenes Team", ["dedicated team"], []),
        ("Our team and your dedicated team", "Unser Team", ["team", "dedicated team"], ["dedicated team"]),
        ("Teams of portolan", "Teams von Portolan", ["Portolan"], []),
        ("We write C++ well", "Wir schreiben C", ["C++"], ["C++"]),
        ("steamed", "gedämpft", [], []),
        ("", "", [], []),
    ],
)
def test_terms(text: str, translation: str, found: list[str], missing: list[str]) -> None:
    terms = find_terms(text, TERMS)
    assert [term.term for term in terms] == found
    assert [term.term for term in find_missing(translation, terms)] == missing


def test_terms_are_marked_outside_of_tags() -> None:
    html = '<p class="team">Our team &amp; C++</p>'
    assert mark_terms(html, TERMS) == '<p class="team">Our <mark>team</mark> &amp; <mark>C++</mark></p>'

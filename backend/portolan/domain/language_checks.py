"""Check texts by the rules of their language: letters, quotation marks, numbers and untranslated remains.

Each result is a warning for an editor. A rule that is unsure finds nothing, because a false warning costs trust.
The languages are those of the sites: Arabic, Azerbaijani, English, French, German, Kazakh, Polish and Russian. Other
languages have the checks that need no rule of the language.
"""

from collections.abc import Iterable, Iterator, Set
from itertools import chain
from typing import Final

from .language_letters import check_letters
from .language_marks import check_marks, find_quoted
from .language_numbers import check_numbers
from .text_language import find_foreign_language, list_function_words
from .text_places import Correction, list_words, prepare, shorten, split_sentences

_FEWEST_FUNCTION_WORDS: Final = 3
_MARKS: Final = ".,:;!?…·–—-\"„“”«»'’()،؛؟ \u00a0\u202f"


def check_text(text: str, language: str) -> list[Correction]:
    """Return the corrections of a plain text in ``language`` (a tag), in the order of the rules.

    >>> [correction.instead for correction in check_text("Wir sind fuer Sie da: 1,000.50 €", "de-DE")]
    ['für', '1.000,50']
    """
    prepared = prepare(text)
    checks = check_letters(prepared, language), check_marks(prepared, language)
    return list(chain(*checks, check_numbers(prepared, language)))


def find_foreign_sentences(text: str, language: str) -> list[Correction]:
    """Return the sentences in a clearly different language. Quotations are left out."""
    return [
        Correction("foreign-sentence", shorten(sentence), found)
        for sentence in split_sentences(_without_quoted(prepare(text)))
        if (found := _find_foreign(sentence, language))
    ]


def gather_sentences(texts: Iterable[str]) -> frozenset[str]:
    """Return the sentences of an original, for ``find_untranslated``."""
    return frozenset(_plain(sentence) for text in texts for sentence in split_sentences(text))


def find_untranslated(text: str, language: str, originals: Set[str], source_language: str) -> Iterator[Correction]:
    """Yield the sentences of ``text`` that are equal to one of ``originals``.

    Names, addresses and lists of terms are the same in both languages, so the sentence needs function words of the
    source's language.
    """
    if _primary(language) == _primary(source_language):
        return
    known = list_function_words(source_language) - list_function_words(language)
    for sentence in split_sentences(text) if originals else ():
        if _plain(sentence) in originals and _is_sentence(sentence, known):
            yield Correction("untranslated", shorten(sentence))


def _find_foreign(sentence: str, language: str) -> str:
    """Return the other language of one sentence. It must have three of its words, and none of the site's language."""
    other = find_foreign_language([sentence], language) or ""
    words = {word.lower() for word in list_words(sentence)}
    own, known = list_function_words(language), list_function_words(other)
    return other if len(words & known - own) >= _FEWEST_FUNCTION_WORDS and words.isdisjoint(own - known) else ""


def _is_sentence(text: str, known: frozenset[str]) -> bool:
    words = list_words(text)
    function_words = sum(word.lower() in known for word in words)
    small = sum(word[0].islower() or word.lower() in known for word in words)
    is_long = len(words) >= 4 and function_words >= 1
    return (is_long or (len(words) == 3 and function_words >= 2)) and small * 2 >= len(words)


def _plain(sentence: str) -> str:
    return " ".join(sentence.strip(_MARKS).casefold().split())


def _without_quoted(text: str) -> str:
    parts, end = [], 0
    for start, after in find_quoted(text):
        parts.append(text[end:start])
        end = after
    return "".join([*parts, text[end:]])


def _primary(tag: str) -> str:
    return tag.partition("-")[0].lower()

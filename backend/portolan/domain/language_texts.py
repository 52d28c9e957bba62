"""Describe the warnings about the language of a text: the place, the rule, and the text to write."""

from collections.abc import Mapping
from typing import Final

from .language_letters import NEEDED_LETTERS
from .problems import UnusualText
from .text_language import name_language
from .words import Translate, mark

_WRITE: Final = mark("Write {instead}")
_WORDS: Final[Mapping[str, tuple[str, str, str]]] = {
    "missing-letters": (
        mark("has a long text without any letter of its own alphabet: “{found}”"),
        mark("and {language} needs letters such as {letters}"),
        mark("Type the letters with their accents"),
    ),
    "spelling": (mark("has “{found}”"), mark("which {language} spells with its own letters"), _WRITE),
    "mixed-alphabets": (
        mark("has “{found}”, which mixes two alphabets"),
        mark("so search does not find the word"),
        _WRITE,
    ),
    "untranslated": (
        mark("has “{found}”"),
        mark("which is also the text of the original page"),
        mark("Translate it, unless it is a name"),
    ),
    "foreign-sentence": (
        mark("has the sentence “{found}”"),
        mark("which is in {other}"),
        mark("Translate it, unless the language is intended"),
    ),
    "quotation-marks": (mark("has {found}"), mark("and {language} uses other quotation marks"), _WRITE),
    "number-format": (
        mark("has the number {found}"),
        mark("and {language} writes numbers differently"),
        mark("Write {instead} (a space in it is a no-break space)"),
    ),
}
_IN_ONE_ALPHABET: Final = mark("Type the whole word with one keyboard layout")
_ISOLATE: Final = "\u2068{}\u2069"
"""Keeps Arabic and Latin texts of a message in order."""


def word_correction(detail: UnusualText, translate: Translate) -> tuple[str, str, str]:
    """Return the three parts of a warning: the place, the rule, and the correction."""
    what, why, fix = _WORDS.get(detail.rule, _WORDS["spelling"])
    if detail.rule == "mixed-alphabets" and not detail.instead:
        fix = _IN_ONE_ALPHABET
    if detail.rule == "number-format" and not any(space in detail.instead for space in "\u00a0\u202f"):
        fix = _WRITE
    letters, _ = NEEDED_LETTERS.get(detail.language.partition("-")[0], ("", 0))
    values = {
        "found": _ISOLATE.format(detail.found),
        "instead": _ISOLATE.format(detail.instead),
        "language": translate(name_language(detail.language)),
        "other": translate(name_language(detail.instead)) if detail.rule == "foreign-sentence" else "",
        "letters": " ".join(letters[:4]),
    }
    said, reason, advice = (translate(part).format(**values) for part in (what, why, fix))
    if detail.more:
        said += translate(" (and {count} more in this field)").format(count=detail.more)
    return said, reason, advice

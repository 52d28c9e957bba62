"""Suggestions for the translation of a text. Each provider returns its own; the editor shows them in their order."""

from collections.abc import Callable, Mapping, Sequence
from html import unescape
from typing import Final, NamedTuple

from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from wagtail.admin.compare import diff_text

from ...translations.memory import find_matches
from ...translations.side_by_side import TextPair
from ...translations.sources import memory_languages

_ENDS: Final = ("</p>", "</li>", "<br/>", "</h2>", "</h3>", "</h4>")


class Suggestion(NamedTuple):
    text: str
    """As it is stored; rich texts with their tags."""
    origin: str
    """Shown to the translator: ``Memory, 87 %``."""
    changes: SafeString | str = ""
    """What differs between the source of the suggestion and the text to translate; empty if they are equal."""

    @property
    def words(self) -> str:
        return words_of(self.text)


def list_suggestions(site: str, texts: Sequence[TextPair]) -> Mapping[str, list[Suggestion]]:
    """Return the suggestions for texts by path of the original."""
    found: dict[str, list[Suggestion]] = {}
    for provider in PROVIDERS:
        for path, suggestions in provider(site, texts).items():
            found.setdefault(path, []).extend(suggestions)
    return found


def mark_changes(before: str, after: str) -> SafeString:
    """Return the words of ``after`` with added and removed ones marked."""
    marked: SafeString = diff_text(words_of(before), words_of(after)).to_html()
    return marked


def words_of(text: str) -> str:
    """Return a text without its tags."""
    for end in _ENDS:
        text = text.replace(end, f"{end} ")
    return unescape(strip_tags(text)).strip()


def _from_memory(site: str, texts: Sequence[TextPair]) -> Mapping[str, list[Suggestion]]:
    languages = memory_languages(site)
    if languages is None:
        return {}
    matches = find_matches(languages, [pair.source for pair in texts if pair.source])
    return {
        pair.path: [
            Suggestion(
                match.text,
                _("Memory, {percent} %").format(percent=match.percent),
                mark_changes(match.source, pair.source) if match.percent < 100 else "",
            )
            for match in matches.get(pair.source, ())
            if match.text != pair.place.text
        ]
        for pair in texts
    }


PROVIDERS: Final[Sequence[Callable[[str, Sequence[TextPair]], Mapping[str, list[Suggestion]]]]] = (_from_memory,)

"""Find warnings about the language of texts: letters, quotation marks, numbers, untranslated sentences.

Each warning names its field. ``warnings`` finds texts that are wholly in another language.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, Final, NamedTuple

from ...content.items import PAGE, ItemKey
from ...domain.language_checks import check_text, find_foreign_sentences, find_untranslated, gather_sentences
from ...domain.problems import Block, Problem, Subject, UnusualText
from ...domain.text_language import find_foreign_language
from ...domain.text_places import Correction, read_segments
from ...releases.reader import ItemId
from ...sites.registry import Site
from ..newest_release import newest_release

_NO_TEXT: Final = frozenset({"id", "type", "tone", "anchor", "path", "template", "parent", "key", "slug"})
_BODY_FIELDS: Final = ("title", "head", "fields")


class FieldText(NamedTuple):
    """The text of one field."""

    subject: Subject
    segments: list[str]


def find_language_warnings(
    key: ItemKey, body: Mapping[str, Any], title: str, site: Site, source: Site
) -> list[Problem]:
    """Return the warnings of one item on its site. ``source``: the site whose texts are translated."""
    subject = Subject(*key, title, str(body.get("path", "")))
    originals = _read_originals(key, site, source)
    return [
        problem
        for text in list_texts(body, subject)
        for problem in _gather(
            text.subject,
            (one for segment in text.segments for one in _check(segment, site.language, originals, source.language)),
            site.language,
        )
    ]


def list_texts(body: Mapping[str, Any], subject: Subject) -> Iterator[FieldText]:
    """Yield the texts of a page, a card, an entry, a menu or a footer, each with its field."""
    if subject.kind != PAGE:
        value = body.get("value", body)
        yield from _walk(value, subject, "")
        return
    for name in _BODY_FIELDS:
        if name in body:
            yield from _walk(body[name], subject, name)
    for number, block in enumerate(body["blocks"], start=1):
        yield from _walk(block, subject._replace(block=Block(block["id"], number, block["type"])), "")


def _walk(value: Any, subject: Subject, path: str) -> Iterator[FieldText]:
    if isinstance(value, str):
        # A single word may be the name of a choice, such as a colour. Its letters can still be checked.
        segments = [line for line in value.split("\n") if " " in line or line.isalpha()]
        if segments:
            yield FieldText(subject._replace(field=path), segments)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _walk(part, subject, f"{path}.{number}")
    elif isinstance(value, Mapping) and "$verbatim" not in value:
        if "$html" in value:
            yield FieldText(subject._replace(field=path), read_segments(value["$html"]))
            return
        for name, part in value.items():
            if not name.startswith("$") and name not in _NO_TEXT:
                yield from _walk(part, subject, f"{path}.{name}" if path else name)


def _check(segment: str, language: str, originals: Set[str], source_language: str) -> Iterator[Correction]:
    yield from check_text(segment, language)
    if find_foreign_language([segment], language):
        return  # ``warnings`` finds it
    same = list(find_untranslated(segment, language, originals, source_language))
    yield from same
    quoted = {correction.found for correction in same}
    yield from (one for one in find_foreign_sentences(segment, language) if one.found not in quoted)


def _read_originals(key: ItemKey, site: Site, source: Site) -> Set[str]:
    """Return the sentences of the item on the source site, as they are live."""
    if site.key == source.key:
        return frozenset()
    release = newest_release()
    original = release and release.body(ItemId(source.key, key.kind, key.key))
    texts = list_texts(original, Subject(source.key, key.kind, key.key)) if original else ()
    return gather_sentences(segment for text in texts for segment in text.segments)


def _gather(subject: Subject, corrections: Iterable[Correction], language: str) -> Iterator[Problem]:
    """Yield one problem for each rule, with its first place and the number of others."""
    by_rule: dict[str, list[Correction]] = {}
    for correction in corrections:
        by_rule.setdefault(correction.rule, []).append(correction)
    for rule, same in by_rule.items():
        first = same[0]
        yield Problem(subject, UnusualText(rule, first.found, first.instead, language, len(same) - 1))

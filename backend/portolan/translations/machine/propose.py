"""Propose translations of single texts by the configured service. Nothing is stored."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ..exchange.inline import Code, join, split
from ..segments import Kind, count_words
from .protect import protect, restore
from .providers import NoTranslation, Provider, open_provider

_MOST_TEXTS: Final = 25
_MOST_CHARACTERS: Final = 20_000
"""Of one request. A longer text is not translated."""


class Words(NamedTuple):
    """A text to translate, as it is stored."""

    text: str
    kind: Kind = "plain"


class Proposal(NamedTuple):
    text: str
    """Empty if there is none."""
    problem: str = ""
    """Why there is none, as a sentence."""


def propose(
    texts: Sequence[Words], source_language: str, target_language: str, provider: Provider | None = None
) -> list[Proposal]:
    """Return a translation of each text, in the same order. Raise NoTranslation if the service does not respond.

    Code, placeholders, tags and links stay as they are. Texts without words get an empty proposal.
    """
    service = provider or open_provider()
    found = [Proposal("")] * len(texts)
    wanted: dict[int, tuple[list[str | Code], str]] = {}
    for number, (text, kind) in enumerate(texts):
        parts = split(text, kind)
        if kind == "verbatim" or not any(count_words(part) for part in parts if isinstance(part, str)):
            continue
        if len(written := protect(parts)) > _MOST_CHARACTERS:
            found[number] = Proposal("", "The text is too long for the translation service.")
        else:
            wanted[number] = parts, written
    for numbers in _in_requests({number: len(written) for number, (_, written) in wanted.items()}):
        replies = service.translate([wanted[number][1] for number in numbers], source_language, target_language)
        if len(replies) != len(numbers):
            raise NoTranslation(
                f"{service.name} returned {len(replies)} texts for {len(numbers)}. Nothing more was translated."
            )
        for number, reply in zip(numbers, replies, strict=True):
            found[number] = _read(reply, wanted[number][0], texts[number].kind)
    return found


def _read(reply: str, parts: Sequence[str | Code], kind: Kind) -> Proposal:
    restored = restore(reply, parts)
    if restored is None or not any(isinstance(part, str) and part.strip() for part in restored):
        return Proposal("", "The service damaged links or placeholders of the text.")
    return Proposal(join(restored, kind))


def _in_requests(sizes: dict[int, int]) -> Iterator[list[int]]:
    """Yield the numbers of texts for each request."""
    some: list[int] = []
    characters = 0
    for number, size in sizes.items():
        if some and (len(some) == _MOST_TEXTS or characters + size > _MOST_CHARACTERS):
            yield some
            some, characters = [], 0
        some.append(number)
        characters += size
    if some:
        yield some

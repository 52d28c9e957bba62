"""Write texts and blocks of the comparison. Random numbers are drawn in a fixed order, so that a seed gives the same site."""

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from .words import COUNTRIES, WORDS

PICTURES: Final = 12
ICONS: Final = ("cloud", "phone", "gear", "chart")
_WEIGHTS: Final = tuple(accumulate(1.0 / (rank + 3) ** 0.7 for rank in range(len(WORDS))))


class PageLink(NamedTuple):
    path: str
    title: str


class Writer:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311  (content, not secrets)

    def words(self, count: int) -> list[str]:
        return self.random.choices(WORDS, cum_weights=_WEIGHTS, k=count)

    def sentence(self, shortest: int = 9, longest: int = 20) -> str:
        text = " ".join(self.words(self.random.randint(shortest, longest)))
        return f"{text[0].upper()}{text[1:]}."

    def title(self, shortest: int = 4, longest: int = 8) -> str:
        words = self.words(self.random.randint(shortest, longest))
        return " ".join(word.capitalize() if len(word) > 3 else word for word in words)

    def paragraph(self, sentences: int) -> str:
        return " ".join(self.sentence() for _ in range(sentences))

    def picture(self) -> dict[str, str]:
        number = self.random.randint(1, PICTURES)
        return {"alt": self.title(3, 5), "base": f"/img/p{number:02d}"}

    def rich_text(self, links: Sequence[PageLink]) -> str:
        """Return a text of about 300 words."""
        parts = []
        for index in range(4):
            if index % 2 == 0:
                parts.append(f"<h3>{self.title()}</h3>")
            link = self.random.choice(links)
            parts.append(f'<p>{self.paragraph(4)} <a href="{link.path}">{link.title}</a> {self.sentence(6, 10)}</p>')
        parts.append(f"<ul>{''.join(f'<li>{self.sentence(5, 9)}</li>' for _ in range(4))}</ul>")
        return "".join(parts)


def write_block(writer: Writer, kind: str, links: Sequence[PageLink], cases: Sequence[PageLink]) -> dict[str, Any]:
    number = writer.random.randrange(16**6)
    own = {"type": kind, "id": f"{kind}-{number:06x}", "title": writer.title()}
    return own | _PARTS[kind](writer, links, cases)


_Part = Callable[[Writer, Sequence[PageLink], Sequence[PageLink]], dict[str, Any]]


def _hero(writer: Writer, _links: object, _cases: object) -> dict[str, Any]:
    return {
        "text": writer.paragraph(2),
        "img": writer.picture(),
        "cta": {"title": "Contact us", "url": "/contact-us/"},
    }


def _stats(writer: Writer, _links: object, _cases: object) -> dict[str, Any]:
    values = ("3500+", "1000+", "16", f"{writer.random.randint(80, 99)}%")
    return {"items": [{"value": value, "label": writer.title(2, 4)} for value in values]}


def _cards(writer: Writer, links: Sequence[PageLink], _cases: object) -> dict[str, Any]:
    choose = writer.random.choice
    return {
        "items": [
            {
                "title": writer.title(2, 4),
                "text": writer.paragraph(2),
                "url": choose(links).path,
                "icon": choose(ICONS),
            }
            for _ in range(choose((3, 6)))
        ]
    }


def _logos(writer: Writer, _links: object, _cases: object) -> dict[str, Any]:
    return {"items": [{"name": writer.title(1, 2), "url": "/img/logo.svg"} for _ in range(8)]}


def _testimonials(writer: Writer, _links: object, _cases: object) -> dict[str, Any]:
    return {
        "items": [
            {
                "quote": writer.paragraph(3),
                "name": writer.title(2, 2),
                "role": writer.title(2, 3),
                "img": writer.picture(),
            }
            for _ in range(3)
        ]
    }


def _faq(writer: Writer, _links: object, _cases: object) -> dict[str, Any]:
    return {"items": [{"q": f"{writer.title(6, 10)}?", "a": writer.paragraph(3)} for _ in range(6)]}


def _rich_text(writer: Writer, links: Sequence[PageLink], _cases: object) -> dict[str, Any]:
    return {"html": writer.rich_text(links)}


def _case_teasers(writer: Writer, _links: object, cases: Sequence[PageLink]) -> dict[str, Any]:
    return {
        "items": [
            {
                "title": case.title,
                "url": case.path,
                "text": writer.paragraph(1),
                "tags": writer.words(3),
                "img": writer.picture(),
            }
            for case in writer.random.sample(cases, min(3, len(cases)))
        ]
    }


def _form(writer: Writer, _links: object, _cases: object) -> dict[str, Any]:
    return {"text": writer.paragraph(1), "action": "/api/integration/form-data", "countries": list(COUNTRIES)}


_PARTS: Final[Mapping[str, _Part]] = {
    "hero": _hero,
    "stats": _stats,
    "cards": _cards,
    "logos": _logos,
    "testimonials": _testimonials,
    "faq": _faq,
    "richtext": _rich_text,
    "caseTeasers": _case_teasers,
    "form": _form,
}

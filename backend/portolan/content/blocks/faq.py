"""FAQ: questions whose answers open in place, with native ``<details>``."""

from typing import Literal

from ...shapes.base import BlockData, Shape


class Question(Shape):
    question: str
    answer: str
    """Clean HTML."""


class FaqData(BlockData):
    type: Literal["faq"] = "faq"
    title: str
    questions: list[Question]
    """1..20."""

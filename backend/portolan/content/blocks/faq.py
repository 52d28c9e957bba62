"""FAQ: questions whose answers open in place, with native ``<details>``."""

from typing import Literal

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.base import BlockData, Schema
from .base import HtmlBlock, LineBlock, SiteBlock


class Question(Schema):
    question: str
    answer: str
    """Clean HTML."""


class FaqData(BlockData):
    type: Literal["faq"] = "faq"
    title: str
    questions: list[Question]
    """1..20."""


class QuestionBlock(blocks.StructBlock):
    question = LineBlock(max_length=160)
    answer = HtmlBlock(features=["bold", "italic", "ol", "ul", "link"])

    class Meta:
        label = _("Question")
        label_format = "{question}"


class FaqBlock(SiteBlock):
    Data = FaqData
    EXAMPLES = {
        "default": {
            "title": "Questions we hear often",
            "questions": [
                {
                    "question": "How soon can a team start?",
                    "answer": "<p>Two to four weeks after we agree on the scope. If it burns, "
                    '<a linktype="page" id="1">write to us</a> and say so.</p>',
                },
                {
                    "question": "Who owns the code?",
                    "answer": "<p>You do, from the first commit. We keep <b>no</b> copy after hand-over.</p>",
                },
                {
                    "question": "Which time zones do you cover?",
                    "answer": "<p>All that matter to you:</p><ul><li>Europe, from 7 in the morning</li>"
                    "<li>The Americas, until 8 at night</li><li>The Gulf, Sunday to Thursday</li></ul>",
                },
            ],
        }
    }

    title = LineBlock(max_length=120)
    questions = blocks.ListBlock(QuestionBlock(), min_num=1, max_num=20)

    class Meta:
        icon = "help"
        label = _("Questions and answers")
        group = _("Texts")

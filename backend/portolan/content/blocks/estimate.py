"""Estimate: a form in steps, with the price range that follows from the site's rate card (spec §3)."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail import blocks
from wagtail.blocks.struct_block import StructBlockValidationError

from ...schemas.form import FormData, FormField
from .base import LineBlock, ParagraphBlock
from .form import FieldsBlock, FormBlock, order_chosen

_OPTIONAL: Final[list[FormField]] = ["company", "phone", "message", "attachments"]
_ORDER: Final[list[FormField]] = ["name", "email", "company", "phone", "message", "attachments"]
_FIELDS: Final[Mapping[str, list[FormField]]] = {
    "service": ["services"],
    "team": ["team"],
    "schedule": ["months", "start"],
}
"""What each step asks for."""


class EstimateData(FormData):
    type: Literal["estimate"] = "estimate"


class StepBlock(blocks.StructBlock):
    step = blocks.ChoiceBlock(
        choices=[
            ("service", _("What is needed (services)")),
            ("team", _("The team (roles, seniority, number)")),
            ("schedule", _("Length and start")),
        ],
        help_text=_("What this step asks for."),
    )
    title = LineBlock(max_length=80)
    text = ParagraphBlock(required=False, max_length=300)

    class Meta:
        label = _("Step")
        label_format = "{title}"


class EstimateBlock(FormBlock):
    """What it takes stands under Leads in the studio. The price range counts with the site's rate card."""

    Data = EstimateData
    FORM = "estimate"
    SHOWS_PRICE = True
    EXAMPLES = {
        "default": {
            "anchor": "estimate",
            "title": "What would it cost?",
            "text": "Four questions, and a range after each.",
            "steps": [
                {"step": "service", "title": "What do you need?", "text": "Choose as many as you like."},
                {"step": "team", "title": "Who is to work on it?", "text": "A guess will do."},
                {"step": "schedule", "title": "For how long?", "text": ""},
            ],
            "contact_title": "Where do we send it?",
            "contact_text": "An engineer checks the range before you get it.",
            "fields": ["company", "phone", "message", "attachments"],
            "services": [
                {"title": "Web development", "value": "web-development"},
                {"title": "Mobile development", "value": "mobile-development"},
            ],
            "submit": "Send",
            "thanks_title": "It is on our desk",
            "thanks_text": "An engineer checks the range and answers within one working day.",
            "privacy": {"title": "Privacy policy", "page": 1},
        }
    }

    steps = blocks.ListBlock(
        StepBlock(), max_num=3, help_text=_("In this order, before the one that asks who writes. Each kind once.")
    )
    contact_title = LineBlock(max_length=80, label=_("Last step"), help_text=_("Its title. It asks who writes."))
    contact_text = ParagraphBlock(required=False, max_length=300, label=_("Text of the last step"))
    fields = FieldsBlock(
        choices=_OPTIONAL,
        default=_OPTIONAL,
        required=False,
        label=_("Optional fields of the last step"),
        help_text=_("Name and e-mail are always asked for."),
    )

    class Meta:
        icon = "form"
        label = _("Estimate")
        group = _("Forms")

    def clean(self, value: Any) -> Any:
        cleaned = super().clean(value)
        kinds = [step["step"] for step in cleaned["steps"]]
        if len(set(kinds)) < len(kinds):
            twice = ValidationError(gettext("A kind of step stands here twice. Keep each once."))
            raise StructBlockValidationError(block_errors={"steps": twice})
        return cleaned

    def build_steps(self, frozen: Mapping[str, Any]) -> list[dict[str, Any]]:
        steps = [
            {"key": step["step"], "title": step["title"], "text": step["text"], "fields": _FIELDS[step["step"]]}
            for step in frozen["steps"]
        ]
        fields = order_chosen(frozen["fields"], _ORDER)
        last = {
            "key": "contact",
            "title": frozen["contactTitle"],
            "text": frozen["contactText"],
            "fields": fields,
        }
        return [*steps, last]

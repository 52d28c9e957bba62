"""Estimate: a form in steps, with a price range from the site's rate card (spec §3)."""

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
"""Form fields by step."""


class EstimateData(FormData):
    type: Literal["estimate"] = "estimate"


class StepBlock(blocks.StructBlock):
    step = blocks.ChoiceBlock(
        choices=[
            ("service", _("Services")),
            ("team", _("Team (roles, seniority, number)")),
            ("schedule", _("Length and start")),
        ],
        help_text=_("The questions of this step."),
    )
    title = LineBlock(max_length=80)
    text = ParagraphBlock(required=False, max_length=300)

    class Meta:
        label = _("Step")
        label_format = "{title}"


class EstimateBlock(FormBlock):
    """An estimate form. Its leads are under Leads in the studio. The site's rate card gives the price range."""

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
        StepBlock(), max_num=3, help_text=_("Shown in this order, before the contact step. Use each kind once.")
    )
    contact_title = LineBlock(
        max_length=80, label=_("Contact step"), help_text=_("Title of the last step, which asks for contact details.")
    )
    contact_text = ParagraphBlock(required=False, max_length=300, label=_("Text of the contact step"))
    fields = FieldsBlock(
        choices=_OPTIONAL,
        default=_OPTIONAL,
        required=False,
        label=_("Optional fields of the contact step"),
        help_text=_("Name and e-mail are always included."),
    )

    class Meta:
        icon = "form"
        label = _("Estimate")
        group = _("Forms")

    def clean(self, value: Any) -> Any:
        cleaned = super().clean(value)
        kinds = [step["step"] for step in cleaned["steps"]]
        if len(set(kinds)) < len(kinds):
            twice = ValidationError(gettext("Two steps are of the same kind. Use each kind once."))
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

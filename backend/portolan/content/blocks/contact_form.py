"""Contact form: contact details and a message, in one step."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from django.utils.translation import gettext_lazy as _

from ...schemas.form import FormData, FormField
from .form import ALWAYS_ASKED, FieldsBlock, FormBlock, order_chosen

_OPTIONAL: Final[list[FormField]] = ["services", "company", "phone", "attachments"]
_ORDER: Final[list[FormField]] = ["name", "email", "company", "phone", "services", "message", "attachments"]


class ContactFormData(FormData):
    type: Literal["contact_form"] = "contact_form"


class ContactFormBlock(FormBlock):
    """A contact form. Its leads are under Leads in the studio."""

    Data = ContactFormData
    FORM = "contact"
    REQUIRED = (*ALWAYS_ASKED, "message")
    EXAMPLES = {
        "default": {
            "anchor": "write",
            "title": "Write to an engineer",
            "text": "Three sentences are enough. We answer within one working day.",
            "fields": ["services", "company", "phone", "attachments"],
            "services": [
                {"title": "Web development", "value": "web-development"},
                {"title": "Mobile development", "value": "mobile-development"},
            ],
            "submit": "Send the message",
            "thanks_title": "It is on our desk",
            "thanks_text": "An engineer answers within one working day.",
            "privacy": {"title": "Privacy policy", "page": 1},
        },
        "short": {
            "tone": "navy",
            "title": "A question?",
            "fields": [],
            "submit": "Ask",
            "thanks_title": "Thank you",
            "thanks_text": "We answer tomorrow.",
            "privacy": {"title": "Privacy policy", "page": 1},
        },
    }

    fields = FieldsBlock(
        choices=_OPTIONAL,
        default=_OPTIONAL,
        required=False,
        label=_("Optional fields"),
        help_text=_("Name, e-mail and message are always included. Services require a list below."),
    )

    class Meta:
        icon = "mail"
        label = _("Contact form")
        group = _("Forms")

    def build_steps(self, frozen: Mapping[str, Any]) -> list[dict[str, Any]]:
        return [
            {"key": "contact", "title": "", "text": "", "fields": order_chosen({*frozen["fields"], "message"}, _ORDER)}
        ]

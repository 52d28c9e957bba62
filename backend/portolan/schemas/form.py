"""What a form asks for and in how many steps: its definition, as editors vary it (spec §3 multi-step form)."""

from typing import Literal

from .base import BlockData, Schema
from .company import RateCard
from .lead import FormName, Slug
from .link import Link

FormField = Literal[
    "services", "team", "months", "start", "name", "email", "company", "phone", "message", "attachments"
]
"""What a step can ask for. Every form also has the consent to use it, and the hidden fields."""


class FormStep(Schema):
    key: str
    """Unique in the form, e.g. ``team``."""
    title: str
    text: str
    fields: list[FormField]


class FormService(Schema):
    """One answer to what is needed."""

    value: Slug
    """What a lead says of it: slug of the service's page."""
    title: str


class FormDefinition(Schema):
    form: FormName
    steps: list[FormStep]
    """In their order; the last one asks who writes."""
    required: list[FormField]
    services: list[FormService]
    submit: str
    """On the button that sends."""
    thanks_title: str
    thanks_text: str
    privacy: Link


class FormData(BlockData):
    """A block that is a form."""

    title: str
    text: str = ""
    definition: FormDefinition
    rate_cards: list[RateCard] = []
    """The site's rate card, where the form shows a price range and there is one."""

"""Define a form: its fields and steps, as editors configure them (spec §3 multi-step form)."""

from typing import Literal

from .base import BlockData, Schema
from .company import RateCard
from .lead import FormName, Slug
from .link import Link

FormField = Literal[
    "services", "team", "months", "start", "name", "email", "company", "phone", "message", "attachments"
]
"""Fields of a step. Every form also has the consent checkbox and the hidden fields."""


class FormStep(Schema):
    key: str
    """Unique in the form, e.g. ``team``."""
    title: str
    text: str
    fields: list[FormField]


class FormService(Schema):
    """A service to choose from."""

    value: Slug
    """Name of the service in leads: the slug of its page."""
    title: str


class FormDefinition(Schema):
    form: FormName
    steps: list[FormStep]
    """In order; the last step asks for contact details."""
    required: list[FormField]
    services: list[FormService]
    submit: str
    """Text of the button that sends the form."""
    thanks_title: str
    thanks_text: str
    privacy: Link


class FormData(BlockData):
    """A block that is a form."""

    title: str
    text: str = ""
    definition: FormDefinition
    rate_cards: list[RateCard] = []
    """The site's rate card, if the form shows a price range and the site has one."""

"""Define the base of form blocks: texts, services and the steps of the form."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, get_args

from django.utils.translation import gettext_lazy as _
from wagtail import blocks

from ...schemas.form import FormField
from ...schemas.lead import FormName
from ..items import RATE_CARD
from ..rules import check_slug
from ..snapshot import TranslationKeys, snapshot_struct
from .base import LineBlock, LinkBlock, ParagraphBlock, SiteBlock

FIELD_NAMES: Final[Mapping[FormField, Any]] = {
    "services": _("Services"),
    "team": _("Team"),
    "months": _("Length"),
    "start": _("Start"),
    "name": _("Name"),
    "email": _("E-mail"),
    "company": _("Company"),
    "phone": _("Phone"),
    "message": _("Message"),
    "attachments": _("Files"),
}
assert set(FIELD_NAMES) == set(get_args(FormField))

ALWAYS_ASKED: Final[tuple[FormField, ...]] = ("name", "email")
"""Always included, because a reply needs them."""


class ServiceBlock(blocks.StructBlock):
    title = LineBlock(max_length=80)
    value = blocks.CharBlock(
        max_length=100,
        validators=(check_slug,),
        label=_("Key"),
        help_text=_(
            "The service's name in leads: the last part of the service page's URL, e.g. web-development. "
            "The same on all sites."
        ),
    )

    class Meta:
        label = _("Service")
        label_format = "{title}"


class FieldsBlock(blocks.MultipleChoiceBlock):
    """Chooses optional fields."""

    def __init__(self, choices: list[FormField] | None = None, **kwargs: Any) -> None:
        named = [(name, FIELD_NAMES[name]) for name in choices or ()]
        super().__init__(choices=named, **kwargs)


class FormBlock(SiteBlock):
    """A form. A subclass defines the fields of each step."""

    title = LineBlock(max_length=120)
    text = ParagraphBlock(required=False, max_length=400)
    services = blocks.ListBlock(
        ServiceBlock(), default=[], max_num=30, help_text=_("Services that visitors can choose from.")
    )
    submit = LineBlock(max_length=60, label=_("Button"), help_text=_("Text of the button that sends the form."))
    thanks_title = LineBlock(max_length=120, label=_("Thanks"), help_text=_("Heading of the message after sending."))
    thanks_text = ParagraphBlock(max_length=400, label=_("What happens next"))
    privacy = LinkBlock(label=_("Privacy policy"), help_text=_("Visitors must agree to it before sending."))

    FORM: ClassVar[FormName]
    """Name of the form in leads."""
    REQUIRED: ClassVar[tuple[FormField, ...]] = ALWAYS_ASKED
    SHOWS_PRICE: ClassVar[bool] = False

    def build_steps(self, frozen: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return the form's steps from the stored fields of the block."""
        raise NotImplementedError

    def snapshot(self, raw: Mapping[str, Any], id: str, pages: TranslationKeys) -> dict[str, Any]:
        frozen = snapshot_struct(self, raw, pages)
        steps = self.build_steps(frozen)
        asked = {field for step in steps for field in step["fields"]}
        return {
            "type": self.type_name(),
            "id": id,
            "tone": frozen["tone"],
            "anchor": frozen["anchor"] or None,
            "title": frozen["title"],
            "text": frozen["text"],
            "definition": {
                "form": self.FORM,
                "steps": steps,
                "required": list(self.REQUIRED),
                "services": frozen["services"] if "services" in asked else [],
                "submit": frozen["submit"],
                "thanksTitle": frozen["thanksTitle"],
                "thanksText": frozen["thanksText"],
                "privacy": frozen["privacy"],
            },
            "rateCards": {"$items": RATE_CARD, "first": 1} if self.SHOWS_PRICE else [],
        }


def order_chosen(ticked: Iterable[str], order: Sequence[FormField]) -> list[FormField]:
    """Return the required fields and the editor's choice, in the order of the form."""
    asked = {*ALWAYS_ASKED, *ticked}
    return [field for field in order if field in asked]

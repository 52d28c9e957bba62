"""The base of families whose pages also appear in lists: a summary, a picture, and the card that lists show."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import FieldPanel, MultiFieldPanel, Panel
from wagtail.search import index

from ...domain.cards import CARD_KINDS
from ...domain.frozen_bodies import EntryBody
from ...schemas.base import Schema
from ..collections.base import picture
from ..rules import check_placeholders
from .base import SitePage

SUMMARY_LENGTH: Final = 300
ALT_LENGTH: Final = 160


class CardPage(SitePage):
    """A page with a card: a small item of its own in releases, from which lists and the content API are made."""

    Card: ClassVar[type[Schema]]
    """The card's schema."""
    card_related: ClassVar[tuple[str, ...]] = ()
    """Relations ``freeze_card`` reads, for ``prefetch_related``: an export costs so many queries, whatever it holds."""

    summary = models.TextField(
        max_length=SUMMARY_LENGTH,
        default="",
        help_text=_("One or two sentences, shown wherever the page stands in a list."),
    )

    search_fields = [*SitePage.search_fields, index.SearchField("summary")]

    class Meta:
        abstract = True

    @classmethod
    def card_kind(cls) -> str:
        return CARD_KINDS[cls.family]

    def has_card(self) -> bool:
        """Whether lists and the content API know the page."""
        return True

    def freeze_card(self, site: str, locales: Sequence[int]) -> EntryBody:
        """The card's frozen item on a site, which reads ``locales``, the first one first. A field that is not filled in
        yet is None, which the checks on frozen items report.
        """
        raise NotImplementedError

    def clean(self) -> None:
        super().clean()
        problems = {}
        for field in self._meta.local_fields:
            if isinstance(field, models.CharField | models.TextField) and not field.choices:
                try:
                    check_placeholders(getattr(self, field.name))
                except ValidationError as error:
                    problems[field.name] = error
        if problems:
            raise ValidationError(problems)

    def _card_link(self) -> dict[str, Any]:
        return {"$page": str(self.translation_key), "title": self.title}


def picture_fields(name: str) -> "tuple[models.ForeignKey[Any, Any], models.CharField[Any, Any]]":
    """A picture in lists and what it shows: the fields ``<name>`` and ``<name>_alt``."""
    return (
        models.ForeignKey(
            "content.SiteImage", null=True, on_delete=models.PROTECT, related_name="+", verbose_name=name
        ),
        models.CharField(
            _("description of the picture"),
            max_length=ALT_LENGTH,
            blank=True,
            help_text=_("What the picture shows, for those who do not see it. Empty where it is decoration."),
        ),
    )


def card_panel(picture_field: str) -> Panel:
    """How the page shows in lists."""
    names = ("summary", picture_field, f"{picture_field}_alt")
    return MultiFieldPanel([FieldPanel(name) for name in names], heading=_("In lists"))


def freeze_picture(page: CardPage, field: str) -> dict[str, Any] | None:
    return picture(getattr(page, f"{field}_id"), getattr(page, f"{field}_alt"))

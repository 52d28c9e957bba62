"""Define the base of page types with a card: a summary and image for lists."""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import FieldPanel, MultiFieldPanel, Panel
from wagtail.search import index

from ...domain.cards import CARD_KINDS
from ...domain.snapshot_bodies import EntryBody
from ...schemas.base import Schema
from ..collections.base import picture
from ..rules import check_placeholders
from .base import SitePage

SUMMARY_LENGTH: Final = 300
ALT_LENGTH: Final = 160


class CardPage(SitePage):
    """A page with a card: a small item of its own in releases, used by lists and the content API."""

    Card: ClassVar[type[Schema]]
    """The card's schema."""
    card_related: ClassVar[tuple[str, ...]] = ()
    """Relations that ``snapshot_card`` reads, for ``prefetch_related``. An export then needs a fixed number of
    queries."""

    summary = models.TextField(
        max_length=SUMMARY_LENGTH,
        default="",
        help_text=_("One or two sentences, shown in lists."),
    )

    search_fields = [*SitePage.search_fields, index.SearchField("summary")]

    class Meta:
        abstract = True

    @classmethod
    def card_kind(cls) -> str:
        return CARD_KINDS[cls.page_type]

    def has_card(self) -> bool:
        """Return whether lists and the content API include the page."""
        return True

    def snapshot_card(self, site: str, locales: Sequence[int]) -> EntryBody:
        """Return the card's item on a site that reads ``locales``, in order of preference.

        An empty field is None, which the checks of release items report.
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
    """Return the fields ``<name>`` and ``<name>_alt``: an image for lists and its description."""
    return (
        models.ForeignKey(
            "content.SiteImage", null=True, on_delete=models.PROTECT, related_name="+", verbose_name=name
        ),
        models.CharField(
            _("description of the image"),
            max_length=ALT_LENGTH,
            blank=True,
            help_text=_("Describes the image to people who cannot see it. Leave empty if the image is decoration."),
        ),
    )


def card_panel(picture_field: str) -> Panel:
    """Return the panel with the page's texts for lists."""
    names = ("summary", picture_field, f"{picture_field}_alt")
    return MultiFieldPanel([FieldPanel(name) for name in names], heading=_("In lists"))


def snapshot_picture(page: CardPage, field: str) -> dict[str, Any] | None:
    return picture(getattr(page, f"{field}_id"), getattr(page, f"{field}_alt"))

"""Certificates the company holds."""

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from wagtail.admin.panels import FieldPanel, FieldRowPanel, MultiFieldPanel, Panel
from wagtail.search import index

from ...schemas import company as schemas
from ..items import CERTIFICATE
from ..rules import check_placeholders
from ..schedule_panel import SchedulePanel
from .base import (
    PICTURE_MODEL,
    TranslatedEntry,
    Translation,
    key_panel,
    picture,
    search_translations,
    translations_panel,
)


class Certificate(TranslatedEntry):
    kind = CERTIFICATE
    schema = schemas.Certificate

    issuer = models.CharField(max_length=120, validators=[check_placeholders], help_text=_("Who certifies."))
    issued = models.DateField(help_text=_("The day it holds from."))
    expires = models.DateField(null=True, blank=True, help_text=_("Its last day. Empty where it has none."))
    number = models.CharField(
        max_length=60, blank=True, validators=[check_placeholders], help_text=_("As printed on it.")
    )
    picture = models.ForeignKey(
        PICTURE_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("The certificate itself, or the issuer's mark."),
    )

    panels: ClassVar[list[Panel]] = [
        MultiFieldPanel(
            [
                FieldRowPanel([FieldPanel("issuer"), FieldPanel("number")]),
                FieldRowPanel([FieldPanel("issued"), FieldPanel("expires")]),
                FieldPanel("picture"),
                key_panel("iso-27001"),
            ],
            heading=_("Certificate"),
        ),
        translations_panel("title"),
        SchedulePanel(),
    ]
    search_fields: ClassVar[list[index.BaseField]] = [
        *TranslatedEntry.search_fields,
        index.SearchField("issuer"),
        index.AutocompleteField("issuer"),
        index.SearchField("number"),
        search_translations("title"),
        index.FilterField("issued"),
        index.FilterField("expires"),
    ]

    class Meta(TranslatedEntry.Meta):
        verbose_name = _("certificate")

    def __str__(self) -> str:
        translation = self.studio_translation()
        return translation.title if translation else self.key

    def clean(self) -> None:
        super().clean()
        if self.issued and self.expires and self.expires < self.issued:
            raise ValidationError({"expires": gettext("It would end before it begins. Correct one of the two days.")})

    def freeze_value(self, translation: "CertificateTranslation") -> dict[str, Any]:
        return {
            "id": self.key,
            "title": translation.title,
            "issuer": self.issuer,
            "issued": self.issued.isoformat(),
            "expires": self.expires.isoformat() if self.expires else None,
            "number": self.number,
            "picture": picture(self.picture_id, translation.title),
        }


class CertificateTranslation(Translation):
    entry = ParentalKey(Certificate, on_delete=models.CASCADE, related_name="translations")
    title = models.CharField(
        max_length=160, help_text=_("What is certified, e.g. Information security (ISO/IEC 27001).")
    )

    class Meta(Translation.Meta):
        verbose_name = _("translation of a certificate")
        verbose_name_plural = _("translations of certificates")

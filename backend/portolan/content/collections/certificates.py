"""Certificates of the company."""

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

    issuer = models.CharField(
        max_length=120, validators=[check_placeholders], help_text=_("The organisation that issued it.")
    )
    issued = models.DateField(help_text=_("The first day of its validity."))
    expires = models.DateField(null=True, blank=True, help_text=_("The last day of its validity. Empty: no end."))
    number = models.CharField(
        max_length=60, blank=True, validators=[check_placeholders], help_text=_("As printed on the certificate.")
    )
    picture = models.ForeignKey(
        PICTURE_MODEL,
        verbose_name=_("image"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text=_("The certificate or the issuer's logo."),
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
            raise ValidationError({"expires": gettext("The last day is before the first day. Correct one of them.")})

    def snapshot_value(self, translation: "CertificateTranslation") -> dict[str, Any]:
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
        max_length=160, help_text=_("Subject of the certificate, e.g. Information security (ISO/IEC 27001).")
    )

    class Meta(Translation.Meta):
        verbose_name = _("translation of a certificate")
        verbose_name_plural = _("translations of certificates")

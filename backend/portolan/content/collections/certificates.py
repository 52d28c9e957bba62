"""Certificates the company holds."""

from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models
from modelcluster.fields import ParentalKey
from wagtail.admin.panels import FieldPanel, FieldRowPanel, MultiFieldPanel, Panel
from wagtail.search import index

from ...schemas import company as schemas
from ..items import CERTIFICATE
from ..rules import check_placeholders
from .base import PICTURE_MODEL, WordedEntry, Words, key_panel, picture, search_words, words_panel


class Certificate(WordedEntry):
    kind = CERTIFICATE
    schema = schemas.Certificate

    issuer = models.CharField(max_length=120, validators=[check_placeholders], help_text="Who certifies.")
    issued = models.DateField(help_text="The day it holds from.")
    expires = models.DateField(null=True, blank=True, help_text="Its last day. Empty where it has none.")
    number = models.CharField(max_length=60, blank=True, validators=[check_placeholders], help_text="As printed on it.")
    picture = models.ForeignKey(
        PICTURE_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        help_text="The certificate itself, or the issuer's mark.",
    )

    panels: ClassVar[list[Panel]] = [
        MultiFieldPanel(
            [
                FieldRowPanel([FieldPanel("issuer"), FieldPanel("number")]),
                FieldRowPanel([FieldPanel("issued"), FieldPanel("expires")]),
                FieldPanel("picture"),
                key_panel("iso-27001"),
            ],
            heading="Certificate",
        ),
        words_panel("title"),
    ]
    search_fields: ClassVar[list[index.BaseField]] = [
        *WordedEntry.search_fields,
        index.SearchField("issuer"),
        index.AutocompleteField("issuer"),
        index.SearchField("number"),
        search_words("title"),
        index.FilterField("issued"),
        index.FilterField("expires"),
    ]

    class Meta(WordedEntry.Meta):
        verbose_name = "certificate"

    def __str__(self) -> str:
        words = self.studio_words()
        return words.title if words else self.key

    def clean(self) -> None:
        super().clean()
        if self.issued and self.expires and self.expires < self.issued:
            raise ValidationError({"expires": "It would end before it begins. Correct one of the two days."})

    def freeze_value(self, words: "CertificateWords") -> dict[str, Any]:
        return {
            "id": self.key,
            "title": words.title,
            "issuer": self.issuer,
            "issued": self.issued.isoformat(),
            "expires": self.expires.isoformat() if self.expires else None,
            "number": self.number,
            "picture": picture(self.picture_id, words.title),
        }


class CertificateWords(Words):
    entry = ParentalKey(Certificate, on_delete=models.CASCADE, related_name="words")
    title = models.CharField(max_length=160, help_text="What is certified, e.g. Information security (ISO/IEC 27001).")

    class Meta(Words.Meta):
        verbose_name = "words of a certificate"
        verbose_name_plural = "words of certificates"

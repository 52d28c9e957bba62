"""One entry of each collection, as saved by an editor: its shared fields, and a translation for the English site."""

from collections.abc import Callable, Mapping
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.files.base import ContentFile
from PIL import Image

from portolan.content.collections import COLLECTIONS
from portolan.content.collections.base import Entry
from portolan.content.models import OfficeCategory, SiteImage
from portolan_dev.contract.examples import PICTURES

SHARED_FIELDS: Final[Mapping[str, dict[str, Any]]] = {
    "office": {"city": "Dallas", "address": "1 Quay", "phone": "+1 214-555-0140", "country": "us", "lat": 32.7,
               "lng": -96.8, "sets": ["default"]},
    "phone": {"phone": "+1 214-555-0140", "countries": ["ca", "us"]},
    "certificate": {"issuer": "Fictional Institute", "issued": date(2024, 5, 1), "expires": date(2027, 4, 30)},
    "cv": {"seniority": "lead", "years": 12, "country": "pl"},
    "review": {"company": "Northwind Port Authority", "country": "gb", "score": 4.5},
    "facet": {"facet": "industry"},
    "video": {"video_id": "aqz-KE-bpKQ"},
    "short": {"video_id": "aqz-KE-bpKQ"},
}  # fmt: skip
TRANSLATIONS: Final[Mapping[str, dict[str, Any]]] = {
    "certificate": {"title": "Information security"},
    "cv": {"role": "Back-end engineer", "summary": "Builds it.", "skills": ["Python", "SQL"], "languages": ["English"]},
    "review": {"person": "Head of Vessel Traffic", "role": "Traffic services", "text": "They of {company} keep word."},
    "facet": {"name": "Healthcare"},
    "video": {"title": "How we estimate", "alt": "A whiteboard"},
    "short": {"title": "How we estimate", "alt": "A whiteboard"},
}  # fmt: skip
PICTURE_FIELD: Final = {"certificate": "picture", "cv": "picture", "review": "logo", "video": "cover", "short": "cover"}

MakeEntry = Callable[..., Any]


@pytest.fixture
def picture(db: None, media: Path) -> SiteImage:
    """An uploaded image with published files. The files are those of another image, because these tests never open
    them.
    """
    file = BytesIO()
    Image.new("RGB", (8, 5)).save(file, "PNG")
    image = SiteImage.objects.create(title="Cranes", file=ContentFile(file.getvalue(), name="cranes.png"))
    SiteImage.objects.update(published=PICTURES["2"])
    return image


@pytest.fixture
def make_entry(sites: Any, picture: SiteImage) -> MakeEntry:
    """Saves an entry of a kind: ``make_entry("review", "northwind", score=5.0, de={"text": "…"})``.

    Translations are the English ones and those given by site. Fields missing for a site have the English text.
    """

    def make(kind: str, key: str = "key", translated: bool = True, **given: Any) -> Entry:
        model = COLLECTIONS[kind]
        by_site = {site: given.pop(site) for site in sites if site in given}
        fields = {**SHARED_FIELDS[kind], **given}
        if kind in PICTURE_FIELD:
            fields.setdefault(PICTURE_FIELD[kind], picture)
        if kind == "office":
            fields["category"] = OfficeCategory.objects.get_or_create(key="hub", name="Hub", icon="code")[0]
        entry = model(key=key, **fields)
        if kind in TRANSLATIONS and translated:
            row = model.translations.rel.related_model
            entry.translations = [
                row(locale=sites[site].locale, **{**TRANSLATIONS[kind], **texts})
                for site, texts in {"en": {}, **by_site}.items()
            ]
        entry.full_clean()
        entry.save()
        return entry

    return make

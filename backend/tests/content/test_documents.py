import os
from pathlib import Path, PurePath
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from wagtail.documents.forms import get_document_form
from wagtail.documents.models import Document
from wagtail.models import Collection, CollectionViewRestriction

from portolan.content.changes import keys_of
from portolan.content.documents import snapshot_document
from portolan.content.export import all_item_keys, export_batch, export_items
from portolan.content.items import ItemKey
from portolan.content.models import LegalPage
from portolan.content.rules import check_url
from portolan.domain.problems import MissingDocument
from portolan.schemas.media import DocumentFile

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("media")]


def upload(data: bytes = b"%PDF-1.4 one", name: str = "Checkliste Übergabe.PDF") -> Document:
    return Document.objects.create(title="Checklist", file=ContentFile(data, name=name))


def frozen(document: Document) -> DocumentFile:
    return DocumentFile.model_validate(snapshot_document(document))


def test_sites_offer_a_copy_that_says_what_is_inside(media: Path) -> None:
    file = frozen(upload())
    assert (file.kind, file.size) == ("pdf", 12)
    assert file.url.startswith("/media/documents/")
    assert file.url.endswith("/checkliste_ubergabe.pdf")
    assert (media / file.url.removeprefix("/media/")).read_bytes() == b"%PDF-1.4 one"


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("Предложение 2026.pdf", "predlozhenie_2026.pdf"),
        ("عرض.pdf", "rd.pdf"),
        ("œuvre.PDF", "oeuvre.pdf"),
        ("Đề xuất.pdf", "de_xuat.pdf"),
        ("Ma\u0308rz.pdf", "marz.pdf"),
        ("😀🚀.pdf", "document.pdf"),
        (".pdf", "document.pdf"),
        ("😀🚀Offer.pdf", "offer.pdf"),
        ("東京.pdf", "dongjing.pdf"),
    ],
)
def test_a_copy_keeps_letters_and_ending(sites: Any, name: str, published: str) -> None:
    form = get_document_form(Document)(
        {"title": "Offer", "collection": 1}, {"file": SimpleUploadedFile(name, b"%PDF-")}
    )
    assert form.is_valid(), form.errors
    assert PurePath(frozen(form.save()).url).name == published


def test_what_was_stored_without_an_ending_is_published_with_one() -> None:
    """Django's name for an upload with no usable letters."""
    document = upload()
    document.file.save("x.pdf", ContentFile(b"%PDF-"))
    document.file.name = document.file.storage.save("documents/.pdf_8kjki3i", ContentFile(b"%PDF-"))
    assert frozen(document).url.endswith("/document.pdf")


def test_the_same_file_has_the_same_address_and_another_one_another(media: Path) -> None:
    document = upload()
    first = frozen(document)
    copy = media / first.url.removeprefix("/media/")
    os.utime(copy, (1, 1))
    assert frozen(document) == first
    assert copy.stat().st_mtime > 1, "it is in use"
    document.file.delete(save=False)  # as the studio does with replaced files
    document.file = ContentFile(b"%PDF-1.4 two!", name="Checkliste Übergabe.pdf")
    document.save()
    second = frozen(document)
    assert (second.url != first.url, second.size) == (True, 13)
    assert copy.read_bytes() == b"%PDF-1.4 one", "yesterday's build still links to it"


def test_what_an_interrupted_copy_left_is_replaced(media: Path) -> None:
    document = upload()
    copy = media / frozen(document).url.removeprefix("/media/")
    copy.write_bytes(b"%PDF")
    frozen(document)
    assert copy.read_bytes() == b"%PDF-1.4 one"


def test_every_document_is_an_item(sites: Any) -> None:
    document = upload()
    key = ItemKey("", "document", str(document.pk))
    assert key in all_item_keys()
    assert export_items([key]) == {key: snapshot_document(document)}


def make_private(collection: Collection, kind: str = "login") -> CollectionViewRestriction:
    return CollectionViewRestriction.objects.create(collection=collection, restriction_type=kind)


def test_what_a_private_collection_holds_is_not_published(sites: Any) -> None:
    board = Collection.get_first_root_node().add_child(name="Board")
    minutes = board.add_child(name="Minutes")
    document = upload()
    document.collection = minutes
    document.save()
    key = ItemKey("", "document", str(document.pk))
    assert export_items([key])[key]
    restriction = make_private(board)
    assert keys_of(restriction) == keys_of(minutes) == {key}
    assert export_items([key]) == {key: None}
    with pytest.raises(ValidationError, match="private collection"):
        check_url(document.file.url)
    restriction.delete()
    check_url(document.file.url)
    assert export_items([key])[key]


def test_links_lead_to_no_file_that_is_the_studios_own() -> None:
    with pytest.raises(ValidationError, match="private to the studio"):
        check_url("/media/originals/0123/harbour.png")


def test_a_document_whose_file_is_gone_is_named_with_its_page(homes: Any, add_page: Any) -> None:
    document = upload()
    value = {"title": "List", "document": document.pk, "link_title": "Take it"}
    page = add_page(
        homes["en"], LegalPage, "list", title="List", body=[{"type": "download", "value": value, "id": "1"}]
    )
    keys = ItemKey("en", "page", str(page.translation_key)), ItemKey("", "document", str(document.pk))
    body = export_items(keys)[keys[0]]
    assert body and body["blocks"][0]["document"] == {"$document": str(document.pk)}
    document.file.storage.delete(document.file.name)
    bodies, problems = export_batch(keys)
    assert bodies == {}, "the item stays as it was"
    (missing,), (shown,) = (problems[key] for key in reversed(keys))
    assert (missing.subject.kind, missing.subject.title) == ("document", "Checklist")
    assert shown.subject.block is not None
    assert (shown.subject.path, shown.subject.block.number, shown.subject.field) == ("/list", 1, "document")
    assert shown.detail == MissingDocument(str(document.pk))

"""Uploads in a storage that machines share, as the studio uses it."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image
from wagtail.documents import get_document_model
from wagtail.documents.forms import get_document_form

from portolan.config.media_storage import SharedMediaStorage
from portolan.config.storages import describe_media
from portolan.content.documents import snapshot_document
from portolan.content.media_away import MediaAway
from portolan.content.pictures import SiteImage, publish_picture
from portolan.content.published_files import store

AWAY = "http://127.0.0.1:9"


def share(settings: Any, url: str) -> str:
    settings.MEDIA_ROOT = ""
    settings.STORAGES = {**settings.STORAGES, "default": describe_media(url)}
    assert isinstance(storages["default"], SharedMediaStorage)
    return url


@pytest.fixture
def shared(settings: Any, tmp_path: Path) -> str:
    """Put the studio's files into a storage. Return its URL."""
    return share(settings, (tmp_path / "storage").as_uri())


@pytest.fixture
def every_kind(settings: Any, store_url: str) -> str:
    """Do the same with each kind of storage available here."""
    return share(settings, store_url)


@pytest.fixture
def away(settings: Any, s3_bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A storage that stays silent."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", AWAY)
    share(settings, s3_bucket)


@pytest.fixture
def editor(sites: object) -> Client:
    client = Client(HTTP_HOST="studio.localhost", raise_request_exception=False)
    user = get_user_model().objects.create_superuser("editor", "editor@example.com", "secret")
    client.force_login(user)
    return client


def png(colour: str = "navy") -> SimpleUploadedFile:
    data = BytesIO()
    Image.new("RGB", (16, 12), colour).save(data, "PNG")
    return SimpleUploadedFile("quay.png", data.getvalue(), "image/png")


def test_a_storage_keeps_what_a_folder_would(every_kind: str) -> None:
    name = default_storage.save("documents/offer.pdf", ContentFile(b"%PDF"))
    assert name == "documents/offer.pdf"
    with default_storage.open(name) as file:
        assert file.read() == b"%PDF"
    assert (default_storage.exists(name), default_storage.size(name)) == (True, 4)
    assert default_storage.listdir("") == (["documents"], [])
    assert default_storage.listdir("documents") == ([], ["offer.pdf"])
    assert default_storage.url("documents/an offer.pdf") == "/media/documents/an%20offer.pdf"
    default_storage.delete(name)
    assert not default_storage.exists(name)
    with pytest.raises(FileNotFoundError):
        default_storage.open(name)


def test_two_machines_store_a_file_under_one_name(every_kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = SharedMediaStorage(every_kind), SharedMediaStorage(every_kind)
    for machine in (first, second):  # both look before one of them writes
        monkeypatch.setattr(machine, "get_available_name", lambda name, max_length=None: name)
    assert (
        first.save("pictures/0123456789abcdef/quay.webp", ContentFile(b"same")) == "pictures/0123456789abcdef/quay.webp"
    )
    assert (
        second.save("pictures/0123456789abcdef/quay.webp", ContentFile(b"same"))
        == "pictures/0123456789abcdef/quay.webp"
    )
    first.save("documents/offer.pdf", ContentFile(b"first"))
    monkeypatch.undo()
    other = second.save("documents/offer.pdf", ContentFile(b"second"))
    assert other != "documents/offer.pdf"
    assert (first.open("documents/offer.pdf").read(), first.open(other).read()) == (b"first", b"second")


@pytest.mark.django_db
def test_a_picture_and_a_document_are_published_from_it(shared: str) -> None:
    image = SiteImage(title="Quay", file=png())
    image.full_clean(exclude=["width", "height"])
    image.save()
    assert publish_picture(image)
    widest = image.published["desktop"] or image.published["mobile"]
    assert default_storage.exists(widest["webp"].removeprefix("/media/"))
    document = get_document_model().objects.create(title="Offer", file=ContentFile(b"%PDF", name="offer.pdf"))
    frozen = snapshot_document(document)
    assert frozen and default_storage.exists(frozen["url"].removeprefix("/media/"))
    assert snapshot_document(document) == frozen
    default_storage.delete(document.file.name)
    assert snapshot_document(document) is None


def test_a_file_in_use_is_written_anew_once_a_day(shared: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "documents/0123456789abcdef/offer.pdf"
    store(name, b"%PDF")
    first = default_storage.get_modified_time(name)
    store(name, b"%PDF")
    assert default_storage.get_modified_time(name) == first
    monkeypatch.setattr("portolan.content.published_files._TOUCH_AFTER", first - first)
    store(name, b"%PDF")
    assert default_storage.open(name).read() == b"%PDF"


@pytest.mark.django_db
def test_private_files_are_for_editors_alone(shared: str, editor: Client) -> None:
    default_storage.save("originals/0123456789abcdef/quay.svg", ContentFile(b"<svg/>"))
    path = "/media/originals/0123456789abcdef/quay.svg"
    assert Client(HTTP_HOST="studio.localhost").get(path).status_code == 302
    answer = editor.get(path)
    assert b"".join(answer.streaming_content) == b"<svg/>"  # type: ignore[arg-type]
    assert answer["content-type"] == "image/svg+xml"
    assert answer["content-security-policy"].startswith("sandbox")
    assert answer["cache-control"] == "private, max-age=3600"
    for wrong in ("/media/originals/none.svg", "/media/.hidden", "/media/originals//x", "/media/originals/../x"):
        assert editor.get(wrong).status_code == 404


@pytest.mark.django_db
def test_an_editor_uploads_a_picture(shared: str, editor: Client, django_capture_on_commit_callbacks: Any) -> None:
    sent = {"title": "Quay", "file": png(), "collection": 1, "tags": ""}
    with django_capture_on_commit_callbacks(execute=True):
        answer = editor.post(reverse("wagtailimages:add"), sent)
    assert answer.status_code == 302, answer.content
    image = SiteImage.objects.get(title="Quay")
    assert default_storage.exists(image.file.name)
    assert image.published, "its files were made after the commit"
    shown = editor.get(image.get_rendition("max-165x165").url)
    assert (shown.status_code, shown["content-type"]) == (200, "image/png")


@pytest.mark.django_db
def test_while_it_is_away_the_form_says_so_and_keeps_what_was_typed(away: None, editor: Client) -> None:
    sent = {"title": "Harbour at dawn", "file": SimpleUploadedFile("offer.pdf", b"%PDF"), "collection": 1, "tags": ""}
    answer = editor.post(reverse("wagtaildocs:add"), sent)
    assert answer.status_code == 200
    assert "The file storage is not reachable" in answer.content.decode()
    assert "Harbour at dawn" in answer.content.decode()
    with pytest.raises(ValidationError, match="is not reachable"):
        SiteImage(title="Quay", file=png()).full_clean(exclude=["width", "height", "collection"])
    assert get_document_form(get_document_model())
    away_file = editor.get("/media/originals/0123456789abcdef/quay.svg")
    assert away_file.status_code == 503
    assert "The studio cannot reach its files" in away_file.content.decode()


@pytest.mark.django_db
def test_while_it_is_away_no_document_counts_as_missing(away: None, tmp_path: Path) -> None:
    document = get_document_model()(title="Offer", file="documents/offer.pdf")
    with pytest.raises(MediaAway):
        snapshot_document(document)

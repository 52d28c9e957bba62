"""Unpublished uploads are shown only to users of the studio."""

from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from django.core.files.base import ContentFile
from django.test import Client
from wagtail.documents.models import Document
from wagtail.models import Collection, CollectionViewRestriction

from portolan.studio.permissions import sync_editors_group

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor(sites: object, media: Path) -> Client:
    (media / "images").mkdir(parents=True)
    (media / "images/quay.png").write_bytes(b"\x89PNG thumbnail")
    (media / "images/large.jpg").write_bytes(b"x" * 300_000)
    return Client(headers={"host": "studio.localhost"})


@pytest.fixture
def editor(visitor: Client) -> Client:
    client = Client(headers={"host": "studio.localhost"})
    user = User.objects.create_user("mira")
    user.groups.add(sync_editors_group())
    client.force_login(user)
    return client


@pytest.fixture
def document(visitor: Client) -> Document:
    return Document.objects.create(title="Minutes", file=ContentFile(b"%PDF-1.4", name="minutes.pdf"))


def ask(client: Client, address: str) -> tuple[int, str]:
    """Return the status and the target."""
    reply = client.get(address)
    reply.close()
    return reply.status_code, reply.headers.get("Location", "").partition("?")[0]


def close(document: Document, kind: str) -> CollectionViewRestriction:
    document.collection = Collection.get_first_root_node().add_child(name="Board")
    document.save()
    return CollectionViewRestriction.objects.create(
        collection=document.collection, restriction_type=kind, password="open sesame"
    )


def test_editors_see_thumbnails_and_nobody_else_does(visitor: Client, editor: Client) -> None:
    shown = editor.get("/media/images/quay.png")
    assert (shown.status_code, shown.content) == (200, b"\x89PNG thumbnail")
    assert shown["Cache-Control"] == "private, max-age=3600"
    assert shown["Content-Security-Policy"].startswith("sandbox")
    assert b"".join(editor.get("/media/images/large.jpg").streaming_content) == b"x" * 300_000  # type: ignore[attr-defined]
    assert editor.get("/media/images/gone.png").status_code == 404
    assert editor.get("/media/../portolan.sqlite3").status_code == 404
    refused = visitor.get("/media/images/quay.png")
    assert (refused.status_code, refused["Location"]) == (302, "/admin/login/?next=/media/images/quay.png")


def test_documents_are_shown_to_editors_alone(visitor: Client, editor: Client, document: Document) -> None:
    for address in (document.url, document.file.url):
        assert ask(editor, address) == (200, "")
        assert ask(visitor, address) == (302, "/admin/login/")


@pytest.mark.parametrize(("kind", "status"), [("login", 200), ("groups", 302)])
def test_a_restricted_collection_is_answered_and_kept(
    visitor: Client, editor: Client, document: Document, kind: str, status: int
) -> None:
    restriction = close(document, kind)
    for address in (document.url, document.file.url):
        assert ask(editor, address)[0] == status
        assert ask(visitor, address) == (302, "/admin/login/")
    board = Group.objects.create(name="Board")
    restriction.groups.add(board)
    User.objects.get(username="mira").groups.add(board)
    assert ask(editor, document.url) == (200, "")


def test_a_password_is_asked_for(editor: Client, document: Document) -> None:
    restriction = close(document, "password")
    asked = editor.get(document.url)
    assert b"password" in asked.content
    form = {"password": "open sesame", "return_url": document.url}
    editor.post(f"/documents/authenticate_with_password/{restriction.pk}/", form)
    assert b"".join(editor.get(document.url).streaming_content) == b"%PDF-1.4"  # type: ignore[attr-defined]

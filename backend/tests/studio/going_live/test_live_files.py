"""Only people who may publish on every site that shows an image or document can change it. Other people get a new file."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.messages import get_messages
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from wagtail.documents.models import Document
from wagtail.models import Page, ReferenceIndex

from portolan.content.change_sets.holding import add
from portolan.content.change_sets.models import ChangeSet
from portolan.content.models import SiteImage
from portolan.content.site_records import SiteRecord
from portolan.domain.change_sets import State
from portolan.domain.roles import parse_site_role
from portolan.studio.files.live import may_change, sites_showing
from portolan.studio.permissions import sync_role_group

from ...releases.conftest import SVG
from .forms import OTHER_PICTURE
from .world import PDF, World

pytestmark = pytest.mark.django_db
EVERYWHERE = {"en", "uk", "de"}


@pytest.fixture
def owner(live_world: World, client: Client) -> Any:
    """Return the user who has uploaded the image and the document."""
    return sign_in(client, "editor:de")


def sign_in(client: Client, *roles: str) -> Any:
    user = get_user_model().objects.get(username="owner")
    user.groups.set([sync_role_group(parse_site_role(role)) for role in roles])
    client.defaults["HTTP_HOST"] = "studio.localhost"
    client.force_login(user)
    return user


def wants_review(site: str) -> None:
    SiteRecord.objects.filter(key=site).update(is_reviewed=True)


def files_of(world: World) -> tuple[SiteImage, Document]:
    return SiteImage.objects.get(pk=world.picture), Document.objects.get(pk=world.document)


def send(client: Client, which: Any, **changed: Any) -> str:
    """Submit the file's form and return the messages."""
    is_picture = isinstance(which, SiteImage)
    name = "wagtailimages:edit" if is_picture else "wagtaildocs:edit"
    reply = client.post(reverse(name, args=[which.pk]), {"title": which.title, "tags": "", **changed})
    assert reply.status_code == 302
    return " ".join(map(str, get_messages(reply.wsgi_request)))


def bytes_of(file: Any) -> bytes:
    with file.file.storage.open(file.file.name, "rb") as upload:
        return bytes(upload.read())


@pytest.mark.parametrize(
    ("roles", "reviewed", "changes"),
    [
        (("editor:de",), "", False),
        (("editor",), "", False),
        (("publisher:de",), "", False),
        (("publisher:de", "publisher:en"), "", False),  # the British site also shows the file
        (("publisher:de", "publisher:en", "publisher:uk"), "", True),
        (("publisher",), "", True),
        (("publisher",), "de", False),
        (("administrator",), "de", False),
    ],
)
def test_who_may_change_what_all_sites_show(live_world: World, roles: Any, reviewed: str, changes: bool) -> None:
    if reviewed:
        wants_review(reviewed)
    user = get_user_model().objects.get(username="owner")
    user.groups.set([sync_role_group(parse_site_role(role)) for role in roles])
    for file in files_of(live_world):
        assert sites_showing(file) == EVERYWHERE
        assert may_change(user, file) is changes


def test_another_file_becomes_a_new_one(client: Client, live_world: World, owner: Any) -> None:
    picture, document = files_of(live_world)
    shown = client.get(reverse("wagtailimages:edit", args=[picture.pk])).content.decode()
    assert "Visitors see this image on Deutschland, International, United Kingdom" in shown
    said = send(client, picture, title="Other", file=SimpleUploadedFile("other.svg", OTHER_PICTURE))
    assert "Saved as a new image “Other”. Visitors still see the previous image." in said
    said = send(client, document, title="Other", file=SimpleUploadedFile("other.pdf", PDF + b" other"))
    assert "Saved as a new document “Other”." in said
    for before, new, data in zip((picture, document), (SiteImage, Document), (SVG, PDF), strict=True):
        made = new.objects.get(title="Other")
        assert made.pk != before.pk
        assert made.uploaded_by_user == owner
        stored = new.objects.get(pk=before.pk)
        assert (stored.title, stored.file.name, bytes_of(stored)) == (before.title, before.file.name, data)
        assert sites_showing(made) == set()


def test_another_name_makes_a_file_of_its_own(client: Client, live_world: World, owner: Any) -> None:
    picture, document = files_of(live_world)
    for file in (picture, document):
        send(client, file, title="Renamed")
        made = type(file).objects.get(title="Renamed")
        assert bytes_of(made) == bytes_of(file)
        assert made.file.name != file.file.name
        assert type(file).objects.get(pk=file.pk).title == file.title


def test_what_visitors_do_not_see_of_it_is_changed_as_ever(client: Client, live_world: World, owner: Any) -> None:
    picture, _ = files_of(live_world)
    send(client, picture, tags="harbour")
    assert [tag.name for tag in picture.tags.all()] == ["harbour"]
    assert SiteImage.objects.count() == 1


@pytest.mark.parametrize(
    "name", ["delete", "delete_multiple", "bulk delete", "bulk add_to_collection", "bulk add_tags"]
)
def test_it_is_neither_removed_nor_moved_by_others(client: Client, live_world: World, owner: Any, name: str) -> None:
    before = files_of(live_world)
    for file in before:
        app = "wagtailimages" if isinstance(file, SiteImage) else "wagtaildocs"
        if name.startswith("bulk "):
            model = file._meta
            url = reverse("wagtail_bulk_action", args=[model.app_label, model.model_name, name.split()[1]])
            client.post(f"{url}?id={file.pk}", {"collection": file.collection_id, "tags": "x"})
        else:
            client.post(reverse(f"{app}:{name}", args=[file.pk]), headers={"x-requested-with": "XMLHttpRequest"})
        assert type(file).objects.get(pk=file.pk).collection_id == file.collection_id
        assert not file.tags.exists()


def test_what_nobody_sees_is_changed_and_removed_as_ever(client: Client, live_world: World, owner: Any) -> None:
    own = SiteImage(title="Own", file=ContentFile(SVG, name="own.svg"), uploaded_by_user=owner)
    own.save()
    send(client, own, title="Better", file=SimpleUploadedFile("other.svg", OTHER_PICTURE))
    own.refresh_from_db()
    assert own.title == "Better"
    client.post(reverse("wagtailimages:delete", args=[own.pk]))
    assert not SiteImage.objects.filter(pk=own.pk).exists()


def shows(page: Any, picture: SiteImage) -> Any:
    """Save a draft of the page with the image, and return its revision."""
    value = {"title": "A", "html": "<p>A</p>", "picture": {"image": picture.pk, "alt": "A mark"}}
    page.body = [*page.body.get_prep_value(), {"type": "image_text", "value": value, "id": "new"}]
    return page.save_revision()


def test_what_is_approved_or_published_a_moment_ago_counts(live_world: World, owner: Any) -> None:
    picture = SiteImage(title="Next", file=ContentFile(SVG, name="next.svg"), uploaded_by_user=owner)
    picture.save()
    page: Any = Page.objects.get(pk=live_world.pages["de-edited"]).specific
    revision = shows(page, picture)
    assert sites_showing(picture) == set()
    change_set = ChangeSet.objects.create(name="Next", owner=owner)
    add(change_set, page, owner)
    assert sites_showing(picture) == set()
    ChangeSet.objects.filter(pk=change_set.pk).update(state=State.REVIEW.value)
    assert sites_showing(picture) == {"de"}
    ChangeSet.objects.filter(pk=change_set.pk).update(state=State.DROPPED.value)
    assert sites_showing(picture) == set()
    revision.publish()
    ReferenceIndex.create_or_update_for_object(Page.objects.get(pk=page.pk).specific)
    assert sites_showing(picture) == {"de"}


def test_where_it_is_shown_is_seen_by_who_may_not_change_it(client: Client, live_world: World, owner: Any) -> None:
    for name, id in (
        ("wagtailimages:image_usage", live_world.picture),
        ("wagtaildocs:document_usage", live_world.document),
    ):
        assert client.get(reverse(name, args=[id])).status_code == 200

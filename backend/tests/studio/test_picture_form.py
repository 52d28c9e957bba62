"""The form of an image: a cropped copy, and descriptions that other forms suggest."""

from io import BytesIO
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.messages import get_messages
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from PIL import ExifTags, Image
from wagtail.models import Locale

from portolan.content.models import SiteImage

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("media")]
BOX = {"focal_point_x": "75", "focal_point_y": "25", "focal_point_width": "50", "focal_point_height": "50"}
"""The right half of the upper half of an image of 100 by 100."""


def quarters(mode: str = "RGB", format_: str = "JPEG", turned: bool = False) -> bytes:
    """Red and green above blue and white."""
    picture = Image.new("RGB", (100, 100), "red")
    for color, corner in (("lime", (50, 0)), ("blue", (0, 50)), ("white", (50, 50))):
        picture.paste(color, (*corner, corner[0] + 50, corner[1] + 50))
    exif = Image.Exif()
    if turned:  # the file has red, green, white, blue clockwise from the left below
        picture = picture.rotate(90)
        exif[ExifTags.Base.Orientation] = 6
    buffer = BytesIO()
    picture.convert(mode).save(buffer, format_, exif=exif)
    return buffer.getvalue()


@pytest.fixture
def editor(client: Client) -> Client:
    client.defaults["HTTP_HOST"] = "studio.localhost"
    client.force_login(get_user_model().objects.create_superuser("editor"))
    return client


def save(client: Client, image: SiteImage, **values: Any) -> HttpResponse:
    return client.post(reverse("wagtailimages:edit", args=[image.pk]), {"title": image.title, "tags": "", **values})


@pytest.mark.parametrize(
    ("data", "name", "format_"),
    [
        (quarters(), "quay.jpg", "JPEG"),
        (quarters(turned=True), "quay.jpg", "JPEG"),
        (quarters("RGBA", "PNG"), "quay.png", "PNG"),
        (quarters("CMYK"), "quay.jpg", "JPEG"),
    ],
)
def test_the_drawn_area_becomes_a_new_picture(editor: Client, data: bytes, name: str, format_: str) -> None:
    image = SiteImage.objects.create(title="Quay", file=ContentFile(data, name=name), focal_point_x=10, focal_point_y=9)
    reply = save(editor, image, **BOX, crop="on", description="The quay")
    assert reply.status_code == 302
    assert "Saved as a new image “Quay (cropped)”." in " ".join(map(str, get_messages(reply.wsgi_request)))
    made = SiteImage.objects.exclude(pk=image.pk).get()
    assert (made.width, made.height, made.description, made.has_focal_point()) == (50, 50, "The quay", False)
    assert made.file_size == made.file.storage.size(made.file.name)
    with made.file.storage.open(made.file.name) as file, Image.open(file) as picture:
        assert picture.format == format_
        red, green, blue = picture.convert("RGB").getpixel((25, 25))
        assert green > 250 > 5 > max(red, blue)
    before = SiteImage.objects.get(pk=image.pk)
    assert (before.title, before.description, before.focal_point_x, before.file.name) == (
        "Quay",
        "",
        10,
        image.file.name,
    )
    with before.file.storage.open(before.file.name) as file:
        assert file.read() == data


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "Draw a box on the image"),
        ({**BOX, "focal_point_width": "0"}, "Draw a box on the image"),
        ({**BOX, "file": SimpleUploadedFile("other.jpg", quarters("L"))}, "Save the new file first"),
    ],
)
def test_what_cannot_be_cropped_is_refused_and_nothing_is_lost(editor: Client, values: Any, said: str) -> None:
    image = SiteImage.objects.create(title="Quay", file=ContentFile(quarters(), name="quay.jpg"))
    reply = save(editor, image, title="The new title", crop="on", **values)
    assert reply.status_code == 200
    text = reply.content.decode()
    assert said in text
    assert "The new title" in text
    assert [image.title for image in SiteImage.objects.all()] == ["Quay"]


def test_a_damaged_original_is_no_error(editor: Client) -> None:
    image = SiteImage.objects.create(title="Quay", file=ContentFile(quarters(), name="quay.jpg"))
    with image.file.storage.open(image.file.name, "wb") as file:
        file.write(quarters()[:700])
    reply = save(editor, image, **BOX, crop="on")
    assert "This image cannot be cropped" in reply.content.decode()
    assert save(editor, image, title="Renamed").status_code == 302
    assert SiteImage.objects.get().title == "Renamed"


def test_a_drawing_is_not_cropped(editor: Client) -> None:
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"/>'
    image = SiteImage.objects.create(title="Mark", file=ContentFile(drawing, name="mark.svg"))
    assert "crop" not in editor.get(reverse("wagtailimages:edit", args=[image.pk])).context["form"].fields


def test_descriptions_by_language_and_by_the_id_in_forms(editor: Client) -> None:
    german, _ = Locale.objects.get_or_create(language_code="de-DE")
    image = SiteImage.objects.create(
        title="Quay",
        file=ContentFile(quarters(), name="quay.jpg"),
        description="A quay",
        descriptions={"de": "Ein Kai"},
    )
    url = reverse("studio_picture_description", args=[image.pk])
    found = editor.get(url).json()
    assert (found["en"], found["de-DE"], found[str(german.pk)]) == ("A quay", "Ein Kai", "Ein Kai")
    assert editor.get(reverse("studio_picture_description", args=[image.pk + 1])).status_code == 404
    editor.logout()
    assert editor.get(url).status_code == 302


def test_the_form_names_what_a_new_file_loses(editor: Client) -> None:
    image = SiteImage.objects.create(title="Quay", file=ContentFile(quarters(), name="quay.jpg"))
    reply = save(editor, image, file=SimpleUploadedFile("other.jpg", quarters("CMYK")))
    assert "CMYK without a colour profile" in " ".join(map(str, get_messages(reply.wsgi_request)))

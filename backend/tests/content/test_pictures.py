import gzip
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

import brotli
import pytest
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image
from wagtail.images.forms import get_image_form
from wagtail.images.models import SourceImageIOError

from portolan.content.models import SiteImage
from portolan.content.picture_worker import PictureWorker
from portolan.content.pictures import (
    _unusable,
    find_outdated,
    publish_left_over,
    publish_picture,
    remake_outdated,
    snapshot_picture,
)
from portolan.schemas.media import Picture

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("media")]
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4"><script>x</script><path d="M0 0h8" /></svg>'


def png(color: str = "#020d1c", width: int = 640) -> ContentFile:
    buffer = BytesIO()
    Image.new("RGB", (width, 320), color).save(buffer, "PNG")
    return ContentFile(buffer.getvalue(), name="Hafen Übersicht.png")


def moving(format_: str) -> bytes:
    frames = [Image.new("RGB", (40, 30), color) for color in ("red", "lime", "blue")]
    buffer = BytesIO()
    frames[0].save(buffer, format_, save_all=True, append_images=frames[1:], duration=100)
    return buffer.getvalue()


def files_of(media: Path) -> set[str]:
    return {str(file.relative_to(media)) for file in media.rglob("*") if file.is_file()}


def test_files_are_made_after_the_commit(django_capture_on_commit_callbacks: Any, media: Path) -> None:
    with django_capture_on_commit_callbacks() as waiting:
        image = SiteImage.objects.create(title="Harbour", file=png())
    assert not image.published
    for callback in waiting:
        callback()
    picture = Picture(alt="", **snapshot_picture(SiteImage.objects.get()))
    assert (picture.width, picture.height) == (640, 320)
    assert picture.mobile is not None
    assert (picture.mobile.width, picture.mobile.height) == (480, 240)
    for url in (picture.mobile.webp, picture.mobile.avif2x):
        assert url.startswith("/media/pictures/")
        assert (media / url.removeprefix("/media/")).is_file()
    assert "hafen-ubersicht-480.webp" in picture.mobile.webp


def test_nothing_is_done_twice(media: Path) -> None:
    image = SiteImage.objects.create(title="Harbour", file=png())
    assert publish_picture(image)
    before = {name: (media / name).stat().st_mtime_ns for name in files_of(media)}
    image.title = "Renamed"
    image.save()
    assert not publish_picture(SiteImage.objects.get())
    assert {name: (media / name).stat().st_mtime_ns for name in files_of(media)} == before


def test_a_new_file_gets_new_names_and_the_old_ones_stay(media: Path) -> None:
    image = SiteImage.objects.create(title="Harbour", file=png())
    publish_picture(image)
    old = dict(image.published)
    published = {name for name in files_of(media) if name.startswith("pictures/")}
    image.file = png("#ffdb00")
    image.save()
    assert publish_picture(image)
    assert image.published["mobile"]["webp"] != old["mobile"]["webp"]
    assert published < files_of(media)


def test_what_an_interrupted_write_left_is_replaced(media: Path) -> None:
    image = SiteImage.objects.create(title="Harbour", file=png())
    publish_picture(image)
    file = media / image.published["mobile"]["webp"].removeprefix("/media/")
    whole = file.read_bytes()
    file.write_bytes(whole[:10])
    image.published_from = ""
    publish_picture(image)
    assert file.read_bytes() == whole


def test_files_that_were_not_made_after_the_upload_are_made_later(media: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    image = SiteImage(title="Quay", file=png())
    image.save()
    publish_left_over()
    assert not SiteImage.objects.get(pk=image.pk).published, "they may be being made right now"
    monkeypatch.setattr("portolan.content.pictures._MADE_WITHIN", timedelta(minutes=-1))
    broken = SiteImage(title="Broken", file=png())
    broken.save()
    (media / broken.file.name).write_bytes(b"no picture")
    publish_left_over()
    assert SiteImage.objects.get(pk=image.pk).published
    assert broken.pk in _unusable
    _unusable.clear()


def test_an_svg_is_published_as_a_clean_vector(media: Path) -> None:
    image = SiteImage(title="Mark", file=ContentFile(SVG, name="mark.svg"))
    image.full_clean()
    image.save()
    publish_picture(image)
    picture = Picture(alt="", **snapshot_picture(image))
    assert (picture.width, picture.height, picture.mobile) == (8, 4, None)
    assert picture.vector is not None
    assert files_of(media)
    for name in files_of(media):
        assert b"script" not in (media / name).read_bytes()


@pytest.mark.parametrize(
    ("size", "published"),
    [
        ('width="210mm" height="297mm" viewBox="0 0 210 297"', (794, 1123)),
        ('width="10.5pc" height="2cm"', (168, 76)),
        ('width="100%" height="100%" viewBox="0 0 33.3 150.5"', (33, 150)),
        ('width="0.2" height="0.1"', (1, 1)),
        ('width="2em" height="1in"', (32, 96)),
    ],
)
def test_a_drawing_has_whole_pixels(size: str, published: tuple[int, int]) -> None:
    drawing = f'<svg xmlns="http://www.w3.org/2000/svg" {size}><rect width="24" height="24"/></svg>'
    image = SiteImage(title="Mark", file=ContentFile(drawing.encode(), name="mark.svg"))
    image.save()
    publish_picture(image)
    picture = Picture(alt="", **snapshot_picture(image))
    assert (picture.width, picture.height) == published


def cmyk(**options: Any) -> bytes:
    buffer = BytesIO()
    Image.new("CMYK", (40, 30), (255, 0, 0, 0)).save(buffer, "JPEG", **options)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.gif", moving("GIF"), "only the first frame"),
        ("a.webp", moving("WEBP"), "only the first frame"),
        ("a.jpg", cmyk(), "CMYK without a colour profile"),
        ("a.jpg", cmyk(icc_profile=b"inks"), ""),
        ("a.svg", SVG.replace(b"<path", b"<style>@import 'f.css'</style><path"), "leave out the fonts"),
        ("a.svg", SVG, ""),
    ],
)
def test_an_editor_reads_at_once_what_pages_will_not_show(name: str, data: bytes, said: str) -> None:
    form = get_image_form(SiteImage)({"title": "Coast", "collection": "1"}, {"file": SimpleUploadedFile(name, data)})
    assert form.is_valid(), form.errors
    help_text = str(get_image_form(SiteImage)(instance=form.save()).fields["title"].help_text)
    assert (said in help_text) if said else not help_text


def test_an_upgrade_makes_only_those_pictures_again_that_change(media: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = SiteImage.objects.create(title="Plain", file=png())
    inks = SiteImage.objects.create(title="Inks", file=ContentFile(cmyk(), name="inks.jpg"))
    broken = SiteImage.objects.create(title="Broken", file=png("#ffdb00"))
    for image in (plain, inks, broken):
        publish_picture(image)
        SiteImage.objects.filter(pk=image.pk).update(published_from=f"1:{image.file.name}", losses=[])
    (media / broken.file.name).write_bytes(b"no picture")
    SiteImage.objects.filter(pk=inks.pk).update(published={**inks.published, "mobile": None})
    assert find_outdated().count() == 3
    assert remake_outdated() == 1
    assert find_outdated().count() == 0
    now = {image.title: image for image in SiteImage.objects.all()}
    assert now["Plain"].published == plain.published
    assert now["Broken"].published == broken.published
    assert now["Inks"].published == inks.published
    assert now["Inks"].losses == ["colours"]


def test_an_svg_saved_past_the_form_is_clean_too(media: Path) -> None:
    image = SiteImage.objects.create(title="Mark", file=ContentFile(SVG, name="mark.svg"))
    publish_picture(image)
    drawing = media / image.published["vector"].removeprefix("/media/")
    assert b"script" not in drawing.read_bytes()
    assert brotli.decompress(Path(f"{drawing}.br").read_bytes()) == drawing.read_bytes()
    assert gzip.decompress(Path(f"{drawing}.gz").read_bytes()) == drawing.read_bytes()


def test_a_broken_svg_is_refused_in_the_form() -> None:
    upload = SimpleUploadedFile("mark.svg", b'<svg xmlns="http://www.w3.org/2000/svg"><path></svg>', "image/svg+xml")
    form = get_image_form(SiteImage)({"title": "Mark", "collection": "1"}, {"file": upload})
    assert set(form.errors) == {"file"}


def test_an_svg_is_cleaned_by_the_form(media: Path) -> None:
    upload = SimpleUploadedFile("mark.svg", SVG, "image/svg+xml")
    form = get_image_form(SiteImage)({"title": "Mark", "collection": "1"}, {"file": upload})
    assert form.is_valid(), form.errors
    form.save()
    assert [b"script" in (media / name).read_bytes() for name in files_of(media)] == [False]


def test_a_file_that_cannot_be_encoded_does_not_break_the_save(
    django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(self: PictureWorker, data: bytes) -> None:
        raise OSError("truncated")

    monkeypatch.setattr(PictureWorker, "encode", fail)
    with django_capture_on_commit_callbacks(execute=True):
        SiteImage.objects.create(title="Harbour", file=png())
    assert not SiteImage.objects.get().published
    assert "truncated" in caplog.text


def test_thumbnails_of_a_large_picture_are_made_from_a_small_file(
    django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portolan.content.pictures.DECODED_HERE", 10)
    with django_capture_on_commit_callbacks(execute=True):
        SiteImage.objects.create(title="Harbour", file=png())
    image = SiteImage.objects.get()
    with image.file.storage.open(image.file.name, "wb") as original:
        original.write(b"whoever decoded this would fail")
    shown = image.get_rendition("max-165x165")
    assert 0 < shown.width <= 165
    SiteImage.objects.update(published={})
    with pytest.raises(SourceImageIOError):
        SiteImage.objects.get().get_rendition("max-20x20")


def encoded(format_: str, size: tuple[int, int] = (64, 64), share: float = 1) -> bytes:
    """Return an image of noise, or the first ``share`` of its bytes."""
    buffer = BytesIO()
    Image.effect_noise(size, 90).convert("RGB").save(buffer, format_)
    return buffer.getvalue()[: int(len(buffer.getvalue()) * share)]


def upload_errors(name: str, data: bytes) -> list[str]:
    form = get_image_form(SiteImage)({"title": "Coast"}, {"file": SimpleUploadedFile(name, data)})
    form.is_valid()
    return list(form.errors.get("file", []))


def large_drawing() -> bytes:
    return b"<svg xmlns='http://www.w3.org/2000/svg'>" + b"<g/>" * 300_000 + b"</svg>"


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        *(
            (f"a.{name}", partial(encoded, format_, share=share), "cannot be read as an image")
            for name, format_ in (("png", "PNG"), ("jpg", "JPEG"), ("webp", "WEBP"), ("gif", "GIF"), ("avif", "AVIF"))
            for share in (0.02, 0.6)
        ),
        *(
            (f"large.{name}", partial(encoded, format_, (2100, 2000), 0.6), "cannot be read as an image")
            for name, format_ in (("png", "PNG"), ("jpg", "JPEG"), ("gif", "GIF"))
        ),
        ("a.png", b"", "empty"),
        ("a.png", b"\x89PNG\r\n\x1a\n", "cannot be read as an image"),
        ("a.png", b"\x00<svg/>", "cannot be read as an image"),
        ("a.png", large_drawing, "cannot be read as an image"),
        ("a.heic", b"\x00\x00\x00\x1cftypheic", "cannot be read as an image"),
        ("a.svg", b"\x89PNG", "SVG cannot be read"),
        ("a.svg", b"<svg", "SVG cannot be read"),
        ("a.svg", large_drawing, "20,000 elements"),
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg' width='wide'/>", "cannot be read as an image"),
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='a b'/>", "cannot be read as an image"),
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg' width='1e999' height='1e999'/>", "too many pixels"),
        ("a.png", partial(encoded, "JPEG"), "extension does not match"),
        ("a.png", partial(moving, "PNG"), "Animated images of this format"),
        ("a.avif", partial(moving, "AVIF"), "Animated images of this format"),
    ],
)  # fmt: skip
def test_an_upload_that_cannot_be_used_is_refused_with_a_reason(
    name: str, data: bytes | Callable[[], bytes], said: str
) -> None:
    (error,) = upload_errors(name, data() if callable(data) else data)
    assert said in error


@pytest.mark.parametrize("format_", ["PNG", "JPEG", "WEBP", "GIF", "AVIF"])
def test_whole_pictures_are_taken(format_: str) -> None:
    assert upload_errors(f"a.{format_.lower()}", encoded(format_)) == []
    assert upload_errors("a.svg", SVG) == []


def test_a_description_in_each_language(settings: Any) -> None:
    image = SiteImage.objects.create(title="Harbour", file=png())
    form = get_image_form(SiteImage)(instance=image)
    names = [name for name in form.fields if name.startswith("description")]
    assert names == ["description", *(f"description_{language}" for language in ("de", "ar", "az", "ru", "pl", "fr"))]
    data = {"title": "Harbour", "description": "A harbour", "description_de": "Ein Hafen", "description_fr": ""}
    form = get_image_form(SiteImage)(data, instance=image)
    assert form.is_valid(), form.errors
    form.save()
    stored = SiteImage.objects.get()
    described = {language: stored.describe(language) for language in ("en", "en-GB", "de-DE", "de", "fr-FR", "xx")}
    assert described == {
        "en": "A harbour", "en-GB": "A harbour", "de-DE": "Ein Hafen", "de": "Ein Hafen", "fr-FR": "", "xx": ""
    }  # fmt: skip

"""Which media visitors may have: those of live releases, except deleted or restricted documents."""

from pathlib import Path

import pytest

from portolan.builds.live import read_live
from portolan.builds.manifest import manifest_path
from portolan.builds.shown_media import read_shown_media, shown_media_file
from portolan.content.blocks.download import DownloadBlock
from portolan.publisher.live_media import LiveMedia
from portolan.publisher.publish import Publisher
from portolan.releases.reader import open_reader

from .conftest import MakePublisher
from .release_book import ReleaseBook, picture

QUAY, CRANE = "pictures/0123456789abcdef", "pictures/fedcba9876543210"
OFFER = "/media/documents/0123456789abcdef/offer.pdf"


def shown(builds: Path) -> set[str]:
    found = read_shown_media(builds)
    assert found
    return set(found.folders)


@pytest.fixture
def builds(tmp_path: Path) -> Path:
    return tmp_path / "builds"


@pytest.fixture
def publisher(make_publisher: MakePublisher) -> Publisher:
    return make_publisher()


@pytest.fixture
def live_media(book: ReleaseBook, builds: Path) -> LiveMedia:
    return LiveMedia(builds, open_reader(book.url))


def put(book: ReleaseBook, key: str, folder: str, media: Path) -> None:
    (media / folder).mkdir(parents=True, exist_ok=True)
    (media / f"{folder}/x.svg").write_text("<svg/>")
    book.content["", "picture", key] = picture(f"{folder}/x")


def place(book: ReleaseBook, key: str) -> None:
    book.content["de", "page", "about"]["blocks"][0]["picture"] = {"$picture": key, "alt": ""}


def test_a_picture_is_public_from_the_release_that_places_it(
    publisher: Publisher, book: ReleaseBook, builds: Path, media: Path, live_media: LiveMedia
) -> None:
    put(book, "7", QUAY, media)
    put(book, "8", CRANE, media)
    book.release()
    publisher.publish()
    assert not {QUAY, CRANE} & shown(builds)
    place(book, "7")
    book.release()
    publisher.publish()
    assert {QUAY, CRANE} & shown(builds) == {QUAY}
    place(book, "8")
    book.release()
    publisher.publish()
    live_media.renew()
    assert {QUAY, CRANE} <= shown(builds), "a kept build can be gone back to"
    live = read_live(builds).builds
    for site in live:
        for path in manifest_path(builds, site, "x").parent.glob("*.json"):
            if path.stem != live[site]:
                path.unlink()
    live_media.renew()
    assert {QUAY, CRANE} & shown(builds) == {CRANE}


def test_an_edit_without_a_new_picture_writes_nothing(publisher: Publisher, book: ReleaseBook, builds: Path) -> None:
    book.release()
    publisher.publish()
    before = shown_media_file(builds).stat()
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Neu"
    book.release()
    publisher.publish()
    assert shown_media_file(builds).stat() == before


@pytest.mark.parametrize("text", [None, "{"])
def test_where_nobody_knows_all_kept_builds_are_looked_at(
    publisher: Publisher, book: ReleaseBook, builds: Path, media: Path, text: str | None
) -> None:
    put(book, "7", QUAY, media)
    place(book, "7")
    book.release()
    publisher.publish()
    shown_media_file(builds).write_text(text) if text else shown_media_file(builds).unlink()
    put(book, "8", CRANE, media)
    place(book, "8")
    book.release()
    publisher.publish()
    assert {QUAY, CRANE} <= shown(builds)


def test_who_goes_back_may_have_the_pictures_of_then(
    publisher: Publisher, book: ReleaseBook, builds: Path, media: Path
) -> None:
    put(book, "7", QUAY, media)
    place(book, "7")
    first = book.release()
    publisher.publish()
    shown_media_file(builds).write_text('{"folders": [], "covers": {}}')
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Neu"
    book.release()
    publisher.publish()
    publisher.go_back(first, by="anna")
    assert QUAY in shown(builds)


def test_a_document_is_withdrawn_while_the_page_that_offers_it_waits(
    publisher: Publisher, book: ReleaseBook, builds: Path
) -> None:
    """A release lacks both deleted and restricted documents."""
    offer = DownloadBlock().snapshot({"title": "List", "document": 1, "link_title": "Take it"}, "download", {})
    book.content["de", "page", "web"]["blocks"].append(offer)
    book.content["", "document", "1"] = {"url": OFFER, "kind": "pdf", "size": 4}
    book.release()
    publisher.publish()
    assert not read_live(builds).withdrawn
    document = book.content.pop(("", "document", "1"))
    book.release()
    publisher.publish(keep_going=True)
    live = read_live(builds)
    assert set(live.withdrawn) == {OFFER}
    book.content["", "document", "1"] = document
    book.release()
    publisher.publish(keep_going=True)
    assert not read_live(builds).withdrawn


def test_a_file_that_was_replaced_is_not_withdrawn(publisher: Publisher, book: ReleaseBook, builds: Path) -> None:
    for digest in ("0123456789abcdef", "fedcba9876543210"):
        book.content["", "document", "1"] = {"url": f"/media/documents/{digest}/offer.pdf", "kind": "pdf", "size": 4}
        book.release()
        publisher.publish()
    assert not read_live(builds).withdrawn

"""Media on machines with disks of their own: the files that visitors see travel with the live build."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from portolan.builds.follow import Follower
from portolan.builds.manifest import BuildError
from portolan.builds.media_copies import ListedMedia, MediaCopies, UploadedMedia
from portolan.builds.media_lists import LISTS, MediaFile, pack_list
from portolan.builds.media_pull import MediaPull
from portolan.builds.media_source import MediaFolder, MediaStorage
from portolan.builds.object_store import ObjectStore
from portolan.builds.shared_pointer import POINTER, SharedMedia, unpack_pointer
from portolan.domain.picture_sizes import WIDTHS
from portolan.edge.app import Edge
from portolan.edge.stored_media import StoredMedia
from portolan.publisher.housekeeping import Housekeeping
from portolan.publisher.lock import publish_lock

from ..edge.conftest import Answer, ask_app, echo
from .conftest import MakePublisher
from .machine import Machine
from .release_book import ReleaseBook, page, picture, rich_text

QUAY = "pictures/0123456789abcdef/quay"
OFFER = "documents/0123456789abcdef/offer.pdf"
FILM = "documents/fedcba9876543210/film.webm"
DRAWING = b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="6"><rect width="8" height="6"/></svg>'
BYTES = bytes(range(256)) * 40


class EdgeMachine:
    """It has only the build store."""

    def __init__(self, folder: Path, objects: ObjectStore) -> None:
        self.builds, self.folder = folder / "builds", folder / "cache/media"
        self.objects = objects
        self.copies = MediaCopies(self.folder, [folder / "media"])
        self.pull = MediaPull(self.builds, objects, self.copies)
        self.follower = Follower(self.builds, objects, media=self.pull)

    def ask(self, path: str, **more: str) -> Answer:
        stored = StoredMedia(self.copies, ListedMedia(self.builds, self.objects))
        return ask_app(Edge(self.builds, stored, lambda: echo), path, "de.localhost:8000", **more)

    def has(self, name: str) -> bool:
        return (self.folder / name).is_file()


@pytest.fixture
def objects(tmp_path: Path) -> ObjectStore:
    """A store in a folder. Tests of ``ObjectStore``, and one below, check that S3 does the same."""
    return ObjectStore((tmp_path / "shared").as_uri())


@pytest.fixture
def uploads(media: Path) -> Path:
    """Write files of the studio: a drawing with its compressed copies, a document, a video, an original."""
    for name, data in {
        f"{QUAY}.svg": DRAWING,
        f"{QUAY}.svg.br": b"br",
        f"{QUAY}.svg.gz": b"gz",
        "pictures/fedcba9876543210/unused.svg": DRAWING,
        OFFER: b"%PDF",
        FILM: BYTES,
        "originals/0123456789abcdef/quay.svg": b"<svg onload='x'/>",
    }.items():
        (media / name).parent.mkdir(parents=True, exist_ok=True)
        (media / name).write_bytes(data)
    return media


@pytest.fixture
def publishing(
    tmp_path: Path, objects: ObjectStore, book: ReleaseBook, make_publisher: MakePublisher, uploads: Path
) -> Machine:
    """A publisher that has published a page with an image, a document and a video."""
    machine = Machine(tmp_path / "first", objects, book.url, make_publisher, MediaFolder(uploads))
    book.content["", "picture", "2"] = picture(QUAY)
    book.content["", "picture", "3"] = picture("pictures/fedcba9876543210/unused")
    put_page(book)
    machine.publish()
    return machine


@pytest.fixture
def edge(tmp_path: Path, objects: ObjectStore) -> EdgeMachine:
    return EdgeMachine(tmp_path / "edge", objects)


@pytest.fixture
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("builds.media_pull", "edge.stored_media"):
        monkeypatch.setattr(f"portolan.{module}.LARGE_BYTES", 5000)


def put_page(
    book: ReleaseBook, links: str = f'<a href="/media/{OFFER}">Offer</a><a href="/media/{FILM}">Film</a>'
) -> None:
    body = page("/quay", "The quay", parent="home", blocks=[rich_text(f"<p>{links}</p>")])
    body["blocks"][0]["picture"] = {"$picture": "2", "alt": "A quay"}
    book.content["de", "page", "quay"] = body
    book.release()


def listed(edge: EdgeMachine) -> set[str]:
    return set(ListedMedia(edge.builds, edge.objects).files)


def test_an_edge_has_what_a_page_shows_before_it_shows_the_page(
    publishing: Machine, edge: EdgeMachine, book: ReleaseBook, uploads: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edge.follower.look()
    assert edge.ask("/quay").status == 200
    assert not edge.has(f"{QUAY}.svg"), "a new machine does not wait for media"
    while edge.pull.has_rest:
        edge.pull.bring_rest()
    assert listed(edge) == {f"{QUAY}.svg", f"{QUAY}.svg.br", f"{QUAY}.svg.gz", OFFER, FILM}
    new = "pictures/1111111111111111/crane.svg"
    (uploads / new).parent.mkdir()
    (uploads / new).write_bytes(b"<svg>crane</svg>")
    book.content["", "picture", "2"] = picture(new.removesuffix(".svg"))
    put_page(book)
    publishing.publish()
    assert edge.follower.look()
    monkeypatch.setattr(edge, "objects", None)  # from here on it has its disk alone
    assert new in edge.ask("/quay").text
    assert edge.ask(f"/media/{new}").body == b"<svg>crane</svg>"
    document = edge.ask(f"/media/{OFFER}")
    assert (document.body, document.headers["content-disposition"]) == (b"%PDF", "attachment")
    assert edge.ask(f"/media/{QUAY}.svg", accept_encoding="br").body == b"br"
    tag = edge.ask(f"/media/{OFFER}").headers["etag"]
    assert (
        tag
        == ask_app(Edge(publishing.root, uploads, lambda: echo), f"/media/{OFFER}", "de.localhost:8000").headers["etag"]
    )


@pytest.mark.parametrize(
    "path",
    ["/media/pictures/fedcba9876543210/unused.svg", "/media/originals/0123456789abcdef/quay.svg", "/media/harbour.svg"],
)
def test_nothing_else_of_the_studio_s_files_leaves_it(publishing: Machine, edge: EdgeMachine, path: str) -> None:
    edge.follower.look()
    assert edge.ask(path).status == 404
    keys = [each.key for each in edge.objects.list("media/files")]
    assert len(keys) == 5


def test_a_film_is_passed_on_from_the_store_until_its_copy_is_here(
    publishing: Machine, edge: EdgeMachine, small_is_large: None
) -> None:
    edge.follower.look()
    while edge.pull.has_rest:
        edge.pull.bring_rest()
    assert not edge.has(FILM), "large files come when somebody asks for them"
    part = edge.ask(f"/media/{FILM}", range="bytes=1000-1999")
    assert (part.status, part.body) == (206, BYTES[1000:2000])
    assert part.headers["content-range"] == f"bytes 1000-1999/{len(BYTES)}"
    assert part.headers["content-type"] == "video/webm"
    whole = edge.ask(f"/media/{FILM}")
    assert (whole.status, whole.body) == (200, BYTES)
    edge.copies.bring(ListedMedia(edge.builds, edge.objects), FILM, ListedMedia(edge.builds, edge.objects).files[FILM])
    kept = edge.ask(f"/media/{FILM}", range="bytes=1000-1999", if_range=part.headers["etag"])
    assert (kept.status, kept.body, kept.headers["etag"]) == (206, part.body, part.headers["etag"])


def test_what_was_lost_here_is_brought_when_somebody_asks_and_not_while_the_store_is_away(
    s3_bucket: str,
    tmp_path: Path,
    book: ReleaseBook,
    make_publisher: MakePublisher,
    uploads: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    objects = ObjectStore(s3_bucket)
    machine = Machine(tmp_path / "first", objects, book.url, make_publisher, MediaFolder(uploads))
    book.content["", "picture", "2"] = picture(QUAY)
    put_page(book)
    machine.publish()
    edge = EdgeMachine(tmp_path / "edge", objects)
    edge.follower.look()
    assert edge.ask(f"/media/{QUAY}.svg", accept_encoding="gzip").body == b"gz"
    with monkeypatch.context() as away:
        away.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
        away.setattr(edge, "objects", ObjectStore(s3_bucket))
        assert edge.ask(f"/media/{QUAY}.svg").body == DRAWING, "its copy is here"
        gone = edge.ask(f"/media/{OFFER}")
        assert (gone.status, gone.headers["retry-after"]) == (503, "5")
        assert gone.headers["cache-control"] == "no-store"
    assert edge.ask(f"/media/{OFFER}").body == b"%PDF"


def test_a_drawing_that_is_only_in_the_store_is_drawn_here(publishing: Machine, edge: EdgeMachine) -> None:
    edge.follower.look()
    width = min(WIDTHS.values())
    answer = edge.ask(f"/media/{QUAY}-{width}.webp")
    assert (answer.status, answer.headers["content-type"]) == (200, "image/webp")
    assert edge.has(f"{QUAY}.svg")


def test_a_withdrawn_document_leaves_the_store_and_the_edges(
    publishing: Machine, edge: EdgeMachine, book: ReleaseBook, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    edge.follower.look()
    while edge.pull.has_rest:
        edge.pull.bring_rest()
    put_page(book, links="nothing")
    publishing.publish()
    edge.follower.look()
    assert edge.ask(f"/media/{OFFER}").status == 404, "at once: no live page leads to it"
    assert edge.has(OFFER)
    monkeypatch.setattr("portolan.publisher.shared_builds._UNNEEDED_BEFORE_REMOVAL", timedelta(hours=-1))
    with publish_lock(publishing.root, shared=publishing.shared):
        publishing.shared.tidy([])
    keys = {each.key for each in edge.objects.list("media/")}
    assert len(keys) == 1 + 3, "one list; a drawing with its copies"
    edge.follower.look()
    edge.pull.prune(unpack_pointer(edge.objects.get(POINTER)))
    assert not edge.has(OFFER)
    assert edge.has(f"{QUAY}.svg")
    assert edge.ask(f"/media/{QUAY}.svg").status == 200


def test_each_publish_puts_there_only_what_is_new(publishing: Machine, objects: ObjectStore, book: ReleaseBook) -> None:
    before = {each.key: each.changed for each in objects.list("media/")}
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Seit 2007"
    book.release()
    publishing.publish()
    assert {each.key: each.changed for each in objects.list("media/")} == before
    pointer = unpack_pointer(objects.get(POINTER))
    assert pointer.media and list(pointer.media.covers) == ["2"]


def test_a_second_publisher_and_a_way_back_find_the_media_of_their_releases(
    publishing: Machine,
    edge: EdgeMachine,
    tmp_path: Path,
    book: ReleaseBook,
    make_publisher: MakePublisher,
    uploads: Path,
    objects: ObjectStore,
) -> None:
    second = Machine(tmp_path / "second", objects, book.url, make_publisher, MediaFolder(uploads))
    (uploads / "pictures/3333333333333333").mkdir()
    (uploads / "pictures/3333333333333333/new.svg").write_bytes(b"<svg>new</svg>")
    book.content["", "picture", "2"] = picture("pictures/3333333333333333/new")
    book.release()
    second.publish()
    edge.follower.look()
    assert {"pictures/3333333333333333/new.svg", f"{QUAY}.svg"} <= listed(edge)
    for key in [each.key for each in objects.list()]:
        objects.delete([key])  # the store was emptied
    with publish_lock(second.root, shared=second.shared):
        second.publisher.go_back(1)
    again = EdgeMachine(tmp_path / "again", objects)
    again.follower.look()
    assert f"{QUAY}.svg" in listed(again)
    assert again.ask(f"/media/{OFFER}").status == 200


def test_a_release_that_was_never_live_can_be_gone_back_to(
    publishing: Machine, edge: EdgeMachine, book: ReleaseBook, uploads: Path
) -> None:
    for digit in "67":
        name = f"pictures/{digit * 16}/quay"
        (uploads / name).parent.mkdir()
        (uploads / f"{name}.svg").write_bytes(DRAWING)
        book.content["", "picture", "2"] = picture(name)
        book.release()
    publishing.publish()
    edge.follower.look()
    assert f"pictures/{'6' * 16}/quay.svg" not in listed(edge)
    with publish_lock(publishing.root, shared=publishing.shared):
        publishing.publisher.go_back(2)
    edge.follower.look()
    assert edge.ask(f"/media/pictures/{'6' * 16}/quay.svg").body == DRAWING


def test_what_was_withdrawn_and_damaged_is_put_there_anew(
    publishing: Machine, edge: EdgeMachine, book: ReleaseBook, monkeypatch: pytest.MonkeyPatch, objects: ObjectStore
) -> None:
    monkeypatch.setattr("portolan.publisher.shared_builds._UNNEEDED_BEFORE_REMOVAL", timedelta(hours=-1))
    put_page(book, links="nothing")
    publishing.publish()
    with publish_lock(publishing.root, shared=publishing.shared):
        publishing.shared.tidy([])
    put_page(book)
    publishing.publish()
    edge.follower.look()
    assert edge.ask(f"/media/{OFFER}").body == b"%PDF"
    for name in (unpack_pointer(objects.get(POINTER)).media or SharedMedia([], {})).lists:
        objects.put(LISTS + name, b"[]")
    publishing.shared._version = publishing.shared._pointer = None  # as a publisher that starts
    assert publishing.shared._media
    publishing.shared._media.take_over(None)
    put_page(book, links=f'<a href="/media/{FILM}">Film</a>')
    publishing.publish()
    other = EdgeMachine(edge.builds.parent / "other", objects)
    assert other.follower.look()
    assert other.ask(f"/media/{QUAY}.svg").body == DRAWING
    assert other.ask(f"/media/{FILM}").body == BYTES


def test_without_its_own_media_a_publisher_leaves_what_is_there(
    publishing: Machine,
    edge: EdgeMachine,
    tmp_path: Path,
    book: ReleaseBook,
    make_publisher: MakePublisher,
    objects: ObjectStore,
) -> None:
    other = Machine(tmp_path / "other", objects, book.url, make_publisher)
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Seit 2007"
    book.release()
    other.publish()
    with publish_lock(other.root, shared=other.shared):
        other.shared.tidy([])
    edge.follower.look()
    assert edge.ask(f"/media/{QUAY}.svg").status == 200


@pytest.mark.parametrize("name", ["../escape.json", "documents/../../x", "/etc/passwd", ".hidden", "a//b"])
def test_a_list_with_names_that_lead_elsewhere_is_refused(edge: EdgeMachine, objects: ObjectStore, name: str) -> None:
    list_name, data = pack_list(1, {name: MediaFile(1, "0" * 32, 1)})
    objects.put(LISTS + list_name, data)
    with pytest.raises(BuildError, match="is not the name of a file"):
        edge.pull.pull(
            unpack_pointer(b'{"switch":"a","live":{"sites":{}},"hosts":{},"indexes":[]}')._replace(
                media=SharedMedia([list_name], {})
            )
        )


def test_damaged_bytes_are_never_served(publishing: Machine, edge: EdgeMachine, objects: ObjectStore) -> None:
    edge.follower.look()
    key = ListedMedia(edge.builds, objects).files[OFFER].key
    objects.put(key, b"evil")
    assert edge.ask(f"/media/{OFFER}").status == 503
    assert not edge.has(OFFER)
    objects.put(key, b"%PDF")
    assert edge.ask(f"/media/{OFFER}").body == b"%PDF"


@pytest.fixture
def storage(tmp_path: Path, uploads: Path) -> Iterator[MediaStorage]:
    """The studio's files, in a storage that machines share."""
    objects = ObjectStore((tmp_path / "storage").as_uri())
    for path in uploads.rglob("*"):
        if path.is_file():
            objects.put(path.relative_to(uploads).as_posix(), path)
    yield MediaStorage(objects)


def test_a_publisher_reads_uploads_from_a_storage(
    tmp_path: Path,
    storage: MediaStorage,
    book: ReleaseBook,
    make_publisher: Callable[..., object],
    objects: ObjectStore,
    edge: EdgeMachine,
    uploads: Path,
) -> None:
    machine = Machine(tmp_path / "first", objects, book.url, make_publisher, storage)  # type: ignore[arg-type]
    machine.publisher._media = storage
    book.content["", "picture", "2"] = picture(QUAY)
    put_page(book)
    assert machine.publish().problems == []
    edge.follower.look()
    assert edge.ask(f"/media/{QUAY}.svg").body == DRAWING
    for name in ("pictures/4444444444444444/never.svg", "documents/gone.pdf", "../first/live.json", "pictures/../x"):
        assert not storage.has(name)
    assert storage.has("pictures/0123456789abcdef/quay.svg")
    storage.remove([OFFER])
    assert not storage.has(OFFER)
    Housekeeping(machine.root, storage).prune()


def test_without_a_build_store_files_come_from_the_storage_of_uploads(
    tmp_path: Path, storage: MediaStorage, publishing: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = MediaCopies(tmp_path / "copies")
    stored = StoredMedia(copies, UploadedMedia(storage.objects))

    def ask(path: str) -> Answer:
        return ask_app(Edge(publishing.root, stored, lambda: echo), path, "de.localhost:8000")

    assert ask(f"/media/{QUAY}.svg").body == DRAWING
    assert (ask(f"/media/{OFFER}").body, (copies.folder / OFFER).is_file()) == (b"%PDF", True)
    asked: list[str] = []
    monkeypatch.setattr(storage.objects, "find", asked.append)
    lost = QUAY.replace("quay", "lost.webp")
    for path in (
        f"/media/{lost}",
        "/media/pictures/5555555555555555/none.webp",
        "/media/originals/0123456789abcdef/quay.svg",
    ):
        assert (ask(path).status, ask(path).status) == (404, 404)
    assert asked == [lost], "nothing private, nothing that no release shows, and what is not there only once"


def test_the_studio_s_host_passes_on_what_is_not_published_yet(publishing: Machine, edge: EdgeMachine) -> None:
    edge.follower.look()
    app = Edge(edge.builds, StoredMedia(edge.copies, ListedMedia(edge.builds, edge.objects)), lambda: echo)
    path = "/media/pictures/fedcba9876543210/unused.svg"
    assert ask_app(app, path, "de.localhost:8000").status == 404
    assert ask_app(app, path, "studio.localhost:8000").headers["x-backend"] == "1"
    assert ask_app(app, f"/media/{QUAY}.svg", "studio.localhost:8000").body == DRAWING

from pathlib import Path

import orjson
import pytest

from portolan.builds.hosts import build_hosts, write_hosts
from portolan.builds.live import switch_live
from portolan.builds.manifest import manifest_path
from portolan.builds.shown_media import ShownMedia, shown_media_file, write_shown_media
from portolan.builds.store import digest_of
from portolan.schemas.codes import Environment

from .conftest import DE, EN, PORT, REGISTRY, STUDIO, Harbour, build, echo, pages


@pytest.mark.parametrize("host", ["localhost:8000", "de.localhost:8000", STUDIO])
def test_pictures_are_served_on_every_host_and_kept_for_good(harbour: Harbour, host: str) -> None:
    answer = harbour.ask("/media/pictures/quay.png", host)
    assert (answer.status, answer.body) == (200, b"\x89PNG quay")
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert harbour.ask("/media/pictures/quay.png", host, if_none_match=answer.headers["etag"]).status == 304


@pytest.mark.parametrize(
    ("path", "content_type", "downloaded"),
    [
        ("/media/pictures/logo.svg", "image/svg+xml", False),
        ("/media/pictures/large.jpg", "image/jpeg", False),
        ("/media/documents/offer.pdf", "application/pdf", True),
        ("/media/pictures/page.html", "application/octet-stream", True),
    ],
)
def test_nothing_an_editor_uploads_can_run(harbour: Harbour, path: str, content_type: str, downloaded: bool) -> None:
    answer = harbour.ask(path)
    assert answer.status == 200
    assert answer.headers["content-type"] == content_type
    assert answer.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert (answer.headers.get("content-disposition") == "attachment") is downloaded


def test_a_large_file_is_sent_in_parts_and_answers_304(harbour: Harbour) -> None:
    answer = harbour.ask("/media/pictures/large.jpg")
    assert answer.body == b"x" * 300_000
    assert answer.headers["content-length"] == "300000"
    assert harbour.ask("/media/pictures/large.jpg", if_none_match=answer.headers["etag"]).status == 304


FILM = bytes(range(256)) * 1000


def test_a_film_says_that_it_can_be_had_in_parts(harbour: Harbour) -> None:
    answer = harbour.ask("/media/pictures/film.webm")
    assert (answer.status, answer.body) == (200, FILM)
    assert answer.headers["content-type"] == "video/webm"
    assert answer.headers["accept-ranges"] == "bytes"
    assert answer.headers["content-security-policy"].endswith("media-src 'self'")
    assert answer.headers["content-length"] == "256000"
    assert harbour.ask("/media/pictures/film.webm", if_none_match=answer.headers["etag"]).status == 304
    head = harbour.ask("/media/pictures/film.webm", method="HEAD", range="bytes=0-1")
    assert (head.status, head.headers["content-length"], head.body) == (200, "256000", b"")


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [
        ("bytes=0-1", 0, 1),  # Safari starts with it, and plays nothing after a reply with the whole file
        ("bytes=0-", 0, 255_999),
        ("bytes=1000-200999", 1000, 200_999),
        ("bytes=-5", 255_995, 255_999),
        ("bytes=255999-999999", 255_999, 255_999),
    ],
)
def test_a_part_of_a_film_is_sent_as_that(harbour: Harbour, asked: str, first: int, last: int) -> None:
    answer = harbour.ask("/media/pictures/film.webm", range=asked)
    assert answer.status == 206
    assert answer.headers["content-range"] == f"bytes {first}-{last}/256000"
    assert answer.headers["content-length"] == str(last + 1 - first)
    assert answer.body == FILM[first : last + 1]


@pytest.mark.parametrize("asked", ["bytes=256000-", "bytes=-0"])
def test_a_part_that_is_not_there_is_416(harbour: Harbour, asked: str) -> None:
    answer = harbour.ask("/media/pictures/film.webm", range=asked)
    assert (answer.status, answer.body) == (416, b"")
    assert answer.headers["content-range"] == "bytes */256000"


@pytest.mark.parametrize("asked", ["bytes=0-1,5-6", "bytes=-", "bytes=5-1", "lines=1-2", "bytes=a-b", ""])
def test_what_is_no_single_part_is_answered_with_the_whole(harbour: Harbour, asked: str) -> None:
    assert harbour.ask("/media/pictures/film.webm", range=asked).status == 200


def test_a_part_of_a_film_that_has_changed_since_is_not_sent(harbour: Harbour) -> None:
    etag = harbour.ask("/media/pictures/film.webm").headers["etag"]
    assert harbour.ask("/media/pictures/film.webm", range="bytes=0-1", if_range=etag).status == 206
    assert harbour.ask("/media/pictures/film.webm", range="bytes=0-1", if_range='"older"').status == 200


@pytest.mark.parametrize(
    "path", ["/media/", "/media/images", "/media/pictures/passwd.png", "/media/.secret", "/media//images/quay.png"]
)
def test_folders_links_that_lead_out_and_hidden_files_are_not_there(harbour: Harbour, path: str) -> None:
    assert harbour.ask(path).status == 404


@pytest.mark.parametrize(
    "path",
    [
        "/media/documents/private.pdf",
        "/media/documents/0123456789abcdef/checklist.pdf",
        "/media/originals/0123456789abcdef/quay.png",
        "/media/images/quay.max-165x165.png",
        "/media/avatar_images/editor.png",
    ],
)
def test_visitors_get_no_file_that_no_live_page_offers(harbour: Harbour, path: str) -> None:
    file = harbour.media.parent / path[1:]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"private")
    assert harbour.ask(path).status == 404
    assert harbour.ask(path, STUDIO).text == f"GET {path} {STUDIO}"  # the studio checks the user


def test_a_document_is_public_as_long_as_a_live_page_of_any_site_offers_it(harbour: Harbour) -> None:
    path = "/media/documents/0123456789abcdef/checklist.pdf"
    assert harbour.ask(path).status == 404
    harbour.build("b", {"/": f'<a href="{path}">Take it</a>'}, site="de")
    harbour.later()
    assert [harbour.ask(path, host).status for host in (EN, DE)] == [200, 200]
    assert harbour.ask(path).status == 200  # from memory
    harbour.build("c", {"/": "home"}, site="de")
    harbour.later()
    assert [harbour.ask(path, host).status for host in (EN, DE)] == [404, 404]


def test_builds_of_before_this_was_noted_still_offer_their_documents(harbour: Harbour) -> None:
    for site in ("en", "de"):
        file = manifest_path(harbour.root, site, "a")
        head, _, rest = file.read_bytes().partition(b"\n")
        body = orjson.loads(b"{" + rest)
        assert [*body.pop("documents").values()] == [["/media/documents/offer.pdf"]]
        data = orjson.dumps(body)
        known = orjson.loads(head.rstrip(b",") + b"}")
        del known["digest"]
        file.write_bytes(orjson.dumps({**known, "check": digest_of(data)})[:-1] + b",\n" + data[1:] + b"\n")
    assert harbour.ask("/media/documents/offer.pdf").status == 200
    assert harbour.ask("/media/documents/private.pdf").status == 404


def test_a_deleted_picture_is_gone_within_a_minute(harbour: Harbour) -> None:
    assert harbour.ask("/media/pictures/quay.png").status == 200
    (harbour.media / "pictures/quay.png").unlink()
    harbour._now += 61
    assert harbour.ask("/media/pictures/quay.png").status == 404


@pytest.mark.parametrize(
    ("accepted", "coding", "body"),
    [("gzip, br", "br", b"small"), ("gzip", "gzip", b"middling"), ("", None, None), ("br;q=0", None, None)],
)
def test_a_drawing_goes_out_as_the_copy_beside_it_that_the_client_takes(
    harbour: Harbour, accepted: str, coding: str | None, body: bytes | None
) -> None:
    drawing = harbour.media / "pictures/logo.svg"
    (harbour.media / "pictures/logo.svg.br").write_bytes(b"small")
    (harbour.media / "pictures/logo.svg.gz").write_bytes(b"middling")
    answer = harbour.ask("/media/pictures/logo.svg", accept_encoding=accepted)
    assert (answer.headers.get("content-encoding"), answer.body) == (coding, body or drawing.read_bytes())
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["vary"] == "accept-encoding"
    assert harbour.ask("/media/pictures/logo.svg", if_none_match=answer.headers["etag"]).status == 304


@pytest.mark.parametrize(
    ("environment", "host", "robots"),
    [
        ("production", "brightmoor.example", None),
        ("production", "studio.brightmoor.example", "noindex, nofollow"),
        ("staging", "staging.brightmoor.example", "noindex, nofollow"),
        ("staging", "de.staging.brightmoor.example", "noindex, nofollow"),
    ],
)
def test_search_engines_are_kept_out_of_pictures_where_they_are_kept_out_of_pages(
    root: Path, media: Path, environment: Environment, host: str, robots: str | None
) -> None:
    write_hosts(root, build_hosts(REGISTRY, environment, PORT))
    harbour = Harbour(root, media, build, lambda: echo)
    for path in ("/media/pictures/quay.png", "/media/pictures/large.jpg"):
        for _ in range(2):  # the second one comes from memory
            answer = harbour.ask(path, host, scheme="https")
            assert (answer.status, answer.headers.get("x-robots-tag")) == (200, robots)


def test_a_withdrawn_document_is_gone_while_a_page_still_leads_to_it(harbour: Harbour) -> None:
    assert harbour.ask("/media/documents/offer.pdf").status == 200
    switch_live(harbour.root, {}, withdrawn=["/media/documents/offer.pdf"])
    assert harbour.ask("/media/documents/offer.pdf").status == 404
    harbour.build("b", pages("en", "2"))  # publishing another page leaves it removed
    assert harbour.ask("/media/documents/offer.pdf").status == 404
    switch_live(harbour.root, {}, withdrawn=[])
    assert harbour.ask("/media/documents/offer.pdf").status == 200


def test_a_picture_is_public_once_a_release_shows_it(harbour: Harbour) -> None:
    placed, unplaced = "pictures/0123456789abcdef", "pictures/fedcba9876543210"
    for folder in (placed, unplaced):
        (harbour.media / folder).mkdir()
        (harbour.media / folder / "quay-480.webp").write_bytes(b"RIFF")
    assert harbour.ask(f"/media/{unplaced}/quay-480.webp").status == 200  # the list of shown files is missing
    write_shown_media(harbour.root, ShownMedia(frozenset([placed])))
    assert harbour.ask(f"/media/{placed}/quay-480.webp").status == 200
    for path in (f"/media/{unplaced}/quay-480.webp", f"/media/{placed}/../fedcba9876543210/quay-480.webp"):
        assert harbour.ask(path).status in (400, 404)
    shown = harbour.ask(f"/media/{unplaced}/quay-480.webp", STUDIO)
    assert shown.headers == {"x-backend": "1"}  # the studio checks the user
    shown_media_file(harbour.root).write_text("{")
    assert harbour.ask(f"/media/{placed}/quay-480.webp").status == 200
    assert harbour.ask(f"/media/{unplaced}/quay-480.webp").status == 404
    write_shown_media(harbour.root, ShownMedia(frozenset([unplaced])))
    assert harbour.ask(f"/media/{placed}/quay-480.webp").status == 404  # from memory neither


def test_a_large_download_goes_on_where_it_broke_off(harbour: Harbour) -> None:
    whole = harbour.ask("/media/pictures/large.jpg")
    assert (whole.status, whole.headers["accept-ranges"], len(whole.body)) == (200, "bytes", 300_000)
    etag = whole.headers["etag"]
    rest = harbour.ask("/media/pictures/large.jpg", range="bytes=299990-", if_range=etag)
    assert (rest.status, rest.headers["content-range"], rest.body) == (206, "bytes 299990-299999/300000", b"x" * 10)
    assert harbour.ask("/media/pictures/large.jpg", range="bytes=300000-").status == 416
    for asked in ("bytes=0-1,5-6", "bytes=0-1, -1", "bytes=abc", "octets=0-1"):
        assert harbour.ask("/media/pictures/large.jpg", range=asked).status == 200
    assert harbour.ask("/media/pictures/large.jpg", range="bytes=0-1", if_range=f"W/{etag}").status == 200

from pathlib import Path

import pytest

from portolan.builds.hosts import build_hosts, write_hosts
from portolan.shapes.codes import Environment

from .conftest import PORT, REGISTRY, STUDIO, Harbour, build, echo


@pytest.mark.parametrize("host", ["localhost:8000", "de.localhost:8000", STUDIO])
def test_pictures_are_served_on_every_host_and_kept_for_good(harbour: Harbour, host: str) -> None:
    answer = harbour.ask("/media/images/quay.png", host)
    assert (answer.status, answer.body) == (200, b"\x89PNG quay")
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert harbour.ask("/media/images/quay.png", host, if_none_match=answer.headers["etag"]).status == 304


@pytest.mark.parametrize(
    ("path", "content_type", "downloaded"),
    [
        ("/media/images/logo.svg", "image/svg+xml", False),
        ("/media/images/large.jpg", "image/jpeg", False),
        ("/media/offer.pdf", "application/pdf", True),
        ("/media/page.html", "application/octet-stream", True),
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
    answer = harbour.ask("/media/images/large.jpg")
    assert answer.body == b"x" * 300_000
    assert answer.headers["content-length"] == "300000"
    assert harbour.ask("/media/images/large.jpg", if_none_match=answer.headers["etag"]).status == 304


@pytest.mark.parametrize(
    "path", ["/media/", "/media/images", "/media/images/passwd.png", "/media/.secret", "/media//images/quay.png"]
)
def test_folders_links_that_lead_out_and_hidden_files_are_not_there(harbour: Harbour, path: str) -> None:
    assert harbour.ask(path).status == 404


def test_a_deleted_picture_is_gone_within_a_minute(harbour: Harbour) -> None:
    assert harbour.ask("/media/images/quay.png").status == 200
    (harbour.media / "images/quay.png").unlink()
    harbour._now += 61
    assert harbour.ask("/media/images/quay.png").status == 404


@pytest.mark.parametrize(
    ("accepted", "coding", "body"),
    [("gzip, br", "br", b"small"), ("gzip", "gzip", b"middling"), ("", None, None), ("br;q=0", None, None)],
)
def test_a_drawing_goes_out_as_the_copy_beside_it_that_the_client_takes(
    harbour: Harbour, accepted: str, coding: str | None, body: bytes | None
) -> None:
    drawing = harbour.media / "images/logo.svg"
    (harbour.media / "images/logo.svg.br").write_bytes(b"small")
    (harbour.media / "images/logo.svg.gz").write_bytes(b"middling")
    answer = harbour.ask("/media/images/logo.svg", accept_encoding=accepted)
    assert (answer.headers.get("content-encoding"), answer.body) == (coding, body or drawing.read_bytes())
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["vary"] == "accept-encoding"
    assert harbour.ask("/media/images/logo.svg", if_none_match=answer.headers["etag"]).status == 304


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
    for path in ("/media/images/quay.png", "/media/images/large.jpg", "/media/offer.pdf"):
        for _ in range(2):  # the second one comes from memory
            answer = harbour.ask(path, host, scheme="https")
            assert (answer.status, answer.headers.get("x-robots-tag")) == (200, robots)

"""All preview hosts are the studio's, and no other host is."""

import pytest

from portolan.edge.behind_edges import BehindEdges
from portolan.edge.clients import Clients

from .conftest import EN, Harbour, ask_app, echo

DOMAIN = "preview.localhost:8000"
PREVIEW = f"{'a' * 26}-de.{DOMAIN}"


async def nobody(scope, receive, send):
    raise AssertionError(f"{scope['path']} came to the API")


@pytest.fixture
def edge(harbour: Harbour) -> Harbour:
    return Harbour(
        harbour.root, harbour.media, harbour.build, lambda: nobody, load_studio=lambda: echo, preview_domain=DOMAIN
    )


@pytest.mark.parametrize(
    "path",
    ["/", "/about-us", "/api/content/offices", "/assets/app-1.js", "/media/pictures/quay.png", "/__form", "/__consent"],
)
def test_all_of_a_preview_is_the_studios(edge: Harbour, path: str) -> None:
    assert edge.ask(path, PREVIEW).text == f"GET {path} {PREVIEW}"
    assert edge.ask(path, PREVIEW.upper()).status == 200


@pytest.mark.parametrize(
    "host",
    [
        DOMAIN,
        f"x{DOMAIN}",
        f"a.{DOMAIN}.example",
        "a.preview.localhost",
        "a.preview.localhost:8001",
        "preview.localhost",
    ],
)
def test_another_host_is_no_preview(edge: Harbour, host: str) -> None:
    assert edge.ask("/", host).status == 421 or edge.ask("/", host).status == 404
    assert edge.ask("/", EN).text.startswith("en home")


def test_without_a_host_for_previews_there_are_none(harbour: Harbour) -> None:
    assert harbour.ask("/", PREVIEW).headers.get("x-backend") is None


def test_what_is_sent_to_a_preview_is_small(edge: Harbour) -> None:
    assert edge.ask("/__preview/comments", PREVIEW, "POST", content_length=str(1 << 20)).status == 413


def test_a_studio_behind_edges_answers_for_previews_too() -> None:
    def ask(domain: str, **more: str) -> int:
        app = BehindEdges(lambda: echo, Clients([]), "studio.localhost:8000", preview_domain=domain)
        app.backend.load()
        return ask_app(app, "/", PREVIEW, **more).status

    assert ask(DOMAIN) == 200
    assert ask(DOMAIN, content_length=str(1 << 20)) == 413
    assert ask("") != 200

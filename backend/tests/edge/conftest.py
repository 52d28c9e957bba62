"""An edge with two live sites, and a way to send requests without a network."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from starlette.types import ASGIApp

from portolan.builds.hosts import build_hosts, write_hosts
from portolan.edge.app import Edge
from portolan.sites.load import load_registry

from ..builds.conftest import Build, build, root

__all__ = ["build", "root"]

REGISTRY = load_registry(Path(__file__).parents[3] / "sites.toml")
PORT = 8000
EN, DE, STUDIO = "localhost:8000", "de.localhost:8000", "studio.localhost:8000"
TEXT = "".join(f"<p>Berth {number * 7919 % 1000}</p>" for number in range(100))


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


def pages(site: str, version: str = "1") -> dict[str, str]:
    return {
        "/": f"{site} home {version} {TEXT}",
        "/about-us": f'{site} about {version} <a href="/media/documents/offer.pdf">Offer</a> {TEXT}',
        "/services/web-development": f"{site} web {TEXT}",
        "/404.html": f"{site} missing {TEXT}",
        "/500.html": f"{site} failed {TEXT}",
        "/offline.html": f"{site} offline {TEXT}",
        "/page-data/about-us/page-data.json": f'{{"path": "/about-us", "version": "{version}"}}',
        "/page-data/app-data.json": f'{{"buildHash": "{version}"}}',
        f"/page-data/sq/d/{version}.json": "{}",
        f"/assets/app-{version}.js": f"console.log({version})",
        "/robots.txt": "User-agent: *",
    }


def ask_app(
    app: ASGIApp,
    path: str = "/",
    host: str | None = EN,
    method: str = "GET",
    scheme: str = "http",
    client: str | None = None,
    parts: Sequence[bytes] = (b"",),
    **headers: str,
) -> Answer:
    """See ``build_scope``. ``parts`` of the body come one by one."""
    return ask_scope(app, build_scope(path, host, method, scheme, client, **headers), parts)


def build_scope(
    path: str = "/",
    host: str | None = EN,
    method: str = "GET",
    scheme: str = "http",
    client: str | None = None,
    **headers: str,
) -> dict[str, Any]:
    """Return one request with the path as in the request line. ``_`` in header names becomes ``-``."""
    raw, _, query = path.partition("?")
    fields = [(name.replace("_", "-").encode(), value.encode("latin-1")) for name, value in headers.items()]
    if host is not None:
        fields.append((b"host", host.encode("latin-1")))
    return {
        "type": "http",
        "method": method,
        "scheme": scheme,
        "path": raw,
        "raw_path": raw.encode(),
        "query_string": query.encode("latin-1"),
        "headers": fields,
        "extensions": {},
        **({"client": (client, 5000)} if client else {}),
    }


def ask_scope(app: ASGIApp, scope: dict[str, Any], parts: Sequence[bytes] = (b"",)) -> Answer:
    sent: list[Mapping[str, Any]] = []
    coming = list(parts)

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": coming.pop(0), "more_body": bool(coming)}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    async def run() -> None:
        await app(scope, receive, send)

    asyncio.run(run())
    start, *bodies = sent
    assert start["type"] == "http.response.start"
    assert [part.get("more_body", False) for part in bodies] == [True] * (len(bodies) - 1) + [False]
    names = [name for name, _ in start["headers"]]
    assert len(names) == len(set(names)), "a header stands twice"
    headers = {name.decode(): value.decode("latin-1") for name, value in start["headers"]}
    return Answer(start["status"], headers, b"".join(part["body"] for part in bodies))


class Harbour:
    """The edge under test, and its content."""

    def __init__(self, root: Path, media: Path, build: Build, load: Callable[[], ASGIApp], **options: Any) -> None:
        self.root, self.media, self.build = root, media, build
        self.edge = Edge(root, media, load, **options)
        self.edge._sites.look = self._look  # type: ignore[method-assign]
        self._now = 0.0

    def _look(self) -> float:
        """Check the pointer at each request."""
        self._now += 1
        self.edge._sites._clock = lambda: self._now
        return type(self.edge._sites).look(self.edge._sites)

    def later(self, seconds: float = 1) -> None:
        self._now += seconds

    def ask(self, path: str = "/", host: str | None = EN, method: str = "GET", **more: Any) -> Answer:
        """See ``ask_app``."""
        return ask_app(self.edge, path, host, method, **more)


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Replace Django: reply with the request."""
    host = dict(scope["headers"])[b"host"]
    body = f"{scope['method']} {scope['path']} {host.decode()}".encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-backend", b"1")]})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
def media(tmp_path: Path) -> Path:
    folder = tmp_path / "media"
    (folder / "pictures").mkdir(parents=True)
    (folder / "documents/0123456789abcdef").mkdir(parents=True)
    (folder / "pictures/quay.png").write_bytes(b"\x89PNG quay")
    (folder / "pictures/logo.svg").write_text("<svg onload='alert(1)'/>")
    (folder / "pictures/large.jpg").write_bytes(b"x" * 300_000)
    (folder / "pictures/film.webm").write_bytes(bytes(range(256)) * 1000)
    (folder / "documents/offer.pdf").write_bytes(b"%PDF")
    (folder / "documents/private.pdf").write_bytes(b"%PDF")
    (folder / "documents/0123456789abcdef/checklist.pdf").write_bytes(b"%PDF")
    (folder / "pictures/page.html").write_text("<script>alert(1)</script>")
    (folder / ".secret").write_text("secret")
    (folder / "pictures/passwd.png").symlink_to("/etc/passwd")
    return folder


@pytest.fixture
def unpublished(root: Path, media: Path, build: Build) -> Harbour:
    write_hosts(root, build_hosts(REGISTRY, "local", PORT))
    return Harbour(root, media, build, lambda: echo)


@pytest.fixture
def harbour(unpublished: Harbour) -> Harbour:
    for site in ("en", "de"):
        unpublished.build("a", pages(site), site=site)
    return unpublished

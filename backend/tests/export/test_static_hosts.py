"""One export, served by nginx and by Caddy with the generated configuration: both reply like the edge."""

import gzip
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import brotli
import pytest

from portolan.builds.compress import make_quick_copies
from portolan.builds.hosts import build_hosts, write_hosts
from portolan.builds.manifest import Manifest
from portolan.builds.media_source import MediaFolder
from portolan.builds.store import ContentStore
from portolan.domain.redirects import Redirect
from portolan.edge.app import Edge
from portolan.edge.common_headers import CommonHeaders
from portolan.export.export import export_sites
from portolan.export.layout import FLAT, FOLDERS, Layout
from portolan_dev.ports import free_port

from ..builds.conftest import put_files
from ..edge.conftest import EN, REGISTRY, TEXT, ask_app, pages
from ..web_servers import BROTLI, Answer, ask, caddy, need_caddy, need_nginx, nginx

REDIRECTS: Final = {
    "/about": Redirect(301, "/about-us"),
    "/team": Redirect(302, "/about-us?from=team#team"),
    "/shop": Redirect(301, "https://shop.example/start"),
    "/closed": Redirect(410, ""),
    "/blog/*": Redirect(301, "/services/*"),
    "/blog/x/*": Redirect(302, "https://x.example/*"),
    "/c'est (1)": Redirect(301, "/"),
    "/уголок": Redirect(301, "/"),
    "/café": Redirect(301, "/"),
}
ASKED: Final = {
    "pages": ["/", "/about-us", "/services/web-development", "/?utm_source=x"],
    "other spellings": [
        "/about-us/", "/About-Us", "//about-us", "/about-us//", "/about-us/index.html", "/index.html",
        "/services//web-development", "/Services/Web-Development/?a=1",
    ],
    "redirects": [
        "/about", "/about/", "/About?utm_source=x&gclid=1", "/team?a=1", "/shop", "/shop?a=%0d%0ab",
        "/blog/web-development?x=1", "/blog/x/A/b", "/c'est%20(1)", "/caf%C3%A9", "/cafe%CC%81", "/%D1%83%D0%B3%D0%BE%D0%BB%D0%BE%D0%BA",
    ],
    "nothing": ["/nowhere", "/services", "/closed", "/closed?a=1", "/about-us.html", "/.portolan-export"],
    "error pages": ["/404.html", "/500.html", "/offline.html"],
    "files": ["/robots.txt", "/favicon.svg", "/assets/app-1.js", "/page-data/sq/d/1.json"],
    "missing files": ["/assets/app-0.js", "/page-data/sq/d/0.json", "/media/pictures/none.png"],
    "page data": [
        "/page-data/about-us/page-data.json", "/page-data/app-data.json", "/page-data/about/page-data.json",
        "/page-data/About/page-data.json", "/page-data/closed/page-data.json", "/page-data/nowhere/page-data.json",
    ],
    "media": [
        "/media/pictures/quay.png", "/media/pictures/logo.svg", "/media/pictures/film.webm",
        "/media/pictures/page.html", "/media/documents/offer.pdf", "/media/documents/private.pdf", "/media/.secret",
    ],
    "workers": ["/assets/partytown-1/partytown-sandbox-sw.html", "/assets/partytown-1/partytown-ww-sw.js"],
}  # fmt: skip
STATUSES: Final = {
    "pages": {200}, "other spellings": {301}, "redirects": {301, 302}, "nothing": {404, 410}, "error pages": {200},
    "files": {200}, "missing files": {404}, "page data": {200, 301, 404, 410}, "media": {200, 404}, "workers": {200},
}  # fmt: skip
SAME: Final = (
    "content-type",
    "cache-control",
    "content-encoding",
    "content-language",
    "content-security-policy",
    "cross-origin-opener-policy",
    "cross-origin-resource-policy",
    "content-disposition",
    "location",
    "permissions-policy",
    "referrer-policy",
    "strict-transport-security",
    "x-content-type-options",
    "x-frame-options",
    "x-robots-tag",
)
OF_REDIRECTS: Final = ("location", "cache-control", "x-content-type-options")
_EXTRA: Final = {
    "/favicon.svg": f"<svg>{TEXT}</svg>",
    "/assets/partytown-1/partytown-sandbox-sw.html": "<p>sandbox</p>",
    "/assets/partytown-1/partytown-ww-sw.js": "worker()",
}


class Served(NamedTuple):
    root: Path
    media: Path
    folder: Path
    port: int

    def by_edge(self, path: str, **headers: Any) -> Answer:
        edge = Edge(self.root, self.media, lambda: None)  # type: ignore[arg-type,return-value]
        answer = ask_app(CommonHeaders(edge, edge.is_https), path, EN, **headers)
        return Answer(answer.status, answer.headers, answer.body)

    def by_host(self, path: str, **headers: str) -> Answer:
        return ask(self.port, path, "localhost", **headers)


def publish(folder: Path) -> Path:
    from portolan.builds.live import switch_live
    from portolan.builds.manifest import write_manifest

    root = folder / "builds"
    write_hosts(root, build_hosts(REGISTRY, "local", 8000))
    manifest = Manifest(
        site="en", build="a", release=1, web="web", created="2026-03-01T12:00:00+00:00",
        html_headers={"content-security-policy": "default-src 'self'; script-src 'sha256-x=' \"q\""},
        files=put_files(root, {**pages("en"), **_EXTRA}), redirects=REDIRECTS,
    )  # fmt: skip
    write_manifest(root, manifest, None)
    make_quick_copies(ContentStore(root), (file for file in manifest.files.values() if file.size >= 200))
    switch_live(root, {"en": "a"})
    return root


def put_media(folder: Path) -> Path:
    media = folder / "media"
    for below in ("pictures", "documents"):
        (media / below).mkdir(parents=True)
    contents = {
        "pictures/quay.png": b"\x89PNG", "pictures/logo.svg": b"<svg/>", "pictures/film.webm": b"film",
        "pictures/page.html": b"<p>", "documents/offer.pdf": b"%PDF", "documents/private.pdf": b"%PDF", ".secret": b"x",
    }  # fmt: skip
    for name, data in contents.items():
        (media / name).write_bytes(data)
    return media


def export(folder: Path, layout: Layout) -> tuple[Path, Path, Path]:
    root, media = publish(folder), put_media(folder)
    list(export_sites(root, ["en"], folder / "out", MediaFolder(media), layout, str(folder / "out")))
    return root, media, folder / "out"


@pytest.fixture(scope="module", params=[
    pytest.param(("nginx", FOLDERS), marks=need_nginx(BROTLI), id="nginx"),
    pytest.param(("nginx", FLAT), marks=need_nginx(BROTLI), id="nginx, pages as files"),
    pytest.param(("caddy", FOLDERS), marks=need_caddy, id="caddy"),
    pytest.param(("caddy", FLAT), marks=need_caddy, id="caddy, pages as files"),
])  # fmt: skip
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server, layout = request.param
    folder = tmp_path_factory.mktemp("plain")
    root, media, out = export(folder, layout)
    port = free_port()
    if server == "nginx":
        config = (out / "nginx.conf").read_text().replace("listen 80;", f"listen 127.0.0.1:{port};")
        running = nginx(folder / "nginx", config, port, [BROTLI])
    else:
        config = (
            (out / "Caddyfile")
            .read_text()
            .replace("http://localhost:8000 {", f"http://localhost:{port} {{\nbind 127.0.0.1")
        )
        running = caddy(folder / "caddy", config, port)
    with running:
        yield Served(root, media, out, port)


def chosen(headers: Mapping[str, str], names: tuple[str, ...]) -> dict[str, str]:
    return {name: headers[name] for name in names if name in headers}


@pytest.mark.parametrize("kind", ASKED)
def test_answers_are_the_edges(served: Served, kind: str) -> None:
    assert {served.by_edge(path).status for path in ASKED[kind]} == STATUSES[kind]
    differences: list[Any] = []
    for path in ASKED[kind]:
        for accepted in ("br, gzip", "gzip", ""):
            edge, host = (by(path, accept_encoding=accepted) for by in (served.by_edge, served.by_host))
            names = OF_REDIRECTS if edge.status in (301, 302) else SAME
            ours = (edge.status, chosen(edge.headers, names), "" if names is OF_REDIRECTS else unpack(edge))
            theirs = (host.status, chosen(host.headers, names), "" if names is OF_REDIRECTS else unpack(host))
            if ours != theirs:
                differences.append(
                    (path, accepted, *(pair for pair in zip(ours, theirs, strict=True) if pair[0] != pair[1]))
                )
    assert not differences, "\n".join(map(str, differences))


def test_page_data_that_leads_elsewhere_has_the_document_loaded(served: Served) -> None:
    for path in ("/shop", "/team", "/blog/x/anything"):
        answer = served.by_host(f"/page-data{path}/page-data.json")
        assert (answer.status, b'"build":""' in answer.body) == (200, True), path


def test_what_a_page_has_in_several_codings_says_so(served: Served) -> None:
    for accepted in ("br", "gzip"):
        headers = served.by_host("/about-us", accept_encoding=accepted).headers
        assert "accept-encoding" in headers["vary"].lower()
    page = served.by_host("/about-us")
    assert served.by_host("/about-us", if_none_match=page.headers["etag"]).status == 304


def unpack(answer: Answer) -> bytes:
    coding = answer.headers.get("content-encoding")
    if coding == "br":
        return bytes(brotli.decompress(answer.body))
    return gzip.decompress(answer.body) if coding == "gzip" else answer.body


def test_nothing_private_is_in_an_export(tmp_path: Path) -> None:
    _, _, out = export(tmp_path, FOLDERS)
    names = {path.relative_to(out / "en").as_posix() for path in (out / "en").rglob("*") if path.is_file()}
    assert {name for name in names if name.startswith("media/")} == {
        "media/pictures/quay.png", "media/pictures/logo.svg", "media/pictures/film.webm", "media/pictures/page.html",
        "media/documents/offer.pdf",
    }  # fmt: skip
    assert not [name for name in names if name.startswith(".")]

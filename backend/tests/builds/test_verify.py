from pathlib import Path

import brotli

from portolan.builds.manifest import manifest_path
from portolan.builds.store import ContentStore, digest_of
from portolan.builds.verify import verify
from portolan.domain.redirects import Redirect
from portolan.domain.routes import page_data_path

from .conftest import Build


def damage(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.chmod(0o644)
    path.write_bytes(bytes(data))


def ruin(root: Path, digest: str) -> Path:
    """Damage a file and all its copies."""
    file = Path(ContentStore(root).path(digest))
    for encoding in (".br", ".gz"):
        Path(f"{file}{encoding}").unlink(missing_ok=True)
    damage(file)
    return file


def test_a_whole_build_has_no_problems(root: Path, build: Build) -> None:
    build("a", {"/": "home", "/about-us": "about"})
    store = ContentStore(root)
    store.put_copy(digest_of(b"home"), "br", brotli.compress(b"home"))
    assert verify(root, "en", "a") == []


def test_a_flipped_byte_is_named_with_path_and_file(root: Path, build: Build) -> None:
    build("a", {"/": "home", "/about-us": "about"})
    file = ContentStore(root).path(digest_of(b"about"))
    damage(Path(file))
    assert verify(root, "en", "a") == [f"en a /about-us: {file} is damaged: its bytes have changed"]


def test_a_missing_file_is_named(root: Path, build: Build) -> None:
    build("a", {"/": "home", "/about-us": "about"})
    file = ContentStore(root).path(digest_of(b"home"))
    Path(file).unlink()
    assert verify(root, "en", "a") == [f"en a /: {file} is missing"]


def test_a_damaged_copy_is_named(root: Path, build: Build) -> None:
    build("a", {"/": "home" * 50})
    store = ContentStore(root)
    digest = digest_of(b"home" * 50)
    store.put_copy(digest, "br", brotli.compress(b"home" * 50))
    store.put_copy(digest, "gzip", b"no gzip at all")
    damage(Path(store.path(digest, "br")))
    assert [problem.split(" is damaged")[0] for problem in verify(root, "en", "a")] == [
        f"en a /: {store.path(digest, 'br')}",
        f"en a /: {store.path(digest, 'gzip')}",
    ]


def test_a_redirect_that_leads_nowhere_is_named(root: Path, build: Build) -> None:
    redirects = {
        "/a": Redirect(301, "/?x=1#y"),
        "/b": Redirect(301, "/a"),
        "/c": Redirect(301, "/nowhere"),
        "/d": Redirect(410, ""),
        "/e/*": Redirect(301, "/e-new/*"),
        "/f": Redirect(301, "https://f.example/x"),
        "/g": Redirect(302, "/media/pictures/x.webp"),
    }
    build("a", {"/": "home"}, redirects=redirects)
    assert verify(root, "en", "a") == [
        "en a /b: redirects to /a, which the build lacks",
        "en a /c: redirects to /nowhere, which the build lacks",
    ]


def test_a_forged_manifest_is_refused(root: Path, build: Build) -> None:
    build("a", {"/": "home"})
    path = manifest_path(root, "en", "a")
    path.chmod(0o644)
    path.write_bytes(path.read_bytes().replace(digest_of(b"home").encode(), digest_of(b"evil").encode()))
    assert "build a of site en" in verify(root, "en", "a")[0]


def test_page_data_of_another_page_is_named(root: Path, build: Build) -> None:
    data = {page_data_path(path): f'{{"path": "{path}"}}' for path in ("/", "/about-us", "/index")}
    pages = dict.fromkeys(("/", "/about-us", "/index"), "page")
    build("a", pages | data)
    assert verify(root, "en", "a") == []
    build("b", pages | data | {page_data_path("/"): '{"path": "/index"}'})
    assert verify(root, "en", "b") == ["en b /page-data/index/page-data.json: has the data of /index instead of /"]
    del data[page_data_path("/about-us")]
    build("c", pages | data | {"/company.html": "a file of the company's"})
    (problem,) = verify(root, "en", "c")
    assert problem == "en c /about-us: has no page data at /page-data/about-us/page-data.json"

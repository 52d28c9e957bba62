import re
from pathlib import Path

import brotli
import pytest

from portolan.builds.export import export_tree
from portolan.builds.export_redirects import write_redirects
from portolan.builds.manifest import BuildError
from portolan.builds.packs import Packed
from portolan.builds.store import ContentStore, digest_of
from portolan.builds.verify import verify
from portolan.domain.redirects import Redirect

from .conftest import Build

TEXTS = {
    "/": "home",
    "/about-us": "about",
    "/services/web-development": "web",
    "/404.html": "missing",
    "/page-data/about-us/page-data.json": "{}",
    "/assets/app-1.js": "js",
}


def tree(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith((".", "_"))]
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


def test_pages_become_folders_and_files_keep_their_names(root: Path, build: Build, tmp_path: Path) -> None:
    build("a", TEXTS)
    count = export_tree(root, "en", tmp_path / "out")
    assert count == 6
    assert tree(tmp_path / "out") == {
        "index.html": "home",
        "about-us/index.html": "about",
        "services/web-development/index.html": "web",
        "404.html": "missing",
        "page-data/about-us/page-data.json": "{}",
        "assets/app-1.js": "js",
    }


REDIRECTS = {
    "/about": Redirect(301, "/about-us"),
    "/team": Redirect(302, "/about-us?from=team#team"),
    "/closed": Redirect(410, ""),
    "/blog/*": Redirect(301, "/services/*"),
    "/blog/x/*": Redirect(302, "https://x.example/*"),
    "/c'est (1)": Redirect(301, "/"),
}


def test_redirects_stand_in_the_tree_and_beside_it(root: Path, build: Build, tmp_path: Path) -> None:
    build("a", TEXTS, redirects=REDIRECTS)
    export_tree(root, "en", tmp_path / "out")
    assert (
        tmp_path / "out/_redirects"
    ).read_text().splitlines() == [  # an address before a wildcard, the longest first
        "/c%27est%20(1) / 301",
        "/closed /404.html 410",
        "/about /about-us 301",
        "/team /about-us?from=team#team 302",
        "/blog/x/* https://x.example/:splat 302",
        "/blog/* /services/:splat 301",
    ]
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
        "out.redirects.caddy", "out.redirects.nginx.conf",
    ]  # fmt: skip
    export_tree(root, "en", tmp_path / "out")  # an export may replace itself


@pytest.mark.parametrize(
    ("asked", "kind", "answer"),
    [
        ("/about", "moved", "/about-us"),
        ("/About/?a=1", "moved", "/about-us?a=1"),
        ("/team?a=1", "for_now", "/about-us?from=team&a=1#team"),
        ("/closed", "gone", "1"),
        ("/blog/web?a=1", "moved", "/services/web?a=1"),
        ("/blog", "moved", "/services/"),
        ("/blog/x/A/b", "for_now", "https://x.example/A/b"),
        ("/blog/x/A/b", "moved", ""),
        ("/c'est%20(1)", "moved", "/"),
        ("/blog//evil.com", "moved", "/services/evil.com"),
        ("/blog/\\evil.com", "moved", ""),
        ("/abouts", "moved", ""),
    ],
)
def test_maps_for_nginx_say_what_the_edge_says(asked: str, kind: str, answer: str) -> None:
    """As nginx reads them: the first expression that fits."""
    text = write_redirects("en", REDIRECTS)["nginx.conf"]
    rows = re.findall(r'"~\*(.*)" "(.*)";', text.partition(f"$portolan_en_{kind} {{")[2].partition("}\n")[0])
    assert rows
    for pattern, value in rows:
        if found := re.match(pattern.replace("\\\\", "\\").replace("(?<", "(?P<"), asked, re.IGNORECASE):
            for name, part in found.groupdict().items():
                value = value.replace(f"${name}", part or "")
            assert value == answer
            return
    assert answer == ""


def test_copies_stand_beside_their_files_and_share_the_stores_disk(root: Path, build: Build, tmp_path: Path) -> None:
    build("a", {"/": "home"})
    store = ContentStore(root)
    store.put_copy(digest_of(b"home"), "br", brotli.compress(b"home"))
    export_tree(root, "en", tmp_path / "out")
    assert (tmp_path / "out/index.html.br").read_bytes() == brotli.compress(b"home")
    assert (tmp_path / "out/index.html").samefile(store.path(digest_of(b"home")))


def test_what_lies_in_packs_is_exported_too(root: Path, build: Build, tmp_path: Path) -> None:
    store = ContentStore(root)
    store.prepare()
    text, copy = b"about", brotli.compress(b"about")
    Path(store.packs.path("p")).write_bytes(text + copy)
    digest = digest_of(text)
    store.packs.add([Packed(digest, None, "p", 0, len(text)), Packed(digest, "br", "p", len(text), len(copy))])
    store.packs.seal()
    build("b1", {"/": "home", "/about": "about"})
    export_tree(root, "en", tmp_path / "out")
    assert (tmp_path / "out" / "about" / "index.html").read_bytes() == text
    assert brotli.decompress((tmp_path / "out" / "about" / "index.html.br").read_bytes()) == text
    assert verify(root, "en", "b1") == []


def test_media_that_visitors_may_have_comes_along_without_links_that_lead_out(
    root: Path, build: Build, tmp_path: Path
) -> None:
    build("a", {"/": '<a href="/media/documents/offer.pdf">Offer</a>'})
    media = tmp_path / "media"
    for folder in ("pictures", "originals", "documents"):
        (media / folder).mkdir(parents=True)
    (media / "pictures/harbour.svg").write_text("<svg/>")
    (media / "pictures/secret").symlink_to("/etc/passwd")
    for private in ("originals/harbour.png", "documents/private.pdf", "documents/offer.pdf"):
        (media / private).write_text("private")
    export_tree(root, "en", tmp_path / "out", media)
    assert set(tree(tmp_path / "out/media")) == {"pictures/harbour.svg", "documents/offer.pdf"}


def test_an_export_replaces_the_one_before_it(root: Path, build: Build, tmp_path: Path) -> None:
    build("a", TEXTS)
    export_tree(root, "en", tmp_path / "out")
    build("b", {"/": "home 2"})
    export_tree(root, "en", tmp_path / "out")
    assert tree(tmp_path / "out") == {"index.html": "home 2", "assets/app-1.js": "js"}  # open tabs keep their script
    assert [path.name for path in tmp_path.iterdir() if "out" in path.name and path.is_dir()] == ["out"]


def test_a_folder_of_somebody_else_is_left_alone(root: Path, build: Build, tmp_path: Path) -> None:
    build("a", TEXTS)
    (tmp_path / "home").mkdir()
    (tmp_path / "home/thesis.txt").write_text("x")
    with pytest.raises(BuildError, match="no export wrote"):
        export_tree(root, "en", tmp_path / "home")
    assert (tmp_path / "home/thesis.txt").read_text() == "x"


def test_a_site_that_is_not_live_is_named(root: Path, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="Site de is not live"):
        export_tree(root, "de", tmp_path / "out")

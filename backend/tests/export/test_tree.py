"""The tree of an exported site, and the files that a second export changes."""

import os
from pathlib import Path

import brotli
import pytest

from portolan.builds.manifest import BuildError, Manifest
from portolan.builds.media_source import MediaFolder
from portolan.builds.packs import Packed
from portolan.builds.store import ContentStore, digest_of
from portolan.builds.verify import verify
from portolan.export.layout import FLAT, FOLDERS
from portolan.export.tree import Exported, export_tree, exported_sites

from ..builds.conftest import Build, build, root

__all__ = ["build", "root"]

TEXTS = {
    "/": "home",
    "/about-us": "about",
    "/services/web-development": "web",
    "/404.html": "missing",
    "/page-data/about-us/page-data.json": "{}",
    "/assets/app-1.js": "js",
}


def tree(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}


def inodes(folder: Path) -> dict[str, int]:
    return {path.relative_to(folder).as_posix(): path.stat().st_ino for path in folder.rglob("*") if path.is_file()}


def export(root: Path, manifest: Manifest, target: Path, **more: object) -> Exported:
    return export_tree(root, manifest, target, FOLDERS, **more)  # type: ignore[arg-type]


def test_pages_become_folders_and_files_keep_their_names(root: Path, build: Build, tmp_path: Path) -> None:
    done = export(root, build("a", TEXTS), tmp_path / "out/en", more={"_headers": b"headers"})
    assert done == Exported(7, 7, 0)
    assert tree(tmp_path / "out/en") == {
        "index.html": "home",
        "about-us/index.html": "about",
        "services/web-development/index.html": "web",
        "404.html": "missing",
        "page-data/about-us/page-data.json": "{}",
        "assets/app-1.js": "js",
        "_headers": "headers",
    }
    assert exported_sites(tmp_path / "out") == ["en"]


def test_pages_may_be_files_too(root: Path, build: Build, tmp_path: Path) -> None:
    manifest = build("a", TEXTS)
    export(root, manifest, tmp_path / "en")
    export_tree(root, manifest, tmp_path / "en", FLAT)
    pages = {"index.html", "about-us.html", "services/web-development.html", "404.html"}
    assert {name for name in tree(tmp_path / "en") if name.endswith(".html")} == pages


def test_another_export_writes_only_what_differs(root: Path, build: Build, tmp_path: Path) -> None:
    export(root, build("a", TEXTS), tmp_path / "en")
    before = inodes(tmp_path / "en")
    new = {**TEXTS, "/about-us": "about 2", "/services/web-development/react": "react", "/assets/app-2.js": "js 2"}
    del new["/404.html"]
    assert export(root, build("b", new), tmp_path / "en") == Exported(7, 3, 1)
    after = inodes(tmp_path / "en")
    changed = {"about-us/index.html", "assets/app-2.js", "services/web-development/react/index.html"}
    assert {name for name in after if before.get(name) != after[name]} == changed
    assert tree(tmp_path / "en")["about-us/index.html"] == "about 2"
    assert "404.html" not in after
    assert export(root, build("c", new), tmp_path / "en") == Exported(7, 0, 0)
    assert export(root, build("d", new), tmp_path / "en", is_whole=True).written == 7


def test_what_somebody_removed_or_added_there_is_put_right(root: Path, build: Build, tmp_path: Path) -> None:
    manifest = build("a", TEXTS)
    export(root, manifest, tmp_path / "en")
    (tmp_path / "en/about-us/index.html").unlink()
    (tmp_path / "en/secret").mkdir()
    (tmp_path / "en/secret/leads.csv").write_text("private")
    assert export(root, manifest, tmp_path / "en") == Exported(6, 1, 1)
    assert not (tmp_path / "en/secret").exists()
    assert (tmp_path / "en/about-us/index.html").read_text() == "about"


def test_an_export_that_is_broken_off_is_finished_by_the_next(
    root: Path, build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(root, build("a", TEXTS), tmp_path / "en")
    manifest = build("b", {**TEXTS, "/about-us": "about 2", "/": "home 2"})
    done: list[str] = []
    rename = Path.rename

    def rename_one(self: Path, target: Path) -> Path:
        if self.name == "index.html~" and done:
            raise OSError(28, os.strerror(28))
        done.append(self.name)
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", rename_one)
    with pytest.raises(OSError, match="No space"):
        export(root, manifest, tmp_path / "en")
    monkeypatch.undo()
    export(root, build("c", TEXTS), tmp_path / "en")  # back to the notes of the first export
    assert tree(tmp_path / "en") == {
        "index.html": "home",
        "about-us/index.html": "about",
        "services/web-development/index.html": "web",
        "404.html": "missing",
        "page-data/about-us/page-data.json": "{}",
        "assets/app-1.js": "js",
    }


def test_a_page_may_come_where_a_file_was_and_the_other_way(root: Path, build: Build, tmp_path: Path) -> None:
    export(root, build("a", {"/": "home", "/a.json": "{}"}), tmp_path / "en")
    manifest = build("b", {"/": "home", "/a.json/b.json": "{}"})
    export(root, manifest, tmp_path / "en")
    assert set(tree(tmp_path / "en")) == {"index.html", "a.json/b.json"}
    export(root, build("c", {"/": "home", "/a.json": "{}"}), tmp_path / "en")
    assert set(tree(tmp_path / "en")) == {"index.html", "a.json"}


def test_copies_stand_beside_their_files_and_share_the_stores_disk(root: Path, build: Build, tmp_path: Path) -> None:
    manifest = build("a", {"/": "home"})
    store = ContentStore(root)
    store.put_copy(digest_of(b"home"), "br", brotli.compress(b"home"))
    export(root, manifest, tmp_path / "en")
    assert (tmp_path / "en/index.html.br").read_bytes() == brotli.compress(b"home")
    assert (tmp_path / "en/index.html").samefile(store.path(digest_of(b"home")))
    better = brotli.compress(b"home", quality=1) + b""
    store.put_copy(digest_of(b"home"), "br", better + b"\0", best=True)
    assert export(root, manifest, tmp_path / "en").written == 1


def test_what_lies_in_packs_is_exported_too(root: Path, build: Build, tmp_path: Path) -> None:
    store = ContentStore(root)
    store.prepare()
    text, copy = b"about", brotli.compress(b"about")
    Path(store.packs.path("p")).write_bytes(text + copy)
    digest = digest_of(text)
    store.packs.add([Packed(digest, None, "p", 0, len(text)), Packed(digest, "br", "p", len(text), len(copy))])
    store.packs.seal()
    manifest = build("b1", {"/": "home", "/about": "about"})
    export(root, manifest, tmp_path / "en")
    assert (tmp_path / "en/about/index.html").read_bytes() == text
    assert brotli.decompress((tmp_path / "en/about/index.html.br").read_bytes()) == text
    assert verify(root, "en", "b1") == []


def test_media_that_visitors_may_have_comes_along_without_links_that_lead_out(
    root: Path, build: Build, tmp_path: Path
) -> None:
    manifest = build("a", {"/": '<a href="/media/documents/offer.pdf">Offer</a>'})
    media = tmp_path / "media"
    for folder in ("pictures", "originals", "documents"):
        (media / folder).mkdir(parents=True)
    (media / "pictures/harbour.svg").write_text("<svg/>")
    (media / "pictures/secret").symlink_to("/etc/passwd")
    for private in ("originals/harbour.png", "documents/private.pdf", "documents/offer.pdf"):
        (media / private).write_text("private")
    export(root, manifest, tmp_path / "en", media=MediaFolder(media))
    assert set(tree(tmp_path / "en/media")) == {"pictures/harbour.svg", "documents/offer.pdf"}


def test_an_export_of_an_older_version_is_brought_up_to_date(root: Path, build: Build, tmp_path: Path) -> None:
    (tmp_path / "en/old").mkdir(parents=True)
    (tmp_path / "en/old/index.html").write_text("old")
    (tmp_path / "en/.portolan-export").write_text("en a\n")
    export(root, build("a", {"/": "home"}), tmp_path / "en")
    assert tree(tmp_path / "en") == {"index.html": "home"}


def test_a_folder_of_somebody_else_is_left_alone(root: Path, build: Build, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home/thesis.txt").write_text("x")
    with pytest.raises(BuildError, match="not from an export"):
        export(root, build("a", TEXTS), tmp_path / "home")
    assert (tmp_path / "home/thesis.txt").read_text() == "x"

"""An export to a store that replies like a web server, and the uploads of a second export."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import boto3
import brotli
import pytest
from click.testing import CliRunner

from portolan.builds.hosts import build_hosts, write_hosts
from portolan.builds.media_lists import MediaFile, lists_folder, pack_list
from portolan.builds.object_store import ObjectStore, StoreAway
from portolan.builds.store import digest_of
from portolan.commands import export
from portolan.config.env import Env
from portolan.config.project import ROOT
from portolan.domain.redirects import Redirect
from portolan.sites.load import load_registry

from ..builds.conftest import Build, build, root

__all__ = ["build", "root"]

TEXTS = {
    "/": "home",
    "/about-us": "about " * 60,
    "/services/web-development": "web",
    "/404.html": "missing",
    "/page-data/about-us/page-data.json": "{}",
    "/assets/app-1.js": "js",
}


@pytest.fixture(autouse=True)
def installation(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "env", lambda: Env(var_dir=root.parent))
    write_hosts(root, build_hosts(load_registry(ROOT / "sites.toml"), "production", 8000))
    folder = root.parent / "media/pictures"
    folder.mkdir(parents=True)
    (folder / "quay.webp").write_bytes(b"picture")
    (folder / "plan.pdf").write_bytes(b"%PDF")
    (root.parent / "media/originals").mkdir()
    (root.parent / "media/originals/quay.png").write_bytes(b"private")


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(export.command, arguments)
    return result.exit_code, result.output


class Bucket:
    """As its visitors' server sees it."""

    def __init__(self, url: str) -> None:
        self.name, _, self.prefix = url.removeprefix("s3://").partition("/")
        self._client: Any = boto3.client("s3")

    def names(self) -> set[str]:
        found = self._client.list_objects_v2(Bucket=self.name).get("Contents", [])
        return {each["Key"].removeprefix(f"{self.prefix}/") for each in found}

    def changed(self) -> Mapping[str, Any]:
        """Return the time of each upload with its tag, because the server counts whole seconds."""
        found = self._client.list_objects_v2(Bucket=self.name)["Contents"]
        return {each["Key"].removeprefix(f"{self.prefix}/"): each["ETag"] for each in found}

    def get(self, key: str) -> tuple[bytes, dict[str, str]]:
        found = self._client.get_object(Bucket=self.name, Key=f"{self.prefix}/{key}")
        return found["Body"].read(), found["ResponseMetadata"]["HTTPHeaders"]


@pytest.fixture
def bucket(s3_bucket: str) -> Bucket:
    return Bucket(s3_bucket)


def test_pages_have_their_own_paths_and_everything_its_headers(build: Build, s3_bucket: str, bucket: Bucket) -> None:
    build("a", TEXTS)
    code, said = run(s3_bucket)
    assert (code, said) == (0, f"en: 8 objects in {s3_bucket}/en (8 uploaded, 0 removed)\n")
    names = {"index.html", "about-us", "services/web-development", "404.html", "page-data/about-us/page-data.json",
             "assets/app-1.js", "media/pictures/quay.webp", "media/pictures/plan.pdf"}  # fmt: skip
    assert bucket.names() == {*(f"en/{name}" for name in names), ".portolan-export/en.json"}
    body, headers = bucket.get("en/about-us")
    assert (body.decode(), headers["content-type"]) == (TEXTS["/about-us"], "text/html; charset=utf-8")
    assert headers["cache-control"] == "public, max-age=0, must-revalidate"
    assert headers["content-language"] == "en"
    assert "content-encoding" not in headers
    assert bucket.get("en/assets/app-1.js")[1]["cache-control"] == "public, max-age=31536000, immutable"
    assert bucket.get("en/page-data/about-us/page-data.json")[1]["content-type"].startswith("application/json")
    picture, headers = bucket.get("en/media/pictures/quay.webp")
    assert (picture, headers["content-type"]) == (b"picture", "image/webp")
    assert bucket.get("en/media/pictures/plan.pdf")[1]["content-disposition"] == "attachment"


def test_another_export_uploads_only_what_differs(build: Build, s3_bucket: str, bucket: Bucket) -> None:
    build("a", TEXTS)
    run(s3_bucket)
    bucket._client.put_object(Bucket=bucket.name, Key=f"{bucket.prefix}/en/robots-of-somebody-else.txt", Body=b"mine")
    new = {**TEXTS, "/about-us": "about 2", "/services/web-development/react": "react"}
    del new["/assets/app-1.js"], new["/services/web-development"]
    build("b", new)
    before = bucket.changed()
    assert run(s3_bucket)[1].endswith("(2 uploaded, 1 removed)\n")  # the asset is kept for open tabs
    after = bucket.changed()
    changed = {key for key, tag in after.items() if before.get(key) != tag}
    assert changed == {"en/about-us", "en/services/web-development/react", ".portolan-export/en.json"}
    assert "en/services/web-development" not in after
    assert "en/robots-of-somebody-else.txt" in after
    assert run(s3_bucket)[1].endswith("(0 uploaded, 0 removed)\n")
    assert run(s3_bucket, "--whole")[1].endswith("(8 uploaded, 0 removed)\n")


def test_what_was_broken_off_is_done_again(
    build: Build, s3_bucket: str, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    build("a", TEXTS)
    run(s3_bucket)
    build("b", {**TEXTS, "/": "home 2", "/about-us": "about 2", "/a-moment": "short"})
    real = ObjectStore.put

    def fail(self: ObjectStore, key: str, *given: Any) -> None:
        if key == "en/index.html":
            raise StoreAway("The store went away.")
        real(self, key, *given)

    with monkeypatch.context() as patch:
        patch.setattr(ObjectStore, "put", fail)
        code, said = run(s3_bucket)
        assert (code, "The store went away." in said) == (1, True)
    build("c", TEXTS)  # as when the notes were written, but the store has changed since
    run(s3_bucket)
    assert bucket.get("en/about-us")[0].decode() == TEXTS["/about-us"]
    assert {"en/a-moment", ".portolan-export/en.begun.json"}.isdisjoint(bucket.names())


def test_text_is_compressed_where_nobody_else_does_it(build: Build, s3_bucket: str, bucket: Bucket) -> None:
    build("a", TEXTS)
    run(s3_bucket)
    assert "(8 uploaded" in run(s3_bucket, "--compress", "br")[1], "another coding is another upload"
    body, headers = bucket.get("en/about-us")
    assert headers["content-encoding"] == "br"
    assert brotli.decompress(body).decode() == TEXTS["/about-us"]
    assert "content-encoding" not in bucket.get("en/media/pictures/quay.webp")[1]
    assert "content-encoding" not in bucket.get("en/index.html")[1], "too small to be worth it"


def test_each_site_may_have_a_bucket_of_its_own(build: Build, s3_bucket: str) -> None:
    build("a", TEXTS)
    build("x", {"/": "start"}, site="de")
    assert run(f"{s3_bucket}/of-{{site}}/x", "--pages", "folders")[0] == 0
    bucket = Bucket(s3_bucket)
    assert {"of-de/x/index.html", "of-en/x/about-us/index.html", "of-de/x/.portolan-export/de.json"} <= bucket.names()


def test_what_a_store_cannot_answer_is_said(build: Build, s3_bucket: str) -> None:
    build("a", TEXTS, redirects={"/old": Redirect(301, "/about-us"), "/gone": Redirect(410, "")})
    code, said = run(s3_bucket)
    assert code == 0
    assert "1 redirect and 1 removed page" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ftp://host/x"], "only s3://, gs://, az:// and folders"),
        (["out", "--pages", "paths"], "works only for a store. In a folder"),
        (["out", "--compress", "br"], "always has compressed copies"),
    ],
)
def test_what_makes_no_sense_is_refused(build: Build, arguments: list[str], said: str) -> None:
    build("a", TEXTS)
    code, output = run(*arguments)
    assert (code, said in output) == (2, True)


def test_a_machine_that_only_follows_exports_what_it_has_lists_of(
    build: Build, root: Path, s3_bucket: str, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    build("a", TEXTS)
    shutil.rmtree(root.parent / "media")
    store = f"{s3_bucket}/builds"
    monkeypatch.setattr(export, "env", lambda: Env(var_dir=root.parent, build_store=store))
    file = MediaFile(4, digest_of(b"quay"), 1_700_000_000_000_000_000)
    ObjectStore(store).put(file.key, b"quay")
    name, data = pack_list(1, {"pictures/quay.webp": file})
    lists_folder(root).mkdir()
    (lists_folder(root) / name).write_bytes(data)
    assert run(f"{s3_bucket}/web")[0] == 0
    assert bucket.get("web/en/media/pictures/quay.webp")[0] == b"quay"

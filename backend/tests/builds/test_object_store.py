"""Five verbs and one conditional write, the same for every service."""

from pathlib import Path

import pytest

from portolan.builds.object_store import ObjectStore, Overtaken, StoreAway


@pytest.fixture
def objects(store_url: str) -> ObjectStore:
    return ObjectStore(store_url)


def test_what_is_put_can_be_read_listed_and_deleted(objects: ObjectStore, tmp_path: Path) -> None:
    (tmp_path / "pack").write_bytes(b"x" * 9_000_000)  # more than one part
    objects.put("packs/a", tmp_path / "pack")
    objects.put("manifests/en/b.json", b"{}")
    objects.save("packs/a", tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"x" * 9_000_000
    assert objects.get("manifests/en/b.json") == b"{}"
    assert {(found.key, found.size) for found in objects.list()} == {("packs/a", 9_000_000), ("manifests/en/b.json", 2)}
    assert [found.key for found in objects.list("manifests/")] == ["manifests/en/b.json"]
    objects.delete(["packs/a", "packs/never-there"])
    found = objects.find("manifests/en/b.json")
    assert (objects.find("packs/a"), found and found.size) == (None, 2)
    assert objects.get_range("manifests/en/b.json", 1, 2) == b"}"
    assert objects.list_folder("manifests") == (["en"], [])
    assert [listed.key for listed in objects.list_folder("manifests/en")[1]] == ["manifests/en/b.json"]
    with pytest.raises(FileNotFoundError):
        objects.get("packs/a")
    with pytest.raises(FileNotFoundError):
        objects.read("packs/a")


def test_a_conditional_write_succeeds_only_on_what_its_writer_knows(objects: ObjectStore) -> None:
    first = objects.replace("live.json", b"1", None)
    with pytest.raises(Overtaken):
        objects.replace("live.json", b"another first one", None)
    with pytest.raises(Overtaken):
        objects.create("live.json", b"another first one")
    second = objects.replace("live.json", b"2", first)
    with pytest.raises(Overtaken):
        objects.replace("live.json", b"late", first)
    found = objects.read("live.json", first)
    assert found and (found.data, found.version) == (b"2", second)
    assert objects.read("live.json", second) is None
    assert [listed.key for listed in objects.list()] == ["live.json"]


def test_a_store_that_does_not_answer_is_said_to_be_away(s3_bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    objects = ObjectStore(s3_bucket)
    for ask in (lambda: objects.get("a"), lambda: objects.put("a", b""), lambda: list(objects.list())):
        with pytest.raises(StoreAway, match=r"The shared store s3://.*Published pages stay live"):
            ask()

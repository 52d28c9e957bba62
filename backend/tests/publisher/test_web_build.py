"""The web build's files in the store."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from portolan.builds.store import ContentStore
from portolan.publisher.problem import UsageError
from portolan.publisher.web_build import RENDER_PROTOCOL, WebBuild, ingest_web_build, load_web_build

SCRIPT = b"export const answer = 42; " * 40


@pytest.mark.parametrize(
    "record", [{"hash": "h", "files": {}}, {"protocol": RENDER_PROTOCOL - 1, "hash": "h", "files": {}}]
)
def test_a_web_build_of_another_version_is_refused_before_any_page_is(tmp_path: Path, record: dict[str, Any]) -> None:
    (tmp_path / "web-build.json").write_bytes(orjson.dumps(record))
    with pytest.raises(UsageError, match=r"protocol.*run `npm run build` in web/"):
        load_web_build(tmp_path)


def test_nobody_waits_for_a_whole_file_after_a_new_web_build(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_bytes(SCRIPT)
    (tmp_path / "b.woff2").write_bytes(SCRIPT[::-1])
    (tmp_path / "c.js").write_bytes(b"1")
    web = WebBuild(tmp_path, "hash", {f"/assets/{name}": name for name in ("a.js", "b.woff2", "c.js")}, (), False, {})
    store = ContentStore(tmp_path / "builds")
    files = ingest_web_build(web, store)
    copies = {path: store.encodings(file.digest) for path, file in files.items()}
    assert copies == {"/assets/a.js": {"br", "gzip"}, "/assets/b.woff2": set(), "/assets/c.js": set()}

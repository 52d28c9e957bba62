import json
from collections.abc import Iterator
from pathlib import Path

import jsonschema_rs
import pytest
from click.testing import CliRunner

from portolan.config.project import ROOT
from portolan.content.blocks import BLOCKS
from portolan.content.blocks.base import SiteBlock
from portolan.content.page_content import PageContent
from portolan.releases.formats import current_format
from portolan.schemas.page import SharedData
from portolan_dev.commands.contract import command
from portolan_dev.contract import documents
from portolan_dev.contract.documents import build_contract, build_files
from portolan_dev.contract.example_items import ITEMS, PAGE_KEYS

EXAMPLES = ROOT / "contract" / "examples"


@pytest.fixture(scope="module", autouse=True)
def built_once() -> Iterator[None]:
    """Build the documents once for all runs of the command."""
    files = build_files()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(documents, "build_files", lambda: files)
        yield


def test_what_is_committed_is_what_the_schemas_say() -> None:
    files = build_files()
    assert files
    for name, text in files.items():
        assert (ROOT / "contract" / name).read_text(encoding="utf-8") == text, f"{name} is stale: run `make contract`"


def test_every_block_is_a_member_of_the_union() -> None:
    union = build_contract()["components"]["schemas"]["Block"]
    assert set(union["discriminator"]["mapping"]) == {block.type_name() for block in BLOCKS}
    assert len(union["oneOf"]) == len(BLOCKS)


def test_examples_can_be_read_back() -> None:
    page = PageContent.model_validate_json((EXAMPLES / "pages/home.json").read_bytes())
    assert [block.type for block in page.blocks] == [block.type_name() for block in BLOCKS]
    assert SharedData.model_validate_json((EXAMPLES / "pages/shared.json").read_bytes()).menu
    for block in BLOCKS:
        for name in block.EXAMPLES:
            block.Data.model_validate_json((EXAMPLES / f"blocks/{block.type_name()}.{name}.json").read_bytes())


def test_no_reference_is_left_in_an_example() -> None:
    files = list(EXAMPLES.rglob("*.json"))
    assert files
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert '"$' not in text, file
        assert "data-page" not in text, file


def test_drift_is_found_and_fixed(tmp_path: Path) -> None:
    run = CliRunner().invoke
    assert run(command, ["--folder", str(tmp_path)]).exit_code == 0
    assert run(command, ["--folder", str(tmp_path), "--check"]).exit_code == 0
    (tmp_path / "openapi.json").write_text(json.dumps({}))
    (tmp_path / "examples" / "blocks" / "gone.default.json").write_text("{}")
    reply = run(command, ["--folder", str(tmp_path), "--check"])
    assert reply.exit_code == 1
    assert "openapi.json" in reply.output
    assert "gone.default.json" in reply.output
    assert run(command, ["--folder", str(tmp_path)]).exit_code == 0
    assert run(command, ["--folder", str(tmp_path), "--check"]).exit_code == 0


def test_the_schema_of_a_format_never_changes_and_old_formats_stay(tmp_path: Path) -> None:
    run = CliRunner().invoke
    assert run(command, ["--folder", str(tmp_path)]).exit_code == 0
    name = f"page.{current_format('page')}.json"
    page = tmp_path / "frozen" / name
    (tmp_path / "frozen" / "page.0.json").write_text("{}")
    for options in ([], ["--check"]):
        page.write_text("{}")
        reply = run(command, ["--folder", str(tmp_path), *options])
        assert reply.exit_code == 1
        assert f"contract/frozen/{name}" in reply.output
        assert "portolan/releases/formats.py" in reply.output
        assert page.read_text() == "{}"
    page.unlink()
    assert run(command, ["--folder", str(tmp_path)]).exit_code == 0
    assert page.exists()
    assert (tmp_path / "frozen" / "page.0.json").exists()


def validator_of(kind: str, part: str = "") -> jsonschema_rs.Validator:
    file = ROOT / "contract" / "frozen" / f"{kind}.{current_format(kind)}{part}.json"
    return jsonschema_rs.validator_for(json.loads(file.read_text()))


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.type_name())
def test_blocks_are_frozen_as_their_schema_says(block: type[SiteBlock]) -> None:
    validate = validator_of("page", f"/{block.type_name()}")
    assert block.EXAMPLES
    for raw in block.EXAMPLES.values():
        frozen = block().snapshot(raw, "id", PAGE_KEYS)
        assert [error.message for error in validate.iter_errors(frozen)] == []
        assert not validate.is_valid({**frozen, "unknown": 1})


@pytest.mark.parametrize("kind", ITEMS)
def test_entries_are_frozen_as_the_schema_of_their_kind_says(kind: str) -> None:
    validate = validator_of(kind)
    assert ITEMS[kind]
    for value in ITEMS[kind]:
        assert [error.message for error in validate.iter_errors({"order": 0, "value": value})] == []
        assert not validate.is_valid({"order": 0, "value": {**value, "unknown": 1}})

import json
from pathlib import Path

from click.testing import CliRunner

from portolan.config.env import ROOT
from portolan.content.blocks import BLOCKS
from portolan.content.page_content import PageContent
from portolan.schemas.page import SharedData
from portolan_dev.commands.contract import command
from portolan_dev.contract.documents import build_contract, build_files

EXAMPLES = ROOT / "contract" / "examples"


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

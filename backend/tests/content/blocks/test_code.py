import pytest
from django.utils.datastructures import MultiValueDict

from portolan.content.blocks.code import CodeBlock
from portolan_dev.contract.examples import ExampleLookup


@pytest.mark.parametrize(
    ("typed", "published"),
    [
        ("    return {year}", "    return {year}"),
        ("if x:\r\n    y\r\n", "if x:\n    y"),
        ("\n\nx = {nobody: 1}  \n", "x = {nobody: 1}  "),
    ],
)
def test_code_is_published_as_it_was_typed(typed: str, published: str) -> None:
    block = CodeBlock()
    form = {"f-tone": "paper", "f-code": typed, "f-language": "python"}
    cleaned = block.clean(block.value_from_datadict(form, MultiValueDict(), "f"))
    assert block.to_data(block.get_prep_value(cleaned), ExampleLookup()).model_dump()["code"] == published

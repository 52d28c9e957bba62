from typing import Any

import pytest
from wagtail.blocks.struct_block import StructBlockValidationError

from portolan.content.blocks.comparison import ComparisonBlock


def comparison(*cells: list[str]) -> dict[str, Any]:
    rows = [{"label": f"Row {number}", "cells": row} for number, row in enumerate(cells, 1)]
    return {"tone": "paper", "title": "Two ways", "columns": ["This", "That"], "rows": rows}


@pytest.mark.parametrize("cells", [["a", "b", "c"], ["a", "b", "c", "d"]])
def test_a_row_has_one_cell_for_each_column(cells: list[str]) -> None:
    block = ComparisonBlock()
    block.clean(block.to_python(comparison(["a", "b"], ["c", "d"])))
    with pytest.raises(StructBlockValidationError) as caught:
        block.clean(block.to_python(comparison(["a", "b"], cells)))
    problems = caught.value.block_errors["rows"].block_errors
    assert list(problems) == [1]
    assert f"has {len(cells)} cells, but there are 2 columns" in str(problems[1].block_errors["cells"])

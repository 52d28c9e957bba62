"""Read the descriptions of schemas' fields: the texts below them in the source.

They are read when a schema document is built. Pydantic would read them at each start, which took a sixth of the start.
"""

import ast
import inspect
from functools import cache
from itertools import pairwise
from textwrap import dedent


@cache
def describe_fields(schema: type) -> dict[str, str]:
    """Return the texts by the field's Python name, including those of base classes."""
    found: dict[str, str] = {}
    for each in reversed(schema.__mro__):
        if inspect.get_annotations(each):
            found.update(_read(each))
    return found


def _read(schema: type) -> dict[str, str]:
    try:
        source = inspect.getsource(schema)
    except (OSError, TypeError):  # created at run time, without source
        return {}
    (written,) = ast.parse(dedent(source)).body
    assert isinstance(written, ast.ClassDef)
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairwise(written.body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }

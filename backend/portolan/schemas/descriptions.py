"""What schemas say of their fields: the texts below them in the source. They are read when a document of the schemas is made; pydantic
would read them whenever a process starts, which took a sixth of the start.
"""

import ast
import inspect
from functools import cache
from itertools import pairwise
from textwrap import dedent


@cache
def describe_fields(schema: type) -> dict[str, str]:
    """Texts by the field's name in Python, those of the classes before it too."""
    found: dict[str, str] = {}
    for each in reversed(schema.__mro__):
        if inspect.get_annotations(each):
            found.update(_read(each))
    return found


def _read(schema: type) -> dict[str, str]:
    try:
        source = inspect.getsource(schema)
    except (OSError, TypeError):  # made at run time: nobody has written anything below its fields
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

"""Document an operation beyond its types: an example of its reply, and its own problems.

Both are written at the operation; ``document.py`` adds the parts that all operations share.
"""

from collections.abc import Mapping
from typing import Any

from ..schemas.base import Schema
from .problems import CONTENT_TYPE, ProblemKind


def describe(
    operation_id: str,
    summary: str,
    example: Schema,
    *problems: ProblemKind,
    status: int = 200,
    links: Mapping[str, Mapping[str, str]] | None = None,
) -> dict[str, Any]:
    """Return arguments for a decorator of Ninja.

    The type of ``example`` is the type of the reply. The function's docstring becomes the description. ``links`` names
    operations that use a value of the reply as a parameter: ``{"read_office": {"id": "/items/0/id"}}``. A value that is
    not a JSON pointer is used as it is.
    """
    reply: dict[str, Any] = {
        "content": {"application/json": {"example": example.model_dump(mode="json", by_alias=True)}}
    }
    if links:
        reply["links"] = {operation: _link(operation, parameters) for operation, parameters in links.items()}
    return {
        "operation_id": operation_id,
        "summary": summary,
        "response": {status: type(example)},
        "openapi_extra": {"responses": {status: reply, **describe_problems(*problems)}},
    }


def _link(operation: str, parameters: Mapping[str, str]) -> dict[str, Any]:
    values = {name: f"$response.body#{value}" if value[0] == "/" else value for name, value in parameters.items()}
    return {"operationId": operation, "parameters": values}


def describe_problems(*kinds: ProblemKind) -> dict[int, Any]:
    """Return the replies of an OpenAPI operation: one per status, with an example per code."""
    replies: dict[int, Any] = {}
    for kind in kinds:
        content: dict[str, Any] = {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": {}}
        reply = replies.setdefault(kind.status, {"description": "", "content": {CONTENT_TYPE: content}})
        reply["description"] = f"{reply['description']} {kind.meaning}".strip()
        example = {"summary": kind.meaning, "value": kind.show_example()}
        reply["content"][CONTENT_TYPE]["examples"][kind.code] = example
    return replies

"""The documentation of an operation beyond its types: an example of its reply, and the problems that only it has. Both
are written beside the operation; ``document.py`` adds what all operations have in common.
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
    """Arguments for a decorator of Ninja's.

    The type of ``example`` is the type of the reply; the docstring of the function becomes the description. ``links``
    names operations that take a value of the reply as a parameter: ``{"read_office": {"id": "/items/0/id"}}``. A value
    that is no JSON pointer is used as it is.
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
    """Replies of an OpenAPI operation: one for each status, with an example for each code."""
    replies: dict[int, Any] = {}
    for kind in kinds:
        content: dict[str, Any] = {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": {}}
        reply = replies.setdefault(kind.status, {"description": "", "content": {CONTENT_TYPE: content}})
        reply["description"] = f"{reply['description']} {kind.meaning}".strip()
        example = {"summary": kind.meaning, "value": kind.show_example()}
        reply["content"][CONTENT_TYPE]["examples"][kind.code] = example
    return replies

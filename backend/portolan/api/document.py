"""The API's part of the contract: paths as Ninja describes them, and what all operations have in common."""

from typing import Any, Final

from pydantic.json_schema import models_json_schema

from ..shapes.problem import Problem
from .app import api
from .headers import API_VERSION, FALLBACK_SITE
from .problems import CONTENT_TYPE

_PARAMETERS: Final[dict[str, Any]] = {
    "ApiVersion": {
        "name": "Api-Version",
        "in": "header",
        "required": False,
        "description": f"Absent means {API_VERSION}; any other value is refused with 400. The reply repeats it.",
        "schema": {"type": "string", "enum": [API_VERSION], "default": API_VERSION},
    },
    "AcceptLanguage": {
        "name": "Accept-Language",
        "in": "header",
        "required": False,
        "description": "A site key (`de`, `ae` …), else an ordinary language list (`de-DE,de;q=0.9`). "
        f"Absent: the site of the Host, else `{FALLBACK_SITE}`.",
        "schema": {"type": "string"},
        "example": "de",
    },
}
_PROBLEMS: Final = {"400": "The version is not supported.", "default": "Any other error."}


def build_paths() -> tuple[dict[str, Any], dict[str, Any]]:
    """Paths and components of the API's OpenAPI document."""
    document = api.get_openapi_schema(path_prefix="/api/")
    problem = {"content": {CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    for operations in document["paths"].values():
        for operation in operations.values():
            shared = [{"$ref": f"#/components/parameters/{name}"} for name in _PARAMETERS]
            operation["parameters"] = [*operation.get("parameters", []), *shared]
            has_input = len(operation["parameters"]) > len(shared)
            if has_input:
                operation["responses"]["404"] = {"description": "There is nothing of this id.", **problem}
            for status, description in _PROBLEMS.items():
                operation["responses"].setdefault(status, {"description": description, **problem})
            operation["responses"] = {str(status): reply for status, reply in operation["responses"].items()}
    _, problems = models_json_schema([(Problem, "serialization")], ref_template="#/components/schemas/{model}")
    components = document.get("components", {})
    return dict(document["paths"]), {
        **components,
        "parameters": dict(_PARAMETERS),
        "schemas": {**components.get("schemas", {}), **problems["$defs"]},
    }

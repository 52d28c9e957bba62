"""The API's OpenAPI document: the operations as Ninja describes them, and what all of them have in common."""

from copy import deepcopy
from functools import cache
from typing import Any, Final

import orjson
from pydantic.json_schema import models_json_schema

from ..domain.content_api import API_PREFIX, API_VERSION, FALLBACK_SITE, READS
from ..schemas.problem import FieldProblem, Problem
from . import problems
from .app import api
from .operations import describe_problems
from .problems import ProblemKind

_READS: Final = {f"{API_PREFIX}{read.path}": read for read in READS}

_INTRODUCTION: Final = f"""\
Everything the sites show, as JSON, from the release that is live: pages and API change at the same instant.

**Version.** `Api-Version: {API_VERSION}`, or nothing. **Site.** `Accept-Language` chooses whose content answers: a site key
(`de`, `ae` …) or an ordinary language list; without it the site of the host. Of several sites in one language it is the
host's, else the first. **Language of errors.** English.

**Caching.** Every read carries an `ETag`; send it as `If-None-Match`, and what has not changed is a 304 without a body.
`Vary` names the headers a reply depends on. **Other origins.** Any page may read `content/…`; `integration/…` is for the
sites themselves.

**Errors** are `application/problem+json` (RFC 9457). Go by `code`, which stays; `detail` is for people.
"""

_TAGS: Final = {
    "Articles": "How often news and blueprints are read.",
    "Certificates": "What the company is certified for.",
    "CVs": "Specialists for hire.",
    "E-mail": "Whether an address can be written to.",
    "Events": "Where the company can be met.",
    "Forms": "What visitors send.",
    "Insights": "Videos.",
    "News": "What the company writes.",
    "Offices": "Where the company is.",
    "Phones": "Under which number visitors of which country reach it.",
    "Projects": "Case studies, in several cuts.",
    "Redirects": "Where addresses without a page lead.",
    "Reviews": "What clients say.",
}

_PARAMETERS: Final[dict[str, Any]] = {
    "ApiVersion": {
        "name": "Api-Version",
        "in": "header",
        "required": False,
        "description": f"Absent means {API_VERSION}; any other value is refused with 400. The reply repeats it.",
        "schema": {"type": "string", "enum": [API_VERSION], "default": API_VERSION},
        "example": API_VERSION,
    },
    "AcceptLanguage": {
        "name": "Accept-Language",
        "in": "header",
        "required": False,
        "description": "A site key (`de`, `ae` …), else an ordinary language list (`de-DE,de;q=0.9`). "
        f"Absent, or nothing of ours in it: the site of the host, else `{FALLBACK_SITE}`.",
        "schema": {"type": "string"},
        "example": "de",
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "description": "The `ETag` of the reply the caller has; while it is the same, the answer is 304.",
        "schema": {"type": "string"},
        "example": '"2f1d6a0c9b7e4d3f8a5b6c7d8e9f0a1b"',
    },
}

_HEADERS: Final[dict[str, Any]] = {
    "ApiVersion": {
        "description": "The version that answered.",
        "required": True,
        "schema": {"type": "string", "enum": [API_VERSION]},
    },
    "ContentLanguage": {
        "description": "Language tag of the site whose content it is.",
        "required": True,
        "schema": {"type": "string"},
        "example": "de-DE",
    },
    "CrossOriginResourcePolicy": {
        "description": "Pages of any origin may use the reply.",
        "required": True,
        "schema": {"type": "string", "enum": ["cross-origin"]},
    },
    "AccessControlAllowOrigin": {
        "description": "Pages of any origin may read the reply.",
        "required": True,
        "schema": {"type": "string", "enum": ["*"]},
    },
    "ETag": {
        "description": "Changes with the reply; to be sent back as `If-None-Match`.",
        "required": True,
        "schema": {"type": "string"},
        "example": '"2f1d6a0c9b7e4d3f8a5b6c7d8e9f0a1b"',
    },
    "CacheControl": {
        "description": "Caches may keep the reply and ask whether it has changed.",
        "required": True,
        "schema": {"type": "string"},
        "example": "public, max-age=0, must-revalidate",
    },
    "NoStore": {
        "description": "No cache may keep the reply.",
        "required": True,
        "schema": {"type": "string", "enum": ["no-store"]},
    },
    "RetryAfter": {
        "description": "Seconds to wait before asking again.",
        "required": True,
        "schema": {"type": "integer", "minimum": 1},
        "example": 12,
    },
}
_ON_EVERY_REPLY: Final = {
    "Api-Version": {"$ref": "#/components/headers/ApiVersion"},
    "Content-Language": {"$ref": "#/components/headers/ContentLanguage"},
    "Cross-Origin-Resource-Policy": {"$ref": "#/components/headers/CrossOriginResourcePolicy"},
}
_ON_EVERY_READ: Final = {
    "ETag": {"$ref": "#/components/headers/ETag"},
    "Cache-Control": {"$ref": "#/components/headers/CacheControl"},
    "Access-Control-Allow-Origin": {"$ref": "#/components/headers/AccessControlAllowOrigin"},
}
_ON_EVERY_OTHER_REPLY: Final = {"Cache-Control": {"$ref": "#/components/headers/NoStore"}}
_RETRY_AFTER: Final = {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}}

_ID: Final = {"pattern": "^[a-z0-9][a-z0-9.-]*$", "maxLength": 120}
"""The pattern of ids and slugs. Anything else is answered with 404, as an unknown one is."""

_COMMON: Final[dict[str, tuple[str, tuple[ProblemKind, ...]]]] = {
    "400": ("BadRequest", (problems.BAD_REQUEST, problems.UNSUPPORTED_VERSION)),
    "429": ("TooManyRequests", (problems.TOO_MANY_REQUESTS,)),
    "431": ("HeadersTooLarge", (problems.HEADERS_TOO_LARGE,)),
    "500": ("InternalError", (problems.INTERNAL_ERROR,)),
    "503": ("Unavailable", (problems.UNAVAILABLE, problems.NOTHING_PUBLISHED)),
}
"""Errors that any operation may answer with, by status: the name of the component, and its codes."""


def build_document() -> dict[str, Any]:
    """The document as it is served, ready to be written as JSON."""
    # Copied, because parts of it belong to the operations.
    described = deepcopy(dict(api.get_openapi_schema(path_prefix=API_PREFIX)))
    paths: dict[str, Any] = described["paths"]
    for path, methods in paths.items():
        for method, operation in methods.items():
            methods[method] = _complete(path, method, operation)
    used = {tag for methods in paths.values() for operation in methods.values() for tag in operation["tags"]}
    _, problem_schemas = models_json_schema([(Problem, "serialization")], ref_template="#/components/schemas/{model}")
    schemas = {**described["components"]["schemas"], **problem_schemas["$defs"]}
    return {
        "openapi": "3.1.0",
        "info": {"title": api.title, "version": api.version, "description": _INTRODUCTION},
        "servers": [{"url": "/", "description": "The origin of any site"}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items() if name in used],
        "paths": clean(dict(sorted(paths.items()))),
        "components": {
            "parameters": _PARAMETERS,
            "headers": _HEADERS,
            "responses": {name: _common_response(kinds) for name, kinds in _COMMON.values()},
            "schemas": {name: clean(schema) for name, schema in sorted(schemas.items())},
        },
    }


@cache
def document_bytes() -> bytes:
    return orjson.dumps(build_document())


def clean(node: Any) -> Any:
    """A part of a schema with two changes: Pydantic's titles are removed (they repeat the names and would become types
    in TypeScript), and reStructuredText of docstrings becomes Markdown.
    """
    if isinstance(node, list):
        return [clean(item) for item in node]
    if not isinstance(node, dict):
        return node
    cleaned = {}
    for key, value in node.items():
        if key == "title" and isinstance(value, str):
            continue
        if key in ("example", "examples", "value"):
            cleaned[key] = value
        elif key == "properties":
            cleaned[key] = {name: clean(schema) for name, schema in value.items()}
        elif key == "description":
            cleaned[key] = value.replace("``", "`")
        else:
            cleaned[key] = clean(value)
    return cleaned


def _complete(path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    read = _READS.get(path)
    own = [_parameter(parameter) for parameter in operation.get("parameters", [])]
    common = [name for name in _PARAMETERS if read or name != "IfNoneMatch"]
    parameters = [*own, *({"$ref": f"#/components/parameters/{name}"} for name in common)]
    responses = {str(status): reply for status, reply in operation["responses"].items()}
    for status, reply in responses.items():
        headers = reply.setdefault("headers", {})
        headers |= {name: header for name, header in _ON_EVERY_REPLY.items() if name not in headers}
        if status == "200" and read:
            vary = ", ".join(("Accept-Language", "Api-Version", *read.headers))
            headers |= {**_ON_EVERY_READ, "Vary": _vary(vary)}
        else:
            headers |= _ON_EVERY_OTHER_REPLY
        if status < "300":
            reply["description"] = operation["summary"]
    if read:
        responses["304"] = {"description": "Not modified: what `If-None-Match` names is still right."}
    checked = next((parameter for parameter in own if _can_be_wrong(parameter)), None)
    if checked and "422" not in responses:
        responses |= {str(status): reply for status, reply in _invalid(checked).items()}
    for status, (name, kinds) in _COMMON.items():
        if status in responses:
            _add_problems(responses[status], kinds)
        else:
            responses[status] = {"$ref": f"#/components/responses/{name}"}
    return {
        **{name: operation[name] for name in ("operationId", "summary", "description", "tags")},
        "parameters": parameters,
        **{name: operation[name] for name in ("requestBody",) if name in operation},
        "responses": dict(sorted(responses.items())),
        "x-codeSamples": [{"lang": "Shell", "source": _curl(path, method, own)}],
    }


def _parameter(parameter: dict[str, Any]) -> dict[str, Any]:
    """Removes the description and example that Ninja writes twice, and adds the pattern of ids."""
    schema = {name: value for name, value in parameter["schema"].items() if name not in ("description", "example")}
    return {**parameter, "schema": schema | _ID if parameter["in"] == "path" and "enum" not in schema else schema}


def _can_be_wrong(parameter: dict[str, Any]) -> bool:
    """Whether a value of the parameter can be refused with 422. Unknown paths are answered with 404."""
    schema = parameter["schema"]
    return parameter["in"] != "path" and (parameter["required"] or "pattern" in schema or schema["type"] != "string")


def _invalid(parameter: dict[str, Any]) -> dict[int, Any]:
    replies = describe_problems(problems.INVALID_VALUE)
    message = "Input should be a valid integer, unable to parse string as an integer"
    if parameter["required"]:
        message = "Field required"
    elif "pattern" in parameter["schema"]:
        message = "'zz' is no country. Send two letters of ISO 3166-1, e.g. de, or leave it out."
    error = FieldProblem(field=f"{parameter['in']}.{parameter['name']}", message=message)
    content = replies[422]["content"][problems.CONTENT_TYPE]
    content["examples"][problems.INVALID_VALUE.code]["value"] = problems.INVALID_VALUE.show_example(error)
    replies[422]["headers"] = {**_ON_EVERY_REPLY, **_ON_EVERY_OTHER_REPLY}
    return replies


def _add_problems(reply: dict[str, Any], kinds: tuple[ProblemKind, ...]) -> None:
    """Adds the problems that any operation may have to a reply that lists the operation's own."""
    (common,) = describe_problems(*kinds).values()
    reply["description"] = f"{reply['description']} {common['description']}"
    reply["content"][problems.CONTENT_TYPE]["examples"] |= common["content"][problems.CONTENT_TYPE]["examples"]


def _vary(value: str) -> dict[str, Any]:
    return {
        "description": "Request headers the reply depends on.",
        "required": True,
        "schema": {"type": "string"},
        "example": value,
    }


def _common_response(kinds: tuple[ProblemKind, ...]) -> dict[str, Any]:
    (response,) = describe_problems(*kinds).values()
    waits = kinds[0].status in (429, 503)
    return {**response, "headers": {**_ON_EVERY_REPLY, **_ON_EVERY_OTHER_REPLY, **(_RETRY_AFTER if waits else {})}}


def _curl(path: str, method: str, parameters: list[dict[str, Any]]) -> str:
    """A curl command that calls the operation with its examples."""
    examples = {(p["in"], p["name"]): p.get("example", "…") for p in parameters}
    query = "&".join(f"{name}={value}" for (place, name), value in examples.items() if place == "query")
    for (place, name), value in examples.items():
        if place == "path":
            path = path.replace(f"{{{name}}}", str(value))
    headers = {"Api-Version": API_VERSION, "Accept-Language": "en"}
    headers |= {name: value for (place, name), value in examples.items() if place == "header"}
    lines = [f'curl "$ORIGIN{path}{"?" + query if query else ""}"']
    if method != "get":
        lines.append(f"--request {method.upper()}")
    lines += [f"--header '{name}: {value}'" for name, value in headers.items()]
    return " \\\n  ".join(lines)

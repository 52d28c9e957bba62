"""The API's OpenAPI document: Ninja's description of the operations, with the parts that all of them share."""

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
The content of the sites as JSON, from the live release. Pages and API change at the same moment.

**Version.** Send `Api-Version: {API_VERSION}` or nothing.

**Site.** `Accept-Language` selects the site: a site key (`de`, `ae` …) or a language list. Without it, the host's site is
used. If several sites have the language, the host's site is used if it has the language, else the first one.

**Language of errors.** English.

**Caching.** Each read has an `ETag`. Send it as `If-None-Match`; an unchanged reply is 304 without a body. `Vary` names
the headers on which a reply depends.

**Other origins.** Any page may read `content/…`. Only the sites may use `integration/…`.

**Errors** are `application/problem+json` (RFC 9457). Use `code`, which is stable; `detail` is for people.
"""

_TAGS: Final = {
    "Articles": "Views of news and blueprints.",
    "Certificates": "Certificates of the company.",
    "CVs": "Specialists for hire.",
    "E-mail": "Validation of e-mail addresses.",
    "Events": "Events of the company.",
    "Forms": "Forms of visitors.",
    "Insights": "Videos.",
    "News": "News of the company.",
    "Offices": "Offices of the company.",
    "Phones": "Phone numbers by country.",
    "Projects": "Case studies in several forms.",
    "Redirects": "Redirects of URLs without a page.",
    "Reviews": "Reviews by clients.",
}

_PARAMETERS: Final[dict[str, Any]] = {
    "ApiVersion": {
        "name": "Api-Version",
        "in": "header",
        "required": False,
        "description": f"Default: {API_VERSION}. Other values return 400. The reply repeats it.",
        "schema": {"type": "string", "enum": [API_VERSION], "default": API_VERSION},
        "example": API_VERSION,
    },
    "AcceptLanguage": {
        "name": "Accept-Language",
        "in": "header",
        "required": False,
        "description": "A site key (`de`, `ae` …) or a language list (`de-DE,de;q=0.9`). "
        f"Without a match: the host's site, else `{FALLBACK_SITE}`.",
        "schema": {"type": "string"},
        "example": "de",
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "required": False,
        "description": "The `ETag` of your copy. If the reply is unchanged, the status is 304.",
        "schema": {"type": "string"},
        "example": '"2f1d6a0c9b7e4d3f8a5b6c7d8e9f0a1b"',
    },
}

_HEADERS: Final[dict[str, Any]] = {
    "ApiVersion": {
        "description": "The version of the reply.",
        "required": True,
        "schema": {"type": "string", "enum": [API_VERSION]},
    },
    "ContentLanguage": {
        "description": "Language tag of the site.",
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
        "description": "Changes with the reply. Send it as `If-None-Match`.",
        "required": True,
        "schema": {"type": "string"},
        "example": '"2f1d6a0c9b7e4d3f8a5b6c7d8e9f0a1b"',
    },
    "CacheControl": {
        "description": "Caches may store the reply, but must revalidate it.",
        "required": True,
        "schema": {"type": "string"},
        "example": "public, max-age=0, must-revalidate",
    },
    "NoStore": {
        "description": "Caches must not store the reply.",
        "required": True,
        "schema": {"type": "string", "enum": ["no-store"]},
    },
    "RetryAfter": {
        "description": "Seconds to wait before the next request.",
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
"""Pattern of ids and slugs. All others return 404, like unknown ones."""

_COMMON: Final[dict[str, tuple[str, tuple[ProblemKind, ...]]]] = {
    "400": ("BadRequest", (problems.BAD_REQUEST, problems.UNSUPPORTED_VERSION)),
    "429": ("TooManyRequests", (problems.TOO_MANY_REQUESTS,)),
    "431": ("HeadersTooLarge", (problems.HEADERS_TOO_LARGE,)),
    "500": ("InternalError", (problems.INTERNAL_ERROR,)),
    "503": ("Unavailable", (problems.UNAVAILABLE, problems.NOTHING_PUBLISHED)),
}
"""Errors of any operation by status: the component's name, and its codes."""


def build_document() -> dict[str, Any]:
    """Return the document, ready to be written as JSON."""
    # Copied, because the operations share parts of it.
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
    """Return a part of a schema without Pydantic's titles, with Markdown instead of reStructuredText.

    The titles repeat the names, and would become types in TypeScript.
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
        responses["304"] = {"description": "Not modified: your copy of `If-None-Match` is current."}
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
    """Return a parameter without the description and example that Ninja repeats, and with the pattern of ids."""
    schema = {name: value for name, value in parameter["schema"].items() if name not in ("description", "example")}
    return {**parameter, "schema": schema | _ID if parameter["in"] == "path" and "enum" not in schema else schema}


def _can_be_wrong(parameter: dict[str, Any]) -> bool:
    """Return whether a value can return 422. Unknown paths return 404."""
    schema = parameter["schema"]
    return parameter["in"] != "path" and (parameter["required"] or "pattern" in schema or schema["type"] != "string")


def _invalid(parameter: dict[str, Any]) -> dict[int, Any]:
    replies = describe_problems(problems.INVALID_VALUE)
    message = "Input should be a valid integer, unable to parse string as an integer"
    if parameter["required"]:
        message = "Field required"
    elif "pattern" in parameter["schema"]:
        message = "'zz' is not a country. Send a code of ISO 3166-1 with two letters, such as de, or leave it out."
    error = FieldProblem(field=f"{parameter['in']}.{parameter['name']}", message=message)
    content = replies[422]["content"][problems.CONTENT_TYPE]
    content["examples"][problems.INVALID_VALUE.code]["value"] = problems.INVALID_VALUE.show_example(error)
    replies[422]["headers"] = {**_ON_EVERY_REPLY, **_ON_EVERY_OTHER_REPLY}
    return replies


def _add_problems(reply: dict[str, Any], kinds: tuple[ProblemKind, ...]) -> None:
    """Add the problems of any operation to a reply with the operation's own."""
    (common,) = describe_problems(*kinds).values()
    reply["description"] = f"{reply['description']} {common['description']}"
    reply["content"][problems.CONTENT_TYPE]["examples"] |= common["content"][problems.CONTENT_TYPE]["examples"]


def _vary(value: str) -> dict[str, Any]:
    return {
        "description": "Request headers on which the reply depends.",
        "required": True,
        "schema": {"type": "string"},
        "example": value,
    }


def _common_response(kinds: tuple[ProblemKind, ...]) -> dict[str, Any]:
    (response,) = describe_problems(*kinds).values()
    waits = kinds[0].status in (429, 503)
    return {**response, "headers": {**_ON_EVERY_REPLY, **_ON_EVERY_OTHER_REPLY, **(_RETRY_AFTER if waits else {})}}


def _curl(path: str, method: str, parameters: list[dict[str, Any]]) -> str:
    """Return a curl command that calls the operation with its examples."""
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

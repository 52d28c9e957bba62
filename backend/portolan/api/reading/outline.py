"""Arrange the document for the page: operations by noun, resolved references, types in words."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..problems import COMMON

Node = Mapping[str, Any]


class Type(NamedTuple):
    """A type in words. ``schema``: the schema it links to, or empty."""

    before: str
    schema: str
    after: str


class Field(NamedTuple):
    name: str
    type: Type
    text: str


class Parameter(NamedTuple):
    name: str
    place: str
    required: bool
    type: Type
    text: str
    example: str


class Example(NamedTuple):
    title: str
    text: str


class Reply(NamedTuple):
    status: str
    text: str
    schema: str
    headers: list[str]
    links: list[str]
    """Operations that use a value of the reply."""
    examples: list[Example]


class Operation(NamedTuple):
    id: str
    method: str
    path: str
    summary: str
    text: str
    request: str
    body: Type | None
    parameters: list[Parameter]
    replies: list[Reply]


class Noun(NamedTuple):
    name: str
    text: str
    operations: list[Operation]


class Header(NamedTuple):
    name: str
    text: str
    example: str


class Schema(NamedTuple):
    name: str
    text: str
    fields: list[Field]


class Code(NamedTuple):
    status: int
    code: str
    text: str


class Outline(NamedTuple):
    title: str
    version: str
    text: str
    nouns: list[Noun]
    codes: list[Code]
    replies: list[Reply]
    """Replies of every operation."""
    headers: list[Header]
    schemas: list[Schema]


def build_outline(document: Node) -> Outline:
    operations = [
        (operation["tags"][0], _operation(document, path, method, operation))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    components = document["components"]
    return Outline(
        title=document["info"]["title"],
        version=document["info"]["version"],
        text=document["info"]["description"],
        nouns=[
            Noun(tag["name"], tag["description"], [operation for name, operation in operations if name == tag["name"]])
            for tag in document["tags"]
        ],
        codes=list_codes(document),
        replies=[_reply(_status_of(reply), reply) for reply in components["responses"].values()],
        headers=_headers(document),
        schemas=[_schema(name, schema) for name, schema in components["schemas"].items()],
    )


def list_codes(document: Node) -> list[Code]:
    """Return every code of the API by status and code."""
    found = {kind.code: Code(kind.status, kind.code, kind.meaning) for kind in COMMON}
    for methods in document["paths"].values():
        for operation in methods.values():
            for reply in operation["responses"].values():
                for content in reply.get("content", {}).values():
                    for code, example in content.get("examples", {}).items():
                        if "code" in example["value"]:
                            found.setdefault(code, Code(example["value"]["status"], code, example["summary"]))
    return sorted(found.values())


def _operation(document: Node, path: str, method: str, operation: Node) -> Operation:
    body = operation.get("requestBody", {}).get("content", {})
    return Operation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        text=operation["description"],
        request=operation["x-codeSamples"][0]["source"],
        body=next((describe_type(content["schema"]) for content in body.values()), None),
        parameters=[_parameter(_follow(document, parameter)) for parameter in operation["parameters"]],
        replies=[
            _reply(status, reply)
            for status, reply in operation["responses"].items()
            if "$ref" not in reply  # replies of every operation are shown once
        ],
    )


def _parameter(parameter: Node) -> Parameter:
    return Parameter(
        parameter["name"],
        parameter["in"],
        parameter["required"],
        describe_type(parameter["schema"]),
        parameter["description"],
        str(parameter["example"]),
    )


def _reply(status: str, reply: Node) -> Reply:
    content: Node = next(iter(reply.get("content", {}).values()), {})
    examples = [Example(name, _json(example["value"])) for name, example in content.get("examples", {}).items()]
    if "example" in content:
        examples.insert(0, Example("", _json(content["example"])))
    reference = content.get("schema", {}).get("$ref", "")
    headers, links = sorted(reply.get("headers", {})), list(reply.get("links", {}))
    return Reply(status, reply["description"], _name(reference), headers, links, examples)


def _headers(document: Node) -> list[Header]:
    """Return the headers of all replies, each once per meaning."""
    replies = [*document["components"]["responses"].values()]
    for methods in document["paths"].values():
        for operation in methods.values():
            replies += operation["responses"].values()
    found: dict[tuple[str, str], Header] = {}
    for reply in replies:
        for name, reference in reply.get("headers", {}).items():
            header = _follow(document, reference)
            example = header.get("example", header["schema"].get("enum", [""])[0])
            found.setdefault((name, header["description"]), Header(name, header["description"], str(example)))
    return sorted(found.values())


def _status_of(reply: Node) -> str:
    (content,) = reply["content"].values()
    return str(next(iter(content["examples"].values()))["value"]["status"])


def _schema(name: str, schema: Node) -> Schema:
    fields = [
        Field(key, describe_type(value), value.get("description", ""))
        for key, value in schema.get("properties", {}).items()
    ]
    return Schema(name, schema.get("description", ""), fields)


def describe_type(schema: Node) -> Type:
    """
    >>> describe_type({"type": "array", "items": {"$ref": "#/components/schemas/Link"}})
    Type(before='list of ', schema='Link', after='')
    """
    if "$ref" in schema:
        return Type("", _name(schema["$ref"]), "")
    if "anyOf" in schema:
        options = [option for option in schema["anyOf"] if option.get("type") != "null"]
        inner = describe_type(options[0])
        return inner._replace(after=f"{inner.after} or null") if len(options) < len(schema["anyOf"]) else inner
    if "enum" in schema:
        return Type(_either(schema["enum"]), "", "")
    if "const" in schema:
        return Type(_either([schema["const"]]), "", "")
    if schema.get("type") == "array":
        inner = describe_type(schema["items"])
        return inner._replace(before=f"list of {inner.before}")
    return Type(_plain(schema), "", "")


def _plain(schema: Node) -> str:
    name: str = schema.get("format", schema.get("type", "any"))
    limits = []
    if "minimum" in schema:
        limits.append(f"from {schema['minimum']}")
    if "maximum" in schema:
        limits.append(f"to {schema['maximum']}")
    if "default" in schema:
        limits.append(f"{schema['default']} if absent")
    return " ".join([name, *limits]) if len(limits) < 2 else f"{name} {', '.join([' '.join(limits[:2]), *limits[2:]])}"


def _either(values: Iterable[object]) -> str:
    return " | ".join(json.dumps(value) for value in values)


def _follow(document: Node, node: Node) -> Node:
    if "$ref" not in node:
        return node
    _, kind, section, name = node["$ref"].split("/")
    found: Node = document[kind][section][name]
    return found


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)

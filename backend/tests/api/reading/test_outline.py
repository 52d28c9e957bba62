import pytest

from portolan.api.document import build_document
from portolan.api.reading.outline import build_outline, describe_type, list_codes

OUTLINE = build_outline(build_document())


def words(schema: dict[str, object]) -> str:
    return "".join(describe_type(schema))


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, "string"),
        ({"type": "string", "format": "date"}, "date"),
        ({"type": "integer", "minimum": 1}, "integer from 1"),
        ({"type": "integer", "minimum": 1, "maximum": 50, "default": 9}, "integer from 1 to 50, 9 if absent"),
        ({"enum": ["a", "b"]}, '"a" | "b"'),
        ({"const": "a"}, '"a"'),
        ({"$ref": "#/components/schemas/Link"}, "Link"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/Link"}}, "list of Link"),
        ({"anyOf": [{"$ref": "#/components/schemas/Link"}, {"type": "null"}]}, "Link or null"),
        ({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}, "list of string or null"),
        ({}, "any"),
    ],
)
def test_types_are_said_in_words(schema, expected):
    assert words(schema) == expected


def test_every_operation_stands_under_its_noun_once():
    ids = [operation.id for noun in OUTLINE.nouns for operation in noun.operations]
    paths = build_document()["paths"]
    assert sorted(ids) == sorted(op["operationId"] for methods in paths.values() for op in methods.values())


def test_codes_of_operations_and_common_ones_are_listed_by_status():
    codes = list_codes(build_document())
    assert codes == sorted(codes)
    assert {"unknown-office", "unknown-page-key", "unsupported-version"} <= {code.code for code in codes}
    assert all(code.text != code.code for code in codes)


def test_types_lead_to_schemas_of_the_page():
    schemas = {schema.name for schema in OUTLINE.schemas}
    fields = [field.type.schema for schema in OUTLINE.schemas for field in schema.fields]
    replies = [reply.schema for noun in OUTLINE.nouns for op in noun.operations for reply in op.replies]
    assert {name for name in (*fields, *replies) if name} <= schemas

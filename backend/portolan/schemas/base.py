"""Define the base of all schemas: immutable, without unknown keys, camelCase in JSON."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, GetJsonSchemaHandler
from pydantic.alias_generators import to_camel
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from .descriptions import describe_fields

Tone = Literal["navy", "ink", "paper"]


class Schema(BaseModel):
    """A published value. Attributes are snake_case in Python and camelCase in JSON."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        serialize_by_alias=True,
        json_schema_serialization_defaults_required=True,  # published values are complete, so that TypeScript needs no optional fields
    )

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Return the JSON Schema, with the texts below the fields as descriptions."""
        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        for name, text in describe_fields(cls).items():
            field = cls.model_fields.get(name)
            if field and (described := properties.get(field.alias or name)) is not None:
                described.setdefault("description", text)
        return schema


def wire_names(schema: type[Schema]) -> list[str]:
    """Return the names of a schema's fields in JSON."""
    return [field.alias or name for name, field in schema.model_fields.items()]


class BlockData(Schema):
    """Fields of all blocks. Each block's own schema adds ``type``, a literal with its name."""

    id: str
    """The permanent ID of the block from the editor's stream."""
    tone: Tone = "paper"
    """Background of the section: deep navy, near-black ink or paper white."""
    anchor: str | None = None
    """ID of the section in the page, for links to it (``/about-us#offices``)."""

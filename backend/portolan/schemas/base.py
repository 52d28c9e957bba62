"""What every schema shares: frozen, unknown keys refused, camelCase on the wire."""

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
        json_schema_serialization_defaults_required=True,  # what is published is whole: TypeScript sees no optional fields
    )

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """With what the source says of each field."""
        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        for name, text in describe_fields(cls).items():
            field = cls.model_fields.get(name)
            if field and (described := properties.get(field.alias or name)) is not None:
                described.setdefault("description", text)
        return schema


def wire_names(schema: type[Schema]) -> list[str]:
    """Names of a schema's fields as JSON has them."""
    return [field.alias or name for name, field in schema.model_fields.items()]


class BlockData(Schema):
    """What all blocks carry. Each block's own schema adds ``type``, a literal that names it."""

    id: str
    """Stable for the life of the block: the id the editor's stream gave it."""
    tone: Tone = "paper"
    """The section's ground: deep navy, near-black ink or paper white."""
    anchor: str | None = None
    """Id of the section in the page, so that links can lead to it (``/about-us#offices``)."""

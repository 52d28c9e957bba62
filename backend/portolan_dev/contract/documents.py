"""Build the contract: the schemas of Python and TypeScript as one OpenAPI 3.1 document, with examples."""

import json
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from portolan.api.document import build_document, clean
from .frozen import build_snapshot_schemas
from .examples import build_block_examples, build_page_example, build_shared_example
from portolan.content.page_content import AnyBlockData, PageContent
from portolan.domain.country_groups import GROUPS
from portolan.domain.pagination import TESTIMONIALS_PER_PAGE
from portolan.publisher.web_build import RENDER_PROTOCOL
from portolan.schemas.base import Schema
from portolan.schemas.consent import ConsentChoice
from portolan.schemas.page import AppData, PageData, SharedData
from .phone_prefixes import build_phone_prefixes

FROZEN: Final = "frozen"
"""Folder with the schemas of stored bodies."""
_SCHEMAS = (PageContent, PageData, SharedData, AppData, ConsentChoice)


def build_files() -> dict[str, str]:
    """Return the text of every file of contract/ by name. The same schemas give the same bytes."""
    examples: dict[str, Schema] = {f"blocks/{name}": data for name, data in build_block_examples().items()}
    examples["pages/home"] = build_page_example()
    examples["pages/shared"] = build_shared_example()
    return {
        "openapi.json": _json(build_contract()),
        "constants.json": _json(build_constants()),
        **{f"{FROZEN}/{name}": _json(schema) for name, schema in build_snapshot_schemas().items()},
        **{
            f"examples/{name}.json": _json(example.model_dump(mode="json", by_alias=True))
            for name, example in sorted(examples.items())
        },
    }


def build_constants() -> dict[str, Any]:
    """Return constants that the browser needs too, and the protocol of render workers.

    They are sorted country groups by name, dialling prefixes, and the number of testimonials per page.
    """
    return {
        **{name: sorted(group) for name, group in GROUPS.items()},
        "phonePrefixes": build_phone_prefixes(),
        "renderProtocol": RENDER_PROTOCOL,
        "testimonialsPerPage": TESTIMONIALS_PER_PAGE,
    }


def build_contract() -> dict[str, Any]:
    """Return the OpenAPI document of the API with the schemas of pages, ready to be written as JSON."""
    _, defined = models_json_schema(
        [(schema, "serialization") for schema in _SCHEMAS], ref_template="#/components/schemas/{model}"
    )
    schemas = {name: clean(definition) for name, definition in defined["$defs"].items()}
    union = TypeAdapter(AnyBlockData).json_schema(mode="serialization", ref_template="#/components/schemas/{model}")
    schemas["Block"] = {"oneOf": union["oneOf"], "discriminator": union["discriminator"]}
    document = build_document()
    components = document["components"]
    return {
        **document,
        "components": {**components, "schemas": dict(sorted((components["schemas"] | schemas).items()))},
    }


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"

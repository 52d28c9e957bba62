"""Write the bill of materials as CycloneDX 1.6. The same components give the same bytes."""

import json
import uuid
from collections.abc import Iterable
from typing import Any, Final

from .components import Component, Part

_NAMESPACE: Final = uuid.UUID("6f0a5a9e-6f6c-4d3c-9c9d-3b6f2c1f7a10")
_SCOPES: Final[dict[Part, str]] = {
    "browser": "required",
    "rendering": "required",
    "server": "required",
    "setting": "optional",
    "tool": "excluded",
}


def build_sbom(components: Iterable[Component], version: str) -> str:
    rows = [_row(component) for component in components]
    content = json.dumps([version, rows], sort_keys=True)
    document = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(_NAMESPACE, content)}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": f"pkg:pypi/portolan@{version}",
                "name": "portolan",
                "version": version,
                "purl": f"pkg:pypi/portolan@{version}",
                "licenses": [{"license": {"id": "BSD-3-Clause"}}],
            }
        },
    }
    # One line per component, so that a diff of two bills shows components.
    head = json.dumps(document, indent=1, ensure_ascii=False).removesuffix("\n}")
    lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    return f'{head},\n "components": [\n{lines}\n ]\n}}\n'


def _row(component: Component) -> dict[str, Any]:
    group, _, name = component.name.rpartition("/")
    row: dict[str, Any] = {"type": "library", "bom-ref": component.purl}
    if group:
        row["group"] = group
    row |= {"name": name, "version": component.version, "scope": _SCOPES[component.part], "purl": component.purl}
    if component.sha512:
        row["hashes"] = [{"alg": "SHA-512", "content": component.sha512}]
    if component.licence:
        row["licenses"] = [{"expression": component.licence}]
    row["properties"] = [{"name": "portolan:part", "value": component.part}]
    return row

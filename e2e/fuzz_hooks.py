"""Schemathesis hooks for `test_api_fuzz.py`: rules of the API that a schema cannot express.

A schema cannot express all rules of a form, so the hooks correct data that should be valid. Data that should be invalid stays
as it is. Every form gets its own name, because two forms under one name are refused (422 `idempotency-key-reused`).

An unknown field has a single form: `a` next to `a[b]` is refused, and so is `a[1]` without `a[0]`.

Files are left out: schemathesis 4.32 fails on binary values in forms drawn to be invalid ("Unsupported type: 'Binary'").
`backend/tests/api/integration/test_fuzz_forms.py` sends them.
"""

import re
from typing import Any
from uuid import uuid4

import schemathesis

LONGEST_KEY = 255
FORMS = "/api/integration/form-data"


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    body = raw_schema["paths"][FORMS]["post"]["requestBody"]["content"]["multipart/form-data"]
    del body["schema"]["properties"]["attachments[0]"]


@schemathesis.hook
def before_call(context: Any, case: schemathesis.Case, kwargs: Any) -> None:
    operation = case.operation.definition.raw
    if operation.get("operationId") != "submit_form":
        return
    key = case.headers.get("Idempotency-Key")
    if isinstance(key, str) and 0 < len(key) <= LONGEST_KEY:
        case.headers["Idempotency-Key"] = str(uuid4())
    if not isinstance(case.body, dict):
        return
    schema = operation["requestBody"]["content"]["multipart/form-data"]["schema"]
    own = schema["properties"]["submissionId"]
    name = case.body.get("submissionId")
    if isinstance(name, str) and 0 < len(name) <= own["maxLength"] and re.fullmatch(own["pattern"], name):
        case.body["submissionId"] = str(uuid4())
    for field in case.body.keys() - schema["properties"].keys():
        if "[" in field and re.fullmatch(schema["propertyNames"]["pattern"], field):
            del case.body[field]
    case._sync_validated_hashes()  # else it looks again at what was changed, and takes a valid form for an invalid one

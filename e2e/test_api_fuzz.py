"""Schemathesis against the running API, with valid and invalid requests: all checks, all phases.

Half of the ids, slugs and keys it draws are real ones, so that it gets behind the 404s.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.processes import SLOWER

from .product import ROOT, Product

EXAMPLES = int(os.environ.get("PORTOLAN_FUZZ_EXAMPLES", "5"))
"""For each operation; `make fuzz-api` takes 300."""
SEED = os.environ.get("PORTOLAN_FUZZ_SEED", "1")
SLOWEST_REPLY_S = 10 * SLOWER
LIMIT_S = 180 + 60 * EXAMPLES


def test_no_request_finds_a_reply_that_the_document_does_not_allow(product: Product, tmp_path: Path) -> None:
    operations = product.get("en", "/api/openapi.json").json()["paths"].values()
    count = sum(len(methods) for methods in operations)
    (tmp_path / "schemathesis.toml").write_text(write_settings(product))
    log = product.var_dir / "demo.log"
    before = log.stat().st_size
    done = subprocess.run(
        [
            Path(sys.executable).parent / "schemathesis",
            "run",
            f"http://localhost:{product.port}/api/openapi.json",
            "--phases=examples,coverage,fuzzing,stateful",
            "--mode=all",
            "--checks=all",
            f"--max-examples={EXAMPLES}",
            f"--seed={SEED}",
            "--workers=2",
            "--continue-on-failure",
            f"--request-timeout={SLOWEST_REPLY_S}",
            "--generation-allow-x00=true",
            "--no-color",
        ],
        env={**os.environ, "SCHEMATHESIS_HOOKS": "e2e.fuzz_hooks", "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,  # its settings are found here, and what it remembers is written here
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
    )
    report = done.stdout + done.stderr
    assert done.returncode == 0, report[-20_000:]
    assert f"{count} selected / {count} total" in report
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
        assert re.search(rf"✅\s+{phase}\b", report), f"{phase} did not run:\n{report[-5000:]}"
    with log.open("rb") as lines:
        lines.seek(before)
        logged = lines.read().decode(errors="replace")
    assert "Traceback" not in logged, logged[-5000:]


def write_settings(product: Product) -> str:
    """Return schemathesis settings with values that the demo really has, by operation and parameter."""
    dictionaries: dict[str, list[str]] = {}
    lines = []
    for operation, parameters in find_values(product).items():
        lines.append(f"[[operations]]\ninclude-operation-id = {json.dumps(operation)}\n[operations.parameters]")
        for parameter, values in parameters.items():
            assert values, f"the demo has nothing to ask {operation} for"
            name = f"{operation}-{parameter.replace('.', '-')}"
            dictionaries[name] = values
            lines.append(f"{json.dumps(parameter)} = {{ dictionary = {json.dumps(name)}, probability = 0.5 }}")
    named = [f"[dictionaries.{name}]\nvalues = {json.dumps(values)}" for name, values in dictionaries.items()]
    return "\n".join([*named, *lines])


def find_values(product: Product) -> Mapping[str, Mapping[str, list[str]]]:
    def items(path: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = product.get("en", f"/api/{path}", headers={"accept-language": "en"}).json()[
            "items"
        ]
        return found

    def ids(path: str) -> list[str]:
        return [item["id"] for item in items(path)]

    projects = items("content/projects/full-cards")
    page_keys = ["home", *(page["key"] for page in items("content/projects/pages"))]
    news, articles = ids("content/news"), ids("integration/articles/views")
    return {
        "read_office": {"path.id": ids("content/offices")},
        "read_news": {"path.id": news},
        "read_review": {"path.id": ids("content/reviews")},
        "list_reviews": {"header.Page-Key": page_keys},
        "list_project_cards": {"header.Page-Key": page_keys},
        "list_related_projects": {"path.slug": [project["slug"] for project in projects]},
        "list_filtered_projects": {
            "path.value": sorted({value["slug"] for project in projects for value in project["industries"]})
        },
        "add_article_view": {"path.id": articles},
        "read_blueprint_views": {"path.id": sorted(set(articles) - set(news))},
    }

"""The library that runs islands in a journey's browser: the product's React, or Preact as a company may choose it.

The published pages are the same. Only the scripts are exchanged, on their way to the browser.
"""

import json
import os
from typing import Final, Literal

from playwright.sync_api import BrowserContext, Route

from .product import ROOT

Runtime = Literal["react", "preact"]

DIST: Final = ROOT / "web" / "dist"
CHOSEN: Final[Runtime] = "preact" if os.environ.get("PORTOLAN_TEST_ISLANDS") == "preact" else "react"
"""For all journeys of forms and filters: `make test-preact` runs them once more."""


def run_islands_with(context: BrowserContext, runtime: Runtime) -> None:
    """The context needs ``service_workers="block"``: requests of service workers cannot be replaced."""
    if runtime == "react":
        return
    record = json.loads((DIST / "web-build.json").read_bytes())
    loader = json.loads((DIST / "server" / "assets.json").read_bytes())["script"]
    preact = record["preact"]

    def answer(route: Route) -> None:
        path = route.request.url.partition("/assets/")[2]
        url = f"/assets/{path}"
        if url == loader:
            route.fulfill(content_type="text/javascript", body=f"import {json.dumps(preact['script'])};")
        elif url in preact["files"] and url not in record["files"]:
            body = (DIST / preact["files"][url]).read_bytes()
            route.fulfill(content_type="text/javascript", body=body)
        else:
            route.fallback()

    context.route("**/assets/*.js", answer)

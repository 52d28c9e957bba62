"""The API's replies for paths without a page."""

from pathlib import Path
from typing import Any

from portolan.builds.live import switch_live
from portolan.builds.manifest import Manifest, now_iso, write_manifest
from portolan.domain.redirects import Redirect
from portolan.schemas.navigation import RedirectList

from ..conftest import assert_problem

REVIEW = {"order": 0, "pages": ["about"], "value": {"id": "r"}}


def test_the_live_sites_redirects_are_listed(get: Any, snapshot: Any, builds: Path) -> None:
    snapshot({("en", "page", "home"): {"path": "/"}})
    redirects = {
        "/old": Redirect(301, "/new#part"),
        "/closed": Redirect(410, ""),
        "/blog/*": Redirect(302, "https://blog.example/*"),
    }
    manifest = Manifest(
        site="en", build="a", release=1, web="web", created=now_iso(), html_headers={}, files={}, redirects=redirects
    )
    write_manifest(builds, manifest, None)
    switch_live(builds, {"en": "a"})
    answer = get("/api/content/redirects").json()
    assert answer == {
        "items": [
            {"source": "/blog/*", "status": 302, "target": "https://blog.example/*"},
            {"source": "/closed", "status": 410, "target": None},
            {"source": "/old", "status": 301, "target": "/new#part"},
        ]
    }
    RedirectList.model_validate(answer)
    assert get("/api/content/redirects", "de").json() == {"items": []}


def test_who_asks_by_a_page_key_of_before_is_told_todays(get: Any, snapshot: Any) -> None:
    home, review = {"path": "/"}, ("en", "review", "r")
    snapshot({("en", "page", "home"): home, ("en", "page", "about"): {"path": "/who/we-are"}, review: REVIEW})
    snapshot({("en", "page", "home"): home, ("en", "page", "about"): {"path": "/about-us"}, review: REVIEW})
    for asked in ("reviews", "projects/cards"):
        problem = assert_problem(get(f"/api/content/{asked}", Page_Key="who/we-are"), 404, "moved-page-key")
        assert problem["errors"] == [{"field": "header.Page-Key", "message": "about-us"}]
        assert "'about-us'" in problem["detail"]
    assert_problem(get("/api/content/reviews", Page_Key="never"), 404, "unknown-page-key")
    snapshot({("en", "page", "home"): home})
    assert_problem(get("/api/content/reviews", Page_Key="who/we-are"), 404, "unknown-page-key")

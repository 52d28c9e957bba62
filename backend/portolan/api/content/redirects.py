"""Redirects of a site, for other frontends."""

from typing import Any, Final

from django.http import HttpRequest
from ninja import Router

from ...schemas.navigation import Redirect, RedirectList
from ..operations import describe
from ..release_content import read_redirects

router = Router(tags=["Redirects"], by_alias=True)

_EXAMPLE: Final = RedirectList(
    items=[
        Redirect(source="/blog/*", status=302, target="https://blog.example/*"),
        Redirect(source="/closed", status=410, target=None),
        Redirect(source="/who-we-are", status=301, target="/about-us"),
    ]
)


@router.get("", **describe("list_redirects", "Redirects", _EXAMPLE))
def list_redirects(request: HttpRequest) -> dict[str, Any]:
    """Redirects of moved pages and of editors, as on the live site, each in one hop. A page has priority over its
    redirect, a path over a wildcard, and a longer wildcard over a shorter one.
    """
    found = read_redirects(request)
    return {
        "items": [
            {"source": path, "status": redirect.status, "target": redirect.target or None}
            for path, redirect in sorted(found.items())
        ]
    }

"""Redirects of a site, for whoever shows its content with a frontend of their own."""

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


@router.get("", **describe("list_redirects", "Addresses without a page", _EXAMPLE))
def list_redirects(request: HttpRequest) -> dict[str, Any]:
    """Those that pages once had, and editors' own, as the live site answers them: each in one hop. A page goes before
    its redirect, an address before a wildcard, and a longer wildcard before a shorter one.
    """
    found = read_redirects(request)
    return {
        "items": [
            {"source": path, "status": redirect.status, "target": redirect.target or None}
            for path, redirect in sorted(found.items())
        ]
    }

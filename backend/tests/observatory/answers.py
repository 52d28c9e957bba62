"""Production's replies with its own settings: every kind once, as JSON. Run in a separate process (`ask_production`),
because Django's settings are fixed at the start."""

import asyncio
import json
import os
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[3]
PROXY: Final = "127.0.0.1"
SITE, STUDIO = "brightmoor-de.example", "studio.brightmoor.example"
"""Hosts of the demo's site configuration in production."""
ASKED: Final[Mapping[str, tuple[str, str, str]]] = {
    "page": (SITE, "GET", "/about-us"),
    "page of a first visit": (SITE, "GET", "/"),
    "missing page": (SITE, "GET", "/nowhere"),
    "redirect": (SITE, "GET", "/about-us/"),
    "page data": (SITE, "GET", "/page-data/about-us/page-data.json"),
    "script": (SITE, "GET", "/assets/app-1.js"),
    "worker of others' scripts": (SITE, "GET", "/assets/partytown-1/debug/partytown-ww-sw.js"),
    "frame of that worker": (SITE, "GET", "/assets/partytown-1/debug/partytown-sandbox-sw.html"),
    "service worker": (SITE, "GET", "/sw.js"),
    "icon": (SITE, "GET", "/favicon.svg"),
    "robots": (SITE, "GET", "/robots.txt"),
    "picture": (SITE, "GET", "/media/pictures/quay.png"),
    "drawing": (SITE, "GET", "/media/pictures/logo.svg"),
    "missing media": (SITE, "GET", "/media/pictures/none.png"),
    "wrong method": (SITE, "DELETE", "/about-us"),
    "address that is none": (SITE, "GET", "/%00"),
    "unknown host": ("elsewhere.example", "GET", "/"),
    "health": (SITE, "GET", "/-/live"),
    "API": (SITE, "GET", "/api/offices"),
    "API's document": (SITE, "GET", "/api/openapi.json"),
    "API's page": (SITE, "GET", "/api/docs"),
    "API's missing address": (SITE, "GET", "/api/nothing"),
    "form from elsewhere": (SITE, "POST", "/__form"),
    "proxy's refusal": (SITE, "GET", "/__third-party-proxy?url=https://elsewhere.example/x.js"),
    "studio": (STUDIO, "GET", "/admin/"),
    "studio's login": (STUDIO, "GET", "/admin/login/"),
    "studio's script": (STUDIO, "GET", "/static/studio/start-widgets.js"),
    "studio's missing address": (STUDIO, "GET", "/admin/nothing/"),
}
"""Host, method and path, by kind of reply."""


def main(var_dir: Path) -> None:
    os.environ |= {"PORTOLAN_VAR_DIR": str(var_dir), "PORTOLAN_ENVIRONMENT": "production"}
    os.environ |= {"PORTOLAN_SITES_FILE": str(ROOT / "sites.toml"), "PORTOLAN_SECRET_KEY": secrets.token_urlsafe(64)}
    os.environ |= {"PORTOLAN_TRUSTED_PROXIES": PROXY, "PORTOLAN_COUNTRY_HEADER": "x-country"}
    from portolan.config.start_django import start_django

    start_django()
    from django.conf import settings
    from django.core.checks import run_checks

    from portolan.config.empty_database import begin_database
    from portolan.config.serving import build_whole, load_django

    begin_database(Path(settings.DATABASES["default"]["NAME"]), settings.LANGUAGE_CODE)
    publish(var_dir)
    app = build_whole(load_django, load_django)
    found = {what: ask(app, *asked) for what, asked in ASKED.items()}
    complaints = [str(message) for message in run_checks(include_deployment_checks=True) if not message.is_silenced()]
    json.dump({"answers": found, "complaints": complaints}, sys.stdout)


def publish(var_dir: Path) -> None:
    """Publish one site, with a file of each kind and the publisher's headers for its pages."""
    from portolan.builds.hosts import build_hosts, write_hosts
    from portolan.builds.live import switch_live
    from portolan.builds.manifest import Manifest, write_manifest
    from portolan.config.env import env
    from portolan.publisher.addresses import Addresses
    from portolan.publisher.web_build import WebBuild
    from portolan.publisher.well_known import build_html_headers
    from tests.builds.conftest import put_files

    registry, builds = env().registry, env().builds_dir
    write_hosts(builds, build_hosts(registry, "production", 8000))
    web = WebBuild(Path(), "h", {}, ("sha256-x=",), inline_styles=False)
    addresses = Addresses(registry, "production", 8000)
    paths = [path.partition("?")[0] for host, _, path in ASKED.values() if host == SITE and "/media/" not in path]
    files = put_files(builds, {path: path for path in [*paths, "/404.html", "/500.html"] if is_file(path)})
    headers = build_html_headers(web, addresses, "de")
    manifest = Manifest(
        site="de", build="a", release=1, web="w", created="2026-03-01T12:00:00+00:00", html_headers=headers, files=files
    )
    write_manifest(builds, manifest, None)
    switch_live(builds, {"de": "a"})
    pictures = env().media_dir / "pictures"
    pictures.mkdir(parents=True)
    (pictures / "quay.png").write_bytes(b"\x89PNG quay")
    (pictures / "logo.svg").write_text("<svg/>")


def is_file(path: str) -> bool:
    return not path.startswith(("/api", "/__", "/-/", "/nowhere", "/%")) and not path.endswith("us/")


def ask(app: Any, host: str, method: str, address: str) -> dict[str, Any]:
    """Send a request as from the proxy that ends TLS in front: by http."""
    path, _, query = address.partition("?")
    sent: list[Any] = []
    given = {"host": host, "x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.1", "x-country": "DE"}
    scope = {
        "type": "http",
        "method": method,
        "scheme": "http",
        "http_version": "1.1",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in given.items()],
        "extensions": {},
        "client": (PROXY, 5000),
        "server": (PROXY, 8000),
    }

    coming = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not coming:
            await asyncio.Event().wait()  # the client stays
        return coming.pop()

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    headers = [(name.decode().lower(), value.decode("latin-1")) for name, value in sent[0]["headers"]]
    body = b"".join(part.get("body", b"") for part in sent[1:])
    return {"status": sent[0]["status"], "headers": headers, "body": body.decode("latin-1")}


if __name__ == "__main__":
    main(Path(sys.argv[1]))

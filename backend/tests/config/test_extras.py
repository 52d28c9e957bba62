"""The product without its extras imports and serves. If a setting needs an extra, the error names the package."""

import os
import subprocess
import sys
import tomllib

import pytest

from portolan.config.project import ROOT

from ..processes import run_program

PACKAGES = (
    "authlib",
    "boto3",
    "deepl",
    "django-storages",
    "dnspython",
    "maxminddb",
    "obstore",
    "opentelemetry-exporter-otlp-proto-http",
    "opentelemetry-sdk",
    "prometheus-client",
    "pyrage",
    "ray",
    "redis",
    "sentry-sdk",
    "structlog",
)
WITHOUT = "import sys\nfor name in ('authlib', 'boto3', 'deepl', 'dns', 'maxminddb', 'obstore', 'opentelemetry', 'opentelemetry.sdk', 'prometheus_client', 'pyrage', 'ray', 'redis', 'sentry_sdk', 'storages', 'structlog'): sys.modules[name] = None\n"  # as if not installed

IMPORT_EVERYTHING = """
import pkgutil, importlib, portolan
from portolan.config.start_django import start_django
start_django()
lacking = []
for module in pkgutil.walk_packages(portolan.__path__, "portolan."):
    try:
        importlib.import_module(module.name)
    except ModuleNotFoundError as error:
        lacking.append(module.name)
print(*sorted(lacking))
"""

ASK = """
import asyncio
from portolan.builds.hosts import build_hosts, write_hosts
from portolan.config.env import env
from portolan.config.serving import build_whole, load_django
application = build_whole(load_django, load_django)
write_hosts(env().builds_dir, build_hosts(env().registry, env().environment, env().port))
async def ask(path, headers):
    said = []
    async def receive():
        await asyncio.sleep(0)
        return {"type": "http.request", "body": b"", "more_body": False}
    async def send(message):
        said.append(message)
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"",
             "scheme": "http", "http_version": "1.1", "headers": headers, "client": ("127.0.0.1", 1),
             "server": ("127.0.0.1", 8000), "root_path": ""}
    await application(scope, receive, send)
    return said[0]["status"], b"".join(part.get("body", b"") for part in said[1:])
async def ask_all():
    from portolan.leads.email_check import check_email
    host = (b"host", b"localhost:8000")
    print((await ask("/", [host]))[0])
    print(*await ask("/api/openapi.json", [host]))
    print(check_email("anna@example.com").reason)
asyncio.run(ask_all())
"""


def run(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in ("CACHE_URL", "DATABASE_URL")}
    return run_program([sys.executable, "-c", WITHOUT + program], env={**environment, **variables})


def test_what_needs_an_extra_is_imported_for_its_setting_alone() -> None:
    done = run(IMPORT_EVERYTHING)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [
        "portolan.builds.follow",
        "portolan.builds.media_pull",
        "portolan.builds.object_store",
        "portolan.builds.pull",
        "portolan.builds.shared_mending",
        "portolan.config.media_storage",
        "portolan.config.shared_cache",
        "portolan.export.bucket",
        "portolan.leads.mail_domains",
        "portolan.observing.errors",
        "portolan.observing.exposition",
        "portolan.observing.metrics",
        "portolan.observing.traces",
        "portolan.publisher.cluster.driver",
        "portolan.publisher.cluster.node",
        "portolan.publisher.cluster.packs_here",
        "portolan.publisher.shared_builds",
        "portolan.publisher.shared_media",
    ]


def test_sites_api_and_the_check_of_addresses_work_without_extras(tmp_path) -> None:
    done = run(ASK, PORTOLAN_VAR_DIR=str(tmp_path))
    assert done.returncode == 0, done.stderr
    published, document, address = done.stdout.splitlines()
    assert (published, document[:16], address) == ("503", '200 b\'{"openapi"', "ok")


@pytest.mark.parametrize(
    ("variable", "value", "package"),
    [
        ("CACHE_URL", "redis://localhost:1/0", "redis"),
        ("PORTOLAN_EMAIL_DNS", "system", "dnspython"),
        ("PORTOLAN_BUILD_STORE", "s3://company/production", "obstore"),
        ("PORTOLAN_LEADS_STORAGE", "s3://company/leads", "django-storages"),
        ("PORTOLAN_LOG", "json", "structlog"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318", "opentelemetry-exporter-otlp-proto-http"),
        ("PORTOLAN_SENTRY_DSN", "https://key@sentry.example/1", "sentry-sdk"),
        ("PORTOLAN_METRICS", "127.0.0.1:9464", "prometheus-client"),
        ("PORTOLAN_COUNTRY_FILE", "countries.mmdb", "maxminddb"),
        ("PORTOLAN_OIDC_ISSUER", "https://id.example", "authlib"),
        ("PORTOLAN_MACHINE_TRANSLATION", "deepl", "deepl"),
        ("PORTOLAN_RAY_ADDRESS", "10.0.0.1:6379", "ray"),
    ],
)
def test_a_setting_that_needs_an_extra_says_what_to_install(variable: str, value: str, package: str) -> None:
    done = run("from portolan.config.env import env; env()", **{variable: value})
    assert done.returncode == 2
    assert variable in done.stderr
    said = " ".join(done.stderr.split())
    assert f"the package {package}, which is not installed. `pip install 'portolan[" in said
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    extra = said.partition("pip install 'portolan[")[2].partition("]")[0]
    assert package in {each.partition("[")[0] for each in extras[extra]}


def test_the_locks_hold_the_extras_where_they_are_wanted() -> None:
    def locked(name: str) -> set[str]:
        lines = (ROOT / name).read_text().splitlines()
        return {line.partition("==")[0] for line in lines if "==" in line}

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert sorted({package.partition("[")[0] for packages in extras.values() for package in packages}) == sorted(
        PACKAGES
    )
    assert not locked("requirements.lock") & {*PACKAGES}
    assert locked("requirements-extras.lock") - locked("requirements.lock") >= {*PACKAGES}
    assert locked("requirements-dev.lock") >= locked("requirements-extras.lock")

"""Whether a package is there that only some setting asks for."""

from importlib.util import find_spec
from typing import Any, Final

from pydantic import ValidationInfo

EXTRAS: Final = {
    "log": ("structlog", "structlog"),
    "metrics": ("prometheus_client", "prometheus-client"),
    "otlp_endpoint": ("opentelemetry.exporter.otlp.proto.http", "opentelemetry-exporter-otlp-proto-http"),
    "sentry_dsn": ("sentry_sdk", "sentry-sdk"),
    "email_dns": ("dns", "dnspython"),
    "cache_url": ("redis", "redis"),
    "country_file": ("maxminddb", "maxminddb"),
    "build_store": ("obstore", "obstore"),
    "media_storage": ("obstore", "obstore"),
    "leads_storage": ("storages", "django-storages"),
    "ray_address": ("ray", "ray"),
    "backup_key": ("pyrage", "pyrage"),
    "oidc_issuer": ("authlib", "authlib"),
}
"""Settings that need a package which an installation without them lacks: its module, its name."""


def has_its_package(value: Any, info: ValidationInfo) -> Any:
    module, package = EXTRAS[str(info.field_name)]
    if isinstance(value, str) and value.startswith("file:") and info.field_name == "leads_storage":
        return value
    if value and value != "text" and not _is_there(module):
        raise ValueError(f"this needs the package {package}, which is not installed; `make extras` installs it")
    return value


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package it is in
        return False

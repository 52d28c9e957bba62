"""Check that the optional package of a setting is installed."""

from importlib.util import find_spec
from typing import Any, Final

from pydantic import ValidationInfo

from ...domain.words import say_not_installed

EXTRAS: Final = {
    "log": ("structlog", "structlog", "logs"),
    "metrics": ("prometheus_client", "prometheus-client", "metrics"),
    "otlp_endpoint": ("opentelemetry.exporter.otlp.proto.http", "opentelemetry-exporter-otlp-proto-http", "telemetry"),
    "sentry_dsn": ("sentry_sdk", "sentry-sdk", "sentry"),
    "email_dns": ("dns", "dnspython", "email-dns"),
    "cache_url": ("redis", "redis", "redis"),
    "country_file": ("maxminddb", "maxminddb", "country-file"),
    "build_store": ("obstore", "obstore", "object-store"),
    "media_storage": ("obstore", "obstore", "object-store"),
    "leads_storage": ("storages", "django-storages", "s3"),
    "ray_address": ("ray", "ray", "ray"),
    "backup_key": ("pyrage", "pyrage", "encryption"),
    "oidc_issuer": ("authlib", "authlib", "oidc"),
    "machine_translation": ("deepl", "deepl", "deepl"),
}
"""Settings with an optional package: its module, its name, its extra."""


def has_its_package(value: Any, info: ValidationInfo) -> Any:
    module, package, extra = EXTRAS[str(info.field_name)]
    if isinstance(value, str) and value.startswith("file:") and info.field_name == "leads_storage":
        return value
    if info.field_name == "machine_translation" and value != "deepl":
        return value
    if value and value != "text" and not _is_there(module):
        raise ValueError(f"this setting needs {say_not_installed(package, extra)}")
    return value


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the parent package is missing too
        return False

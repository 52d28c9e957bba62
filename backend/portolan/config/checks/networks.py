"""Check IP addresses, hosts and URLs."""

import re
from ipaddress import ip_network
from typing import Final
from urllib.parse import urlsplit

from pydantic import ValidationInfo

from ...domain.listener import read_listener
from ...domain.name_servers import read_name_server

SYSTEM_DNS: Final = "system"
_HOST_NAME: Final = re.compile(r"([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}")


def are_networks(value: str) -> str:
    for proxy in split_list(value):
        ip_network(proxy, strict=False)
    return value


def is_listener_with_token(value: str, info: ValidationInfo) -> str:
    if value and not read_listener(value).is_loopback and not info.data.get("metrics_token"):
        raise ValueError("an address that is not loopback needs PORTOLAN_METRICS_TOKEN")
    return value


def are_name_servers(value: str) -> str:
    if value != SYSTEM_DNS:
        for server in split_list(value):
            read_name_server(server)
    return value


def is_origin(value: str) -> str:
    parts = urlsplit(value)
    found = parts.scheme in ("http", "https") and parts.hostname and parts.path in ("", "/") and not parts.query
    if value and not found:
        raise ValueError("write an origin: http:// or https://, a host, optionally a port, and no path")
    return value


def is_host_name(value: str | None) -> str | None:
    if value and not _HOST_NAME.fullmatch(value):
        raise ValueError("write a host name in lower case, such as preview.example.com, without scheme and port")
    return value


def is_cluster(value: str) -> str:
    parts = urlsplit(value if "//" in value else f"//{value}")
    if value and not (parts.scheme in ("", "ray") and parts.hostname and parts.port):
        raise ValueError("write host:port or ray://host:port")
    return value


def is_issuer(value: str) -> str:
    parts = urlsplit(value)
    is_near = parts.scheme == "http" and parts.hostname in ("localhost", "127.0.0.1")
    if value and not ((parts.scheme == "https" or is_near) and parts.hostname and not parts.query):
        raise ValueError("write an issuer that begins with https:// and has no query")
    return value


def is_translation_service(value: str, info: ValidationInfo) -> str:
    parts = urlsplit(value)
    if value == "deepl":
        if not info.data.get("machine_translation_key"):
            raise ValueError("set PORTOLAN_MACHINE_TRANSLATION_KEY to your key of DeepL too")
    elif value and not (parts.scheme == "https" and parts.hostname and not parts.username and not parts.query):
        raise ValueError("write deepl, or the URL of a LibreTranslate server that begins with https://")
    return value


def split_list(value: str) -> list[str]:
    """Return the parts between commas."""
    return [part.strip() for part in value.split(",") if part.strip()]

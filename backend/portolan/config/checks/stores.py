"""Check the URLs of storages and caches that machines share."""

from collections.abc import Collection
from urllib.parse import urlsplit


def is_store(value: str) -> str:
    """Check the scheme. ``builds.object_store`` supports the same ones, but takes long to load."""
    if not _is_place(value, ("s3", "gs", "az", "file")):
        raise ValueError("use s3://bucket/prefix, gs://bucket/prefix, az://container/prefix or file:///folder")
    return value


def is_storage_of_leads(value: str) -> str:
    if not _is_place(value, ("s3", "file")):
        raise ValueError("use s3://bucket/prefix or file:///folder")
    return value


def is_redis(value: str) -> str:
    if value and urlsplit(value).scheme not in ("redis", "rediss", "unix"):
        raise ValueError("use redis://, rediss:// or unix://")
    return value


def _is_place(value: str, schemes: Collection[str]) -> bool:
    parts = urlsplit(value)
    return not value or (parts.scheme in schemes and bool(parts.netloc or parts.path.strip("/")))

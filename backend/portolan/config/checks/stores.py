"""Where machines share files and what is counted."""

from collections.abc import Collection
from urllib.parse import urlsplit


def is_store(value: str) -> str:
    """The schemes that ``builds.object_store`` speaks, which takes long to load."""
    if not _is_place(value, ("s3", "gs", "az", "file")):
        raise ValueError(
            "only s3://bucket/prefix, gs://bucket/prefix, az://container/prefix and file:///folder are known"
        )
    return value


def is_storage_of_leads(value: str) -> str:
    if not _is_place(value, ("s3", "file")):
        raise ValueError("only s3://bucket/prefix and file:///folder are known")
    return value


def is_redis(value: str) -> str:
    if value and urlsplit(value).scheme not in ("redis", "rediss", "unix"):
        raise ValueError("only redis://, rediss:// and unix:// are known")
    return value


def _is_place(value: str, schemes: Collection[str]) -> bool:
    parts = urlsplit(value)
    return not value or (parts.scheme in schemes and bool(parts.netloc or parts.path.strip("/")))

"""Configure the storages of uploads and leads' files: this machine's disk, or a storage that machines share."""

from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

_CONNECT_S: Final = 3
_READ_S: Final = 20


def describe_storage(url: str, backend: str = "storages.backends.s3.S3Storage", **options: Any) -> dict[str, Any]:
    """Return an entry of Django's ``STORAGES``. ``url``: ``s3://bucket/prefix`` or ``file:///folder``.

    ``options`` are for S3. Objects have no access lists, so the bucket must be private.
    """
    parts = urlsplit(url)
    if parts.scheme == "file":
        return describe_folder(Path(unquote(parts.path)))
    from botocore.config import Config

    client = Config(connect_timeout=_CONNECT_S, read_timeout=_READ_S, retries={"max_attempts": 2, "mode": "standard"})
    return {
        "BACKEND": backend,
        "OPTIONS": {
            "bucket_name": parts.netloc,
            "location": parts.path.strip("/"),
            "default_acl": None,
            "file_overwrite": False,
            "client_config": client,
            **options,
        },
    }


def describe_media(url: str) -> dict[str, Any]:
    """Return the entry for uploads (``media_storage``)."""
    if not url:
        return {"BACKEND": "django.core.files.storage.FileSystemStorage"}
    return {"BACKEND": "portolan.config.media_storage.SharedMediaStorage", "OPTIONS": {"url": url}}


def describe_folder(folder: Path) -> dict[str, Any]:
    """Return the entry for a folder that only its owner can read."""
    return {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {
            "location": str(folder),
            "file_permissions_mode": 0o600,
            "directory_permissions_mode": 0o700,
        },
    }

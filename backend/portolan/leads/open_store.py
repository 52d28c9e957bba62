"""Open the store of leads' files by the settings."""

from django.conf import settings
from django.core.files.storage import storages

from .file_store import FileStore
from .shared_files import SharedFiles

STORAGE = "leads"
"""Name in ``settings.STORAGES`` if machines share a storage."""


def open_store() -> FileStore:
    shared = SharedFiles(storages[STORAGE]) if STORAGE in settings.STORAGES else None
    return FileStore(settings.LEADS_DIR, shared)

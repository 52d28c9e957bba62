"""The store of leads' files that the settings ask for."""

from django.conf import settings
from django.core.files.storage import storages

from .file_store import FileStore
from .shared_files import SharedFiles

STORAGE = "leads"
"""Its name among ``settings.STORAGES``, where machines share one."""


def open_store() -> FileStore:
    shared = SharedFiles(storages[STORAGE]) if STORAGE in settings.STORAGES else None
    return FileStore(settings.LEADS_DIR, shared)

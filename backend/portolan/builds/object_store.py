"""A store that machines share: objects by key, and one conditional write.

Only this module depends on the service that stores them: S3 and compatible services, Google's, Azure's or a folder.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, NotFoundError, NotModifiedError, PreconditionError
from obstore.store import LocalStore, from_url

from ..observing.work_pulse import waiting
from .disk import make_folder
from .file_lock import file_lock
from .manifest import BuildError

SCHEMES: Final = ("s3", "gs", "az", "file")

_AT_ONCE: Final = 16
"""Concurrent requests of one process."""
_PART_BYTES: Final = 8 << 20
_CLIENT: Final = {"connect_timeout": timedelta(seconds=3), "timeout": timedelta(seconds=60)}
_RETRIES: Final[Any] = {"max_retries": 2, "retry_timeout": timedelta(seconds=10)}
"""Few, because callers try again later and do other work meanwhile."""
_LOCK: Final = ".lock"

_Given = TypeVar("_Given")
_Found = TypeVar("_Found")
Version = dict[str, str]
"""A store's name for the state of an object: its tag or generation."""


class StoreAway(BuildError):
    """The shared store does not respond, or refuses."""


class Overtaken(BuildError):
    """Another writer has changed the object meanwhile."""


class Listed(NamedTuple):
    key: str
    size: int
    changed: datetime
    tag: str = ""
    """The entity tag; empty if the store has none."""


class Read(NamedTuple):
    data: bytes
    version: Version


class ObjectStore:
    """One bucket, container or folder, below one prefix.

    Raises StoreAway if it is unreachable or refuses.
    """

    def __init__(self, url: str) -> None:
        """``url``: ``s3://bucket/prefix``, ``gs://…``, ``az://…`` or ``file:///folder``.

        Credentials and endpoints come from the service's usual variables (``AWS_…``, ``GOOGLE_…``, ``AZURE_…``).
        """
        self.url = url
        self._folder = Path(unquote(urlsplit(url).path)) if url.startswith("file:") else None
        self._store: Any
        with self._convert_errors("opened"):
            if self._folder:
                make_folder(self._folder)
                self._store = LocalStore(self._folder, mkdir=True)
            else:
                client: Any = {**_CLIENT, **({"allow_http": True} if _is_plain() else {})}
                self._store = from_url(url, client_options=client, retry_config=_RETRIES)

    def put(self, key: str, data: bytes | Path | IO[bytes], headers: Mapping[str, str] | None = None) -> None:
        """Store bytes or a file, replacing any object.

        ``headers`` (``Content-Type`` and so on) are for a web server that serves from the store. A folder ignores them.
        """
        with self._convert_errors(f"written to ({key})"):
            attributes: Any = dict(headers) if headers and self._folder is None else None
            obstore.put(self._store, key, data, attributes=attributes)

    def get(self, key: str) -> bytes:
        """Return an object's bytes. Raise FileNotFoundError if it does not exist."""
        with self._convert_errors(f"read ({key})"):
            return bytes(obstore.get(self._store, key).bytes())

    def get_range(self, key: str, start: int, end: int) -> bytes:
        """Return the bytes from ``start`` up to, not including, ``end``.

        Raise FileNotFoundError likewise.
        """
        with self._convert_errors(f"read ({key})"):
            return bytes(obstore.get_range(self._store, key, start=start, end=end))

    def find(self, key: str) -> "Listed | None":
        """Return an object's properties, or None if it is missing."""
        try:
            with self._convert_errors(f"read ({key})"):
                return _listed(obstore.head(self._store, key))
        except FileNotFoundError:
            return None

    def save(self, key: str, path: Path) -> None:
        """Write an object of any size to a file.

        Raise FileNotFoundError if it does not exist.
        """
        with self._convert_errors(f"read ({key})"), path.open("wb") as file:
            for part in obstore.get(self._store, key).stream(min_chunk_size=_PART_BYTES):
                file.write(part)

    def list(self, prefix: str = "") -> Iterator[Listed]:
        """Yield the objects in a "folder" and below it, unordered."""
        with self._convert_errors("listed"):
            for some in obstore.list(self._store, prefix or None):
                for found in some:
                    if not found["path"].endswith(_LOCK):
                        yield _listed(found)

    def list_folder(self, prefix: str) -> tuple[Sequence[str], Sequence[Listed]]:
        """Return the names of the "folders" in a folder, and its objects."""
        with self._convert_errors("listed"):
            found = obstore.list_with_delimiter(self._store, prefix or None)
        folders = [folder.rstrip("/").rpartition("/")[2] for folder in found["common_prefixes"]]
        return folders, [_listed(each) for each in found["objects"] if not each["path"].endswith(_LOCK)]

    def delete(self, keys: Iterable[str]) -> None:
        """Delete objects. Missing ones are ignored."""
        wanted = list(keys)
        with self._convert_errors("tidied"):
            for start in range(0, len(wanted), 1000):
                try:
                    obstore.delete(self._store, wanted[start : start + 1000])
                except (FileNotFoundError, NotFoundError):
                    continue

    def read(self, key: str, known: Version | None = None) -> Read | None:
        """Return an object and its version, or None if its version is ``known``.

        Raise FileNotFoundError if it does not exist.
        """
        options: Any = {"if_none_match": known["e_tag"]} if known and "e_tag" in known else {}
        try:
            with self._convert_errors(f"read ({key})"):
                found = obstore.get(self._store, key, options=options)
                return Read(bytes(found.bytes()), _version(found.meta))
        except NotModifiedError:
            return None

    def create(self, key: str, data: bytes) -> None:
        """Write a new object. Raise Overtaken if it exists."""
        with self._convert_errors(f"written to ({key})"):
            try:
                obstore.put(self._store, key, data, mode="create", use_multipart=False)
            except (AlreadyExistsError, FileExistsError, PreconditionError):
                raise Overtaken(f"{self.url} has another {key} already.") from None

    def replace(self, key: str, data: bytes, known: Version | None) -> Version:
        """Replace the ``known`` version, or create the object if that is None.

        Raise Overtaken if it has changed.
        """
        with self._convert_errors(f"written to ({key})"), self._write_lock(key):
            try:
                return _version(self._replace(key, data, known))
            except (AlreadyExistsError, FileExistsError, PreconditionError):
                raise Overtaken(f"{self.url} has another {key} than this machine expects.") from None

    def each(self, work: Callable[[_Given], _Found], given: Iterable[_Given]) -> Sequence[_Found]:
        """Do the same for many objects, some at once. Raise the first error."""
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="object-store") as threads, waiting():
            return list(threads.map(work, given))

    def _replace(self, key: str, data: bytes, known: Version | None) -> Any:
        if known is None:
            return obstore.put(self._store, key, data, mode="create")
        if self._folder is None:
            mode: Any = known
            return obstore.put(self._store, key, data, mode=mode)
        try:
            is_same = _version(obstore.head(self._store, key)) == known
        except FileNotFoundError:
            is_same = False
        if not is_same:
            raise FileExistsError(key)
        return obstore.put(self._store, key, data)

    def _write_lock(self, key: str) -> AbstractContextManager[object]:
        """Lock the object.

        File systems have no conditional write, so a lock file next to it replaces that.
        """
        return nullcontext() if self._folder is None else file_lock(self._folder / f"{key}{_LOCK}")

    @contextmanager
    def _convert_errors(self, what: str) -> Iterator[None]:
        try:
            with waiting():
                yield
        except (NotModifiedError, AlreadyExistsError, PreconditionError):
            raise
        except (NotFoundError, FileNotFoundError) as error:
            raise FileNotFoundError(_first_line(error).partition(": ")[0]) from None
        except (BaseError, ValueError, PermissionError) as error:
            raise StoreAway(
                f"The shared store {self.url} cannot be {what}: {_first_line(error)}. Published pages stay live, and "
                "the next attempt is automatic. If this persists, check the store, its credentials and the network."
            ) from error


def _listed(meta: Any) -> Listed:
    return Listed(meta["path"], meta["size"], meta["last_modified"], meta.get("e_tag") or "")


def _version(meta: Any) -> Version:
    return {name: meta[name] for name in ("e_tag", "version") if meta.get(name)}


def _is_plain() -> bool:
    """Return True if the environment names an endpoint without TLS."""
    return any(os.environ.get(name, "").startswith("http://") for name in ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"))


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300].rstrip(". ") if lines else type(error).__name__

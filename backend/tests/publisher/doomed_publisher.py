"""A publisher as a process that kills itself: ``doomed_publisher.py DATABASE_URL BUILDS MEDIA DIST KILLED_AT [RELEASE]``.

It publishes, or goes back to the release. It kills itself before its change number ``KILLED_AT`` to the file system, or
when it has opened a file to write it. Below 0 it counts from the first change of the pointer to the live builds. With 0
it prints the number of changes, and the number of that one.
"""

import os
import signal
import sys
from itertools import count
from pathlib import Path

from portolan.publisher.addresses import Addresses
from portolan.publisher.lock import publish_lock
from portolan.publisher.publish import Publisher
from portolan.publisher.renderer import RenderPool
from portolan.publisher.web_build import load_web_build
from portolan.releases.reader import open_reader
from portolan.sites.load import load_registry

ROOT = Path(__file__).resolve().parents[3]
SITES = ("en", "de", "ae")


CHANGES = {"os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate"}
_WRITES = os.O_WRONLY | os.O_RDWR


def main(database: str, builds: Path, media: Path, dist: Path, killed_at: int, release: str) -> None:
    whole = load_registry(ROOT / "sites.toml")
    registry = whole.model_copy(update={"sites": {key: whole.sites[key] for key in SITES}})
    pool = RenderPool([sys.executable, str(Path(__file__).with_name("fake_renderer.py")), str(builds)], workers=1)
    pool.warm_up()
    reader = open_reader(database)
    with Publisher(Addresses(registry, "local", 8000), reader, load_web_build(dist), builds, media, pool) as publisher:
        changes, switch = count(1), 0

        def look(event: str, given: tuple[object, ...]) -> None:
            is_write = event == "open" and bool(int(str(given[2] or 0)) & _WRITES)
            if not (is_write or event in CHANGES):
                return
            number = next(changes)
            nonlocal switch
            switch = switch or number * ("/live.json" in str(given[0]))
            if killed_at in (number, switch - number - 1 if switch else 0) and killed_at:
                if is_write and isinstance(given[0], str):
                    os.open(given[0], int(str(given[2])))  # the file is there, and empty
                os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(look)
        with publish_lock(builds):
            if release:
                publisher.go_back(int(release), by="anna")
            else:
                publisher.publish()
        sys.stdout.write(f"{next(changes) - 1} {switch}\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]), int(sys.argv[5]), "".join(sys.argv[6:]))

"""A publisher in a process of its own, to be killed: ``doomed_publisher.py DATABASE_URL BUILDS MEDIA DIST [RELEASE]``.

Says ``ready`` when it is about to publish, or to go back to the release, and ``done`` when it has.
"""

import sys
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


def main(database: str, builds: Path, media: Path, dist: Path, release: str) -> None:
    whole = load_registry(ROOT / "sites.toml")
    registry = whole.model_copy(update={"sites": {key: whole.sites[key] for key in SITES}})
    pool = RenderPool([sys.executable, str(Path(__file__).with_name("fake_renderer.py")), str(builds)], workers=1)
    pool.warm_up()
    reader = open_reader(database)
    with Publisher(Addresses(registry, "local", 8000), reader, load_web_build(dist), builds, media, pool) as publisher:
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        with publish_lock(builds):
            if release:
                publisher.go_back(int(release), by="anna")
            else:
                publisher.publish()
        sys.stdout.write("done\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]), "".join(sys.argv[5:]))

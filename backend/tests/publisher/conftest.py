"""Two small sites, a release database and a publisher with a renderer in the same process."""

from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import pytest

from portolan.publisher.addresses import Addresses
from portolan.publisher.publish import Publisher
from portolan.publisher.renderer import Renderer
from portolan.publisher.web_build import RENDER_PROTOCOL, WebBuild, load_web_build
from portolan.releases.last_live import LiveRecord
from portolan.releases.reader import open_reader
from portolan.schemas.codes import Environment
from portolan.sites.load import load_registry
from portolan.sites.registry import Registry

from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook, small_site

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def registry() -> Registry:
    """The site configuration, with three of its sites."""
    whole = load_registry(ROOT / "sites.toml")
    return whole.model_copy(update={"sites": {key: whole.sites[key] for key in ("en", "de", "ae")}})


@pytest.fixture
def addresses(registry: Registry) -> Addresses:
    return Addresses(registry, "local", 8000)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[ReleaseBook]:
    book = ReleaseBook(tmp_path / "releases.sqlite3")
    small_site(book, "en")
    small_site(book, "de")
    small_site(book, "ae", has_contact=False)
    yield book
    book.close()


@pytest.fixture
def media(tmp_path: Path) -> Path:
    folder = tmp_path / "media"
    folder.mkdir()
    (folder / "harbour.svg").write_text("<svg/>")
    return folder


@pytest.fixture
def web(tmp_path: Path) -> WebBuild:
    return write_web_build(tmp_path / "dist", "web-1", {"/assets/app-1.js": "console.log(1)"})


def write_web_build(dist: Path, name: str, files: dict[str, str]) -> WebBuild:
    (dist / "client/assets").mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        (dist / f"client{path}").write_text(text)
    workers = {"on": "client/worker.js", "off": "client/worker-off.js"}
    for switch, file in workers.items():
        (dist / file).write_text(f"worker {switch}")
    record = {
        "hash": name,
        "protocol": RENDER_PROTOCOL,
        "files": {path: f"client{path}" for path in files},
        "inlineScripts": ["sha256-abc="],
        "serviceWorkers": workers,
    }
    (dist / "web-build.json").write_bytes(orjson.dumps(record))
    return load_web_build(dist)


MakePublisher = Callable[..., Publisher]


@pytest.fixture
def make_publisher(
    registry: Registry, book: ReleaseBook, web: WebBuild, media: Path, tmp_path: Path
) -> Iterator[MakePublisher]:
    made = []

    def make(
        renderer: Renderer | None = None,
        builds: Path = tmp_path / "builds",
        environment: Environment = "local",
        web: WebBuild = web,
    ) -> Publisher:
        publisher = Publisher(
            Addresses(registry, environment, 8000),
            open_reader(book.url),
            web,
            builds,
            media,
            renderer or FakeRenderer(),
            record=LiveRecord(book.url),
        )
        made.append(publisher)
        return publisher

    yield make
    for publisher in made:
        publisher.close()

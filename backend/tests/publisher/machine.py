"""A machine with its own publisher and disk. Several machines share a store."""

from pathlib import Path

from portolan.builds.media_source import MediaSource
from portolan.builds.object_store import ObjectStore
from portolan.builds.signing import NO_KEYS, Keys
from portolan.publisher.lock import publish_lock
from portolan.publisher.publish import Publisher, Summary
from portolan.publisher.shared_builds import SharedBuilds

from .conftest import MakePublisher
from .fake_renderer import FakeRenderer


class Machine:
    """Its publishes go into the store too."""

    def __init__(
        self,
        root: Path,
        objects: ObjectStore,
        database: str,
        make: MakePublisher,
        media: MediaSource | None = None,
        keys: Keys = NO_KEYS,
    ) -> None:
        self.root = root
        self.shared = SharedBuilds(root, objects, database, media, keys)
        self.renderer = FakeRenderer()
        self.publisher: Publisher = make(self.renderer, root)
        self.publisher.shared, self.publisher._keys = self.shared, keys

    def publish(self) -> Summary:
        self.renderer.rendered.clear()
        with publish_lock(self.root, shared=self.shared):
            return self.publisher.publish()

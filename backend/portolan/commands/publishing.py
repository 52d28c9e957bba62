"""Load the web build, and open render workers and a publisher, for commands that publish."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from ..builds.live import live_file
from ..builds.manifest import BuildError
from ..builds.media_source import MediaFolder, MediaSource, MediaStorage
from ..config.env import Env
from ..config.project import find_products_web_dist
from ..publisher.company_web_build import CompanyFiles, load_company_web_build, require_current
from ..publisher.problem import PublishError, UsageError
from ..publisher.render_worker import worker_command
from ..publisher.renderer import Renderer, RenderPool
from ..publisher.web_build import WebBuild

if TYPE_CHECKING:
    from ..builds.signing import Keys
    from ..publisher.publish import Publisher
    from ..publisher.scope import Scope
    from ..publisher.shared_builds import SharedBuilds
    from ..releases.reader import ReleaseReader

_ALL_WORKERS: Final = 10_000
"""Number of pages for which all workers start."""


def load_web(settings: Env, pictures: bool) -> WebBuild:
    require_current(settings.web_dist, find_products_web_dist())
    web = load_company_web_build(settings.web_dist, company_files(settings), settings.web_cache)
    return web if pictures else web._replace(drawing="")


def company_files(settings: Env) -> CompanyFiles:
    return CompanyFiles(settings.registry.brand, settings.public_dir, settings.registry.company.islands)


def start_pool(settings: Env, web: WebBuild) -> RenderPool:
    pool = RenderPool(worker_command(web.worker), settings.render_workers, cache=settings.var_dir / "cache" / "node")
    # Node starts while the release is read. A first publish starts all workers.
    is_first = not live_file(settings.builds_dir).exists()
    pool.warm_up(pages=_ALL_WORKERS if is_first and not settings.ray_address else 1)
    return pool


def open_publisher(
    settings: Env,
    web: WebBuild,
    reader: "ReleaseReader",
    pool: RenderPool,
    brotli: int | None = None,
    shared: "SharedBuilds | None" = None,
    scope: "Scope | None" = None,
) -> "Publisher":
    from ..publisher.addresses import Addresses  # here, while Node starts
    from ..publisher.publish import Publisher
    from ..releases.last_live import LiveRecord

    addresses = Addresses(settings.registry, settings.environment, settings.port)
    renderer = _with_cluster(settings, web, pool, shared) if settings.ray_address else pool
    media, keys, record = open_media(settings), settings.keys, LiveRecord(settings.database)
    return Publisher(addresses, reader, web, settings.builds_dir, media, renderer, brotli, shared, scope, keys, record)


def _with_cluster(settings: Env, web: WebBuild, pool: RenderPool, shared: "SharedBuilds | None") -> Renderer:
    from ..builds.store import ContentStore
    from ..publisher.cluster.bulk_renderer import BulkRenderer
    from ..publisher.cluster.cluster import Cluster, ClusterPlace

    store = ContentStore(settings.builds_dir).folder.absolute()
    place = ClusterPlace(settings.ray_address, web.worker.parent.absolute(), store, settings.build_store)
    cluster = Cluster(place, shared.note_stored if shared else lambda pack: None)
    return BulkRenderer(pool, cluster, settings.ray_from_pages)


def open_shared(settings: Env, keys: "Keys | None" = None) -> "SharedBuilds | None":
    """Return the store that machines share, or None if there is only one machine. ``keys``: instead of the settings'."""
    if not settings.build_store:
        return None
    from ..builds.object_store import ObjectStore
    from ..publisher.shared_builds import SharedBuilds

    objects = ObjectStore(settings.build_store)
    return SharedBuilds(settings.builds_dir, objects, settings.database, open_media(settings), keys or settings.keys)


def open_media(settings: Env) -> MediaSource:
    """Return the source of uploads."""
    if not settings.media_storage:
        return MediaFolder(settings.media_dir)
    from ..builds.object_store import ObjectStore

    return MediaStorage(ObjectStore(settings.media_storage))


@contextmanager
def readable_errors() -> Iterator[None]:
    """Print errors with complete messages without a traceback."""
    try:
        yield
    except (PublishError, UsageError, BuildError) as error:
        raise click.ClickException(str(error)) from error

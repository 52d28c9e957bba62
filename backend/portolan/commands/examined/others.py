"""Services elsewhere: the cache, the store, the cluster, and backups."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from ...backups.last import read_last
from ...builds.manifest import BuildError
from ...config.env import Env
from ...domain.moments import stamp
from ...domain.words import say_count
from ...publisher.cluster.address import is_reachable
from .finding import Finding, problem, warning, well

_BACKUP_OLD: Final = timedelta(days=2)


def examine_cache(settings: Env) -> Iterator[Finding]:
    if not settings.cache_url:
        return
    from redis import from_url
    from redis.exceptions import RedisError

    try:
        from_url(settings.cache_url, socket_connect_timeout=2, socket_timeout=2).ping()
    except (RedisError, OSError) as error:
        kind = type(error).__name__
        yield problem(
            "cache",
            f"The cache does not answer ({kind}): limits do not hold for all.",
            "Start it, or correct CACHE_URL.",
        )
    else:
        yield well("cache", "the cache answers")


def examine_store(settings: Env) -> Iterator[Finding]:
    """The store that machines with disks of their own share."""
    if not settings.build_store:
        return
    from ...builds.object_store import ObjectStore
    from ...builds.shared_pointer import POINTER, unpack_pointer

    try:
        found = ObjectStore(settings.build_store).read(POINTER)
        has_media = found is not None and unpack_pointer(found.data, settings.keys).media is not None
    except FileNotFoundError:
        yield warning("storage", "The store can be read, and nothing was put there yet.", "The next publish does it.")
        return
    except (BuildError, ValueError) as error:
        yield problem(
            "storage", f"The store cannot be read: {error}", "Correct PORTOLAN_BUILD_STORE and its credentials."
        )
        return
    if not has_media:
        mend = "The next publish does it; bring the publisher to this version first."
        yield warning("storage", "The store has builds, and no media yet: edges have no pictures.", mend)
    else:
        yield well("storage", "the store can be read, and has a live pointer")


def examine_media(settings: Env) -> Iterator[Finding]:
    """The storage that machines share uploads in. An edge needs it only where there is no build store."""
    if not settings.media_storage:
        return
    from ...builds.object_store import ObjectStore, StoreAway

    try:
        is_empty = next(iter(ObjectStore(settings.media_storage).list()), None) is None
    except (StoreAway, ValueError) as error:
        mend = "Correct PORTOLAN_MEDIA_STORAGE and its credentials; they have to allow listing."
        yield problem("storage", f"The storage of uploads cannot be read: {error}", mend)
        return
    if is_empty and settings.media_dir.is_dir() and any(settings.media_dir.iterdir()):
        mend = "Copy what is there, or unset PORTOLAN_MEDIA_STORAGE (docs/deploy/storage.md)."
        yield problem("storage", f"The storage of uploads is empty, and {settings.media_dir} is not.", mend)
    else:
        yield well("storage", "the storage of uploads can be read")


def examine_cluster(settings: Env) -> Iterator[Finding]:
    """What renders large publishes."""
    if not settings.ray_address:
        return
    if is_reachable(settings.ray_address):
        yield well("cluster", "the Ray cluster answers")
    else:
        yield warning(
            "cluster",
            f"No Ray cluster answers at {settings.ray_address}: this machine renders large publishes by itself.",
            "Start it, or correct PORTOLAN_RAY_ADDRESS.",
        )


def makes_backups(settings: Env) -> bool:
    return read_last(settings.var_dir) is not None


def examine_backups(settings: Env) -> Iterator[Finding]:
    """Of those this machine has made."""
    last = read_last(settings.var_dir)
    if last is None:
        mend = (
            "`portolan backup`, every night (docs/deploy/backup.md); none where another machine or other tools do it."
        )
        yield warning("backup", "This machine has made no backup yet.", mend)
        return
    if last.failure:
        yield problem(
            "backup",
            f"Backups to {last.target} have failed since {stamp(last.failed_at)}: {last.failure}",
            "Repair what it names, then run `portolan backup` again.",
        )
    if not last.created:
        return
    age = datetime.now(UTC) - datetime.fromisoformat(last.created)
    said = f"the last backup of this machine was made {stamp(last.created)}, to {last.target}"
    if age > _BACKUP_OLD:
        yield problem(
            "backup",
            f"It is {say_count(age.days, 'day')} ago: {said}.",
            "See what its timer or cron says, then make one.",
        )
    elif not last.failure:
        yield well("backup", said)

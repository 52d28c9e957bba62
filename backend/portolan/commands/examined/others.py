"""Check services elsewhere: cache, build store, upload storage, Ray cluster and backups."""

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
            f"The cache does not respond ({kind}). Limits are counted per machine.",
            "Start it, or correct CACHE_URL.",
        )
    else:
        yield well("cache", "the cache responds")


def examine_store(settings: Env) -> Iterator[Finding]:
    """Check the store that machines with separate disks share."""
    if not settings.build_store:
        return
    from ...builds.object_store import ObjectStore
    from ...builds.shared_pointer import POINTER, unpack_pointer

    try:
        found = ObjectStore(settings.build_store).read(POINTER)
        has_media = found is not None and unpack_pointer(found.data, settings.keys).media is not None
    except FileNotFoundError:
        yield warning("storage", "The build store can be read, and is empty.", "The next publish fills it.")
        return
    except (BuildError, ValueError) as error:
        yield problem(
            "storage", f"The build store cannot be read: {error}", "Correct PORTOLAN_BUILD_STORE and its credentials."
        )
        return
    if not has_media:
        mend = "Upgrade the publisher to this version. Its next publish uploads them."
        yield warning("storage", "The build store has builds but no media: edges have no images.", mend)
    else:
        yield well("storage", "the build store can be read, and has a live pointer")


def examine_media(settings: Env) -> Iterator[Finding]:
    """Check the storage in which machines share uploads. An edge uses it only without a build store."""
    if not settings.media_storage:
        return
    from ...builds.object_store import ObjectStore, StoreAway

    try:
        is_empty = next(iter(ObjectStore(settings.media_storage).list()), None) is None
    except (StoreAway, ValueError) as error:
        mend = "Correct PORTOLAN_MEDIA_STORAGE and its credentials, which must allow listing."
        yield problem("storage", f"The upload storage cannot be read: {error}", mend)
        return
    if is_empty and settings.media_dir.is_dir() and any(settings.media_dir.iterdir()):
        mend = "Copy the files to it, or unset PORTOLAN_MEDIA_STORAGE (docs/deploy/storage.md)."
        yield problem("storage", f"The upload storage is empty, but {settings.media_dir} has files.", mend)
    else:
        yield well("storage", "the upload storage can be read")


def examine_cluster(settings: Env) -> Iterator[Finding]:
    """Check the Ray cluster that renders large publishes."""
    if not settings.ray_address:
        return
    if is_reachable(settings.ray_address):
        yield well("cluster", "the Ray cluster responds")
    else:
        yield warning(
            "cluster",
            f"No Ray cluster responds at {settings.ray_address}. This machine renders large publishes.",
            "Start it, or correct PORTOLAN_RAY_ADDRESS.",
        )


def makes_backups(settings: Env) -> bool:
    return read_last(settings.var_dir) is not None


def examine_backups(settings: Env) -> Iterator[Finding]:
    """Check the backups that this machine has made."""
    last = read_last(settings.var_dir)
    if last is None:
        mend = (
            "Run `portolan backup` every night (docs/deploy/backup.md), unless another machine or tool makes backups."
        )
        yield warning("backup", "This machine has made no backup yet.", mend)
        return
    if last.failure:
        yield problem(
            "backup",
            f"Backups to {last.target} have failed since {stamp(last.failed_at)}: {last.failure}",
            "Fix this, then run `portolan backup` again.",
        )
    if not last.created:
        return
    age = datetime.now(UTC) - datetime.fromisoformat(last.created)
    said = f"this machine made its last backup on {stamp(last.created)}, in {last.target}"
    if age > _BACKUP_OLD:
        yield problem(
            "backup",
            f"The last backup is {say_count(age.days, 'day')} old: {said}.",
            "Check its timer or cron job, then run `portolan backup`.",
        )
    elif not last.failure:
        yield well("backup", said)

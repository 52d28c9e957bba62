"""``portolan follow``: fetch live builds that a publisher on another machine puts into the shared store."""

import logging
import signal
import threading

import click

from ..builds.disk import make_folder
from ..builds.file_lock import file_lock
from ..config.env import Env, env
from ..observing.work_pulse import start_pulse
from ..publisher.lock import publishes_here


@click.command()
@click.option("--once", is_flag=True, help="Fetch the live builds once, then exit.")
def command(once: bool) -> None:
    """Keep running and fetch live builds from the shared store.

    The store is PORTOLAN_BUILD_STORE.
    """
    settings = env()
    if not settings.build_store:
        raise click.ClickException(
            "PORTOLAN_BUILD_STORE is not set, so there is no store to follow. Set it to the publisher's value."
        )
    logging.basicConfig(format="{asctime} {levelname} {name}: {message}", style="{", level=logging.INFO)
    make_folder(settings.builds_dir)
    with file_lock(settings.builds_dir / "follow.lock"):  # one per disk: a second follower waits
        _follow(settings, once)


def _follow(settings: Env, once: bool) -> None:
    from ..builds.follow import Follower, pull_live
    from ..builds.media_copies import MediaCopies
    from ..builds.media_pull import MediaPull
    from ..builds.object_store import ObjectStore
    from ..builds.shared_pointer import SharedPointer
    from ..publisher.compression import CompressionProcess
    from ..publisher.shared_builds import SharedBuilds

    root, objects = settings.builds_dir, ObjectStore(settings.build_store)
    keys = settings.keys
    shared = SharedBuilds(root, objects, settings.database, keys=keys)

    def bring(pointer: SharedPointer) -> None:
        if publishes_here(root):
            shared.pull(pointer)
        else:
            pull_live(root, objects, pointer, keys)

    media = MediaPull(root, objects, MediaCopies(settings.media_copies, settings.media_folders))
    follower = Follower(root, objects, bring, media, keys=keys)
    if once:
        follower.look()
        if follower.problem:
            raise click.ClickException(follower.problem)
        return
    start_pulse(settings.silent_after_s, of_main_thread=False)
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    compression = CompressionProcess(root, settings.idle_work)
    if not publishes_here(root):
        compression.wake()
    try:
        while not ended.is_set():
            has_switched = follower.look()
            publishes = publishes_here(root)
            if not has_switched:
                follower.prune(publishes)
            # A publisher compresses files itself.
            if (follower.mend() or has_switched) and not publishes:
                compression.wake()
            if media.has_rest and not follower.problem:
                media.bring_rest()
            else:
                ended.wait(follower.pause_s)
    finally:
        compression.stop()

"""Answer the studio's requests to the publisher: pin the sites to an earlier release, or follow the newest one again.

The studio cannot do this itself, because pages may have to be rendered and only one process at a time may publish.
"""

from collections.abc import Callable
from pathlib import Path

from ..builds.live import resume
from ..builds.manifest import BuildError
from ..builds.signing import NO_KEYS, Keys
from ..publisher.problem import PublishError, UsageError
from ..publisher.publish import Publisher
from ..releases.database_errors import find_trouble
from ..releases.reader import LiveRequest, ReleaseReader


def answer_requests(
    publisher: Publisher,
    reader: ReleaseReader,
    builds: Path,
    log: Callable[[str], None],
    settle: Callable[[int, str], None],
    keys: Keys = NO_KEYS,
) -> None:
    """Answer the requests one after the other. ``settle`` is called for each, also after an error, so none is retried.

    The caller holds the ``publish_lock``. ``keys`` sign the live pointer.
    """
    for request in reader.live_requests():
        problem = _do(request, publisher, builds, keys)
        settle(request.id, problem)
        asked = f"release {request.release}" if request.release else "resume"
        log(f"{asked}, requested in the studio by {request.by}: {problem or 'done'}")


def _do(request: LiveRequest, publisher: Publisher, builds: Path, keys: Keys) -> str:
    """Return the problem, or an empty text on success."""
    try:
        if request.release is None:
            resume(builds, by=request.by, shared=publisher.shared, keys=keys)
        else:
            publisher.go_back(request.release, by=request.by)
    except (PublishError, UsageError, BuildError) as error:
        return str(error)
    except Exception as error:
        trouble = find_trouble(error)
        if trouble and trouble.is_away:
            raise
        return f"{trouble or repr(error)} Nothing changed on any site."
    return ""

"""A publisher that keeps running, and renders every page for each input line.

Run it as ``python -m portolan_dev.bench.staying_publisher``.
"""

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final, NamedTuple

import click

from portolan.commands.publishing import load_web, open_publisher, start_pool
from portolan.config.env import env
from portolan.publisher.lock import publish_lock
from portolan.releases.reader import open_reader

_COMMAND: Final = (sys.executable, "-m", "portolan_dev.bench.staying_publisher")


class StayingPublisher(NamedTuple):
    process: "subprocess.Popen[str]"

    def publish(self) -> float:
        """Render every page. Return the seconds."""
        assert self.process.stdin
        assert self.process.stdout
        began = time.perf_counter()
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        if not self.process.stdout.readline():
            raise click.ClickException("The publisher failed; see the reason above. Nothing was measured.")
        return time.perf_counter() - began


@contextmanager
def staying_publisher(variables: Mapping[str, str]) -> Iterator[StayingPublisher]:
    with subprocess.Popen(
        _COMMAND, env=dict(variables), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        try:
            yield StayingPublisher(process)
        finally:
            process.stdin.close()


def main() -> None:
    settings = env()
    web = load_web(settings, pictures=False)
    reader = open_reader(settings.database)
    with open_publisher(settings, web, reader, start_pool(settings, web)) as publisher:
        for _ in sys.stdin:
            with publish_lock(settings.builds_dir):
                publisher.publish(full=True)
            sys.stdout.write("done\n")
            sys.stdout.flush()
    reader.close()


if __name__ == "__main__":
    main()

"""`make test-slow`: run every test on a slow machine: `run_slowly.py [--percent 15] [COMMAND...]`.

The kernel gives the command and its children a share of two cores. Tests must pass with it. Without a command it is
`run_tests.py all`. `PORTOLAN_SLOWER` multiplies the tests' time limits.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import Final

from portolan_dev.bench.cpu_quota import NoControlGroups, cpu_quota, read_limit

ROOT: Final = Path(__file__).parents[1]
ALL: Final = (sys.executable, str(ROOT / "scripts" / "run_tests.py"), "all")
CORES: Final = 2
HANGS_AFTER_S: Final = 900
"""`faulthandler_timeout` of `pyproject.toml`."""
NO_LIMIT: Final = """\
The processor share of a process cannot be limited here: {error}.
Do one of these:
  - run `make test-slow` as root
  - systemd-run --user --scope --property CPUQuota={percent}% make test-slow
  - start the container with --cpus {share:g}, and run `make test-slow` in it"""


@contextmanager
def limited(share: float, percent: int) -> Iterator[Sequence[str]]:
    """Yield the beginning of a command line that gives the rest ``share`` of a core.

    It is empty if this process has no more than that already, as in a container.
    """
    limit = read_limit()
    if limit is not None and limit <= share * 1.01:
        yield ()
        return
    try:
        with cpu_quota("test-slow", share) as quota:
            yield ("sh", "-c", f'echo $$ > {quota.members} && exec "$@"', "sh")
    except NoControlGroups as error:
        sys.exit(NO_LIMIT.format(error=error, percent=percent * CORES, share=share))


def environment(percent: int, known: Mapping[str, str]) -> dict[str, str]:
    slower = ceil(100 / percent)
    hangs = f"-o faulthandler_timeout={HANGS_AFTER_S * slower}"
    return {
        **known,
        "ALL": "1",
        "PORTOLAN_SLOWER": str(slower),
        "PYTEST_ADDOPTS": f"{known.get('PYTEST_ADDOPTS', '')} {hangs}".strip(),
    }


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description="Run tests with a share of the processors.")
    parser.add_argument("--percent", type=int, default=15, help="share of two cores (default: 15)")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="instead of all tests")
    given = parser.parse_args(arguments)
    with limited(given.percent * CORES / 100, given.percent) as beginning:
        command = [*beginning, *(given.command or ALL)]
        return subprocess.run(command, cwd=ROOT, env=environment(given.percent, os.environ)).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

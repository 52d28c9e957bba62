"""Check that generated files match their sources. One process for all, because loading Django takes as long as the
check.
"""

import sys
import traceback
from typing import Final

from click.testing import CliRunner

from portolan.commands.main import main as portolan

CHECKS: Final = {
    "no migration is missing": ("django", "makemigrations", "--check", "--dry-run"),
    "empty database is current (make empty-database fixes it)": ("empty-database", "--check"),
    "contract is current (make contract fixes it)": ("contract", "--check"),
    "the studio's texts are translated (make texts gathers them)": ("texts", "--check"),
}


def main() -> int:
    failed = 0
    for title, arguments in CHECKS.items():
        done = CliRunner().invoke(portolan, arguments)
        if done.exit_code == 0:
            continue
        failed += 1
        print(f"✗ {title}\n{done.output}")
        if done.exc_info and not isinstance(done.exception, SystemExit):
            traceback.print_exception(*done.exc_info)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

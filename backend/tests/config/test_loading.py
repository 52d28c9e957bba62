"""The work that remains for Python once a process has loaded Django."""

import subprocess
import sys

_ASKS = """
import gc
from portolan.config.start_django import start_django
start_django()
print(gc.isenabled(), gc.get_threshold()[0] > 10_000, gc.get_freeze_count() > 100_000)
"""


def test_what_was_loaded_is_never_searched_for_cycles_and_the_rest_seldom() -> None:
    told = subprocess.run([sys.executable, "-c", _ASKS], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["True", "True", "True"]

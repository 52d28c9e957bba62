"""For processes that load much at their start and then answer for long."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """For what loads much that stays. Python searches it for cycles meanwhile, which takes a quarter of the time, and later
    whenever it looks for some, for half a second in which nobody is answered: so it does neither."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()

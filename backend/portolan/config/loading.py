"""For processes that load much at their start and then answer for long."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_SELDOM: Final = (20_000, 10, 20)


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


def expect_large_answers() -> None:
    """For Django's processes. A screen makes some hundred thousand objects, and by default Python searches for cycles after each 700:
    a fifth to a third of the time of a large one. What is searched less often takes 3 of 200 MB more."""
    gc.set_threshold(*_SELDOM)

"""Exclude the tests from garbage collection. Thousands of tests and their imports stay until the end. Scanning them
again and again takes a third of the collecting time.
"""

import gc

import pytest

gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()

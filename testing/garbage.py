"""The garbage collector looks at nothing that came with the tests: thousands of tests, and all that they import, stay until the
end, and to go through them again and again is a third of the time that collecting tests takes.
"""

import gc

import pytest

gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()

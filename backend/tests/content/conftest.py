"""Content is tested without the studio: here a test makes live copies itself."""

from collections.abc import Iterator

import pytest

from portolan.studio import inheritance


@pytest.fixture(autouse=True)
def without_inheritance() -> Iterator[None]:
    inheritance.disconnect()
    yield
    inheritance.connect()

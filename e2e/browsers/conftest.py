from collections.abc import Iterator
from pathlib import Path

import pytest

from ..faults import Faults
from ..product import Product
from .start import ASKED_FOR, open_browser, require_browsers
from .window import OpenWindow, Window


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine" in metafunc.fixturenames:
        require_browsers()
        metafunc.parametrize("engine", ASKED_FOR, scope="session")


@pytest.fixture
def open_window(engine: str, product: Product, faults: Faults, tmp_path: Path) -> Iterator[OpenWindow]:
    """``open_window("ae")``: a window of a new visitor of that site, whose network is in the test's hands."""
    faults.add("/sw.js", status=404)  # what a service worker keeps is other journeys' matter
    with open_browser(engine, tmp_path) as wire:

        def open_one(site: str = "en", width: int = 1280, height: int = 850) -> Window:
            window = Window(wire, product.origin(site).replace(f":{product.port}", f":{faults.port}"))
            window.answer_consent()
            window.resize(width, height)
            return window

        yield open_one

import json
from collections.abc import Iterator

import pytest

from .disk import DRILL
from .world import World


@pytest.fixture(scope="session")
def world() -> Iterator[World]:
    world = World()
    try:
        yield world
    finally:
        world.end()
        (DRILL / "figures.json").write_text(json.dumps(world.figures, indent=2))
        print("\n\nThe drill's figures:", *world.figures, sep="\n  ")

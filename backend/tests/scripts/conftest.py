"""The programs under ``scripts/`` are no package: their folder is put on the path, as it is when they run."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

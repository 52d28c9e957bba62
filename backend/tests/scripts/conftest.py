"""The programs under ``scripts/`` are not a package, so put their folder on the path."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

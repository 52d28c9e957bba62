"""PostgreSQL is killed under load and started again: each acknowledged lead is stored once, with its files (R4)."""

import json
import os
import sys
from pathlib import Path

import pytest

from ..postgres_server import BESIDE_POSTGRES, ROOT, has_postgres
from ..processes import run_program


@pytest.mark.skipif(not has_postgres(), reason="PostgreSQL: no server binaries found, so nothing could be killed")
def test_leads_wait_in_the_spool_and_none_is_lost(tmp_path: Path) -> None:
    done = run_program(
        [sys.executable, BESIDE_POSTGRES, sys.executable, "-m", "tests.leads.postgres_outage"],
        cwd=ROOT / "backend",
        env={**os.environ, "PORTOLAN_VAR_DIR": str(tmp_path / "var"), "PYTHONPATH": str(ROOT)},
        timeout_s=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    result = json.loads(done.stdout)
    assert result["sent"] == 60
    assert 0 < result["promised"] == result["spooled"]
    assert result["acknowledged"] <= result["stored"] <= result["sent"]
    assert result["acknowledged"] >= 55  # a client that was sending at that moment may have to send again
    assert result["files are whole"]

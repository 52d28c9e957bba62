"""``portolan seed``."""

import pytest
from click.testing import CliRunner

from portolan.config.env import Env
from portolan_dev.commands import seed


def test_production_gets_no_fiction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seed, "env", lambda: Env(environment="production"))
    result = CliRunner().invoke(seed.command)
    assert result.exit_code == 1
    assert "Nothing was loaded" in result.output

"""A company folder with this plugin, in which plugins are tested."""

import os
import sys
import tempfile
from pathlib import Path

import pytest

_PROJECT = Path(tempfile.mkdtemp(prefix="opening-hours-")) / "project"


def pytest_configure() -> None:
    from portolan.commands.init import command

    command.main(
        [str(_PROJECT), "--name", "Acme Works", "--sites", "en,ae", "--yes", "--files-only"], standalone_mode=False
    )
    registry = _PROJECT / "sites.toml"
    registry.write_text('plugins = ["portolan_opening_hours"]\n' + registry.read_text())
    os.environ |= {"PORTOLAN_SITES_FILE": str(registry), "DJANGO_SETTINGS_MODULE": "portolan.config.settings"}
    sys.path.append(str(Path(__file__).parents[1]))
    import django

    django.setup()


@pytest.fixture(scope="session")
def sites() -> None:
    """The tables, and a home page for each site."""
    from django.core.management import call_command

    from portolan.commands.sites import sync_studio
    from portolan.config.env import env

    call_command("migrate", verbosity=0)
    sync_studio(env())

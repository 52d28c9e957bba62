import base64
from collections.abc import Iterator
from typing import Final

import pytest

from ..product import write_project
from ..seeded import ROOT
from .installation import Installation, installed

CRM: Final = """
[[destinations]]
name = "crm"
kind = "webhook"
url = "https://crm.test/leads"
secret_env = "TEST_CRM_SECRET"
"""


@pytest.fixture(scope="package")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """One installation for all tests that leave it unchanged. It has a destination for leads, but no delivery process."""
    folder = tmp_path_factory.mktemp("attacked")
    write_project(folder, (ROOT / "sites.toml").read_text() + CRM)
    variables = {
        "PORTOLAN_SITES_FILE": str(folder / "sites.toml"),
        "TEST_CRM_SECRET": "whsec_" + base64.b64encode(bytes(range(32))).decode(),
    }
    options = ["--workers", "1", "--no-publisher", "--no-deliver"]
    with installed(folder / "var", *options, **variables) as running:
        yield running

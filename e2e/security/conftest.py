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
    """One for all who leave it as whole as it was. It has a destination for leads, and nobody yet who delivers them."""
    folder = tmp_path_factory.mktemp("attacked")
    write_project(folder, (ROOT / "sites.toml").read_text() + CRM)
    variables = {
        "PORTOLAN_SITES_FILE": str(folder / "sites.toml"),
        "TEST_CRM_SECRET": "whsec_" + base64.b64encode(bytes(range(32))).decode(),
    }
    options = ["--workers", "1", "--no-publisher", "--no-deliver"]
    with installed(folder / "var", *options, **variables) as running:
        yield running

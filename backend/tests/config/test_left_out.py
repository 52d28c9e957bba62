"""The modules that a process of the studio loads at its start. Runs in its own process, because tests load more."""

import json
import os
import sys
from pathlib import Path
from typing import Final

from tests.processes import run_program

_LOADED: Final = """
import json, sys
from portolan.config.serving import load_django
load_django()
from rest_framework.compat import requests, yaml
from django.apps import apps
print(json.dumps({
    "modules": sorted(sys.modules),
    "absent": [requests, yaml],
    "apps": [each.name for each in apps.get_app_configs()],
}))
"""
_NOT_NEEDED: Final = (
    "wagtail.api.v3.registry",
    "wagtail.api.v3.routers.pages",
    "requests",
    "psycopg",
    "fido2",
    "segno",
)


def test_what_nothing_uses_is_not_loaded_when_a_server_begins(tmp_path: Path) -> None:
    ran = run_program(
        [sys.executable, "-c", _LOADED], env={**os.environ, "PORTOLAN_VAR_DIR": str(tmp_path), "DATABASE_URL": ""}
    )
    loaded = json.loads(ran.stdout)
    assert {"wagtail.snippets", "wagtail.images", "wagtail.documents"} <= {*loaded["apps"]}, (
        "whose `ready` asked for it"
    )
    assert loaded["absent"] == [None, None]
    assert [name for name in _NOT_NEEDED if name in loaded["modules"]] == []


def test_commands_begin_without_what_screens_need(tmp_path: Path) -> None:
    begin = "import sys; from portolan.config.start_django import start_django; start_django(); print(*sys.modules)"
    ran = run_program(
        [sys.executable, "-c", begin], env={**os.environ, "PORTOLAN_VAR_DIR": str(tmp_path), "DATABASE_URL": ""}
    )
    loaded = ran.stdout.split()
    assert "wagtail.models" in loaded
    assert [name for name in ("rest_framework", "wagtail.admin.api.views", *_NOT_NEEDED) if name in loaded] == []

"""Every screen of the studio that is ours, by its address in the running demo."""

import json
import subprocess
import sys
from typing import Final

from portolan_dev.studio_screens import Screen
from tests.processes import SLOWER

from .product import Product

WITHOUT_EXAMPLE: Final = {
    "uidb64": "a link that is good once: test_roles.py",
    "token": "likewise",
    "secret": "likewise, of a new address: test_addresses.py",
    "rest": "leads from an address of before to its own screen",
    "content_type_app_name": "answers a form's script",
    "content_type_model_name": "likewise",
    "parent_page_id": "likewise",
    "page_to_move_id": "a move, by dragging",
    "held_id": "a deleted page; restored by a press of a button",
    "type_id": "a draft that is added to a change set: test_change_sets.py",
    "item_id": "a button of a change set",
    "step": "likewise",
    "factor_id": "a button",
    "position": "a file that somebody sent",
    "parent_id": "a move that a reviewer has to look at",
    "destination_id": "a move, by dragging",
}
"""Parts of addresses that the demo has nothing for, and what there is instead."""


def list_screens(product: Product) -> list[Screen]:
    listed = subprocess.run(
        [sys.executable, "-m", "portolan_dev.studio_screens"],
        env=product.environment,
        check=True,
        capture_output=True,
        text=True,
        timeout=120 * SLOWER,
    )
    return [Screen(**json.loads(line)) for line in listed.stdout.splitlines()]

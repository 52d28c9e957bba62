from typing import Any

import pytest

from portolan.schemas.consent import ConsentChoice

CHOICE: dict[str, Any] = {
    "policyVersion": "2026-11-01",
    "textHash": "0123456789abcdef0123456789abcdef",
    "choices": {"ad_storage": False, "analytics_storage": True},
    "method": "settings",
}


@pytest.fixture
def choice() -> ConsentChoice:
    return ConsentChoice.model_validate(CHOICE)

"""Messages of tests on xdist's workers reach the main process."""

from typing import Any

import execnet
import pytest

NO_TEXT = "caf\udce9"
SHOWN = r"caf\udce9"


def test_a_report_is_sent_whatever_text_is_in_it(pytestconfig: pytest.Config) -> None:
    report = pytest.TestReport(
        "test_names.py::test_one",
        ("test_names.py", 1, NO_TEXT),
        {},
        "failed",
        NO_TEXT,
        "call",
        sections=[("Captured stdout call", NO_TEXT)],
        user_properties=[("name", NO_TEXT), ("bytes", b"caf\xe9")],
    )
    data = pytestconfig.hook.pytest_report_to_serializable(config=pytestconfig, report=report)
    sent: dict[str, Any] = execnet.loads(execnet.dumps(data))
    assert sent["longrepr"] == SHOWN
    assert sent["location"] == ("test_names.py", 1, SHOWN)
    assert sent["sections"] == [("Captured stdout call", SHOWN)]
    assert sent["user_properties"] == [("name", SHOWN), ("bytes", b"caf\xe9")]

"""Make any message of a failed test reach the main process. xdist sends it as UTF-8 text. A lone surrogate, as in an
invalid file name, would end the worker and the run.
"""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Iterator[Any]:
    return sendable((yield))


def sendable(value: Any) -> Any:
    """
    >>> sendable({"said": ["caf\\udce9", b"caf\\xe9", 1]})
    {'said': ['caf\\\\udce9', b'caf\\xe9', 1]}
    """
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {sendable(key): sendable(found) for key, found in value.items()}
    if isinstance(value, list):
        return [sendable(found) for found in value]
    if isinstance(value, tuple):
        return tuple(sendable(found) for found in value)
    return value

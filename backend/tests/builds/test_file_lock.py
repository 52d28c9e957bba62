"""Which processes can have a lock together. Tests of killed processes check that a lock ends with its process."""

from pathlib import Path

import pytest

from portolan.builds.file_lock import file_lock


@pytest.mark.parametrize(
    ("first_is_shared", "second_is_shared", "has_it"),
    [(False, False, False), (False, True, False), (True, False, False), (True, True, True)],
)
def test_one_has_it_or_all_who_share_it(
    tmp_path: Path, first_is_shared: bool, second_is_shared: bool, has_it: bool
) -> None:
    lock = tmp_path / "lock"
    with (
        file_lock(lock, shared=first_is_shared) as first,
        file_lock(lock, wait=False, shared=second_is_shared) as second,
    ):
        assert (first, second) == (True, has_it)
    with file_lock(lock, wait=False) as after:
        assert after

"""One upgrade at a time, and every process can see a running one."""

import os
import threading

import pytest

from portolan.releases.upgrade_lock import UpgradeIsAtWork, is_upgrading, upgrade_lock, wait_for_upgrade

from ..processes import LIMIT_S, wait_until, waits_for_lock


def test_one_at_a_time_and_others_see_it(tmp_path):
    file = tmp_path / "var" / "upgrade.lock"
    assert not is_upgrading(file)
    with upgrade_lock(file):
        assert is_upgrading(file)
        with pytest.raises(UpgradeIsAtWork), upgrade_lock(file):
            pytest.fail("two at once")
        assert is_upgrading(file)
    assert not is_upgrading(file)
    with upgrade_lock(file):
        pass


def test_who_waits_goes_on_when_it_has_ended(tmp_path):
    file = tmp_path / "upgrade.lock"
    waiting = threading.Thread(target=wait_for_upgrade, args=(file,))
    with upgrade_lock(file):
        waiting.start()
        wait_until(lambda: waits_for_lock(os.getpid(), file))
        assert waiting.is_alive()
    waiting.join(LIMIT_S)
    assert not waiting.is_alive()

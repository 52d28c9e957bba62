"""`make test-slow`: the share of the processors, and the variable that tests read."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
import run_slowly

from portolan_dev.bench import cpu_quota
from portolan_dev.bench.cpu_quota import NoControlGroups


@pytest.mark.parametrize(("percent", "slower", "hangs_after_s"), [(15, "7", 6300), (50, "2", 1800), (100, "1", 900)])
def test_time_limits_grow_as_the_share_shrinks(percent: int, slower: str, hangs_after_s: int) -> None:
    found = run_slowly.environment(percent, {"PYTEST_ADDOPTS": "-x", "HOME": "/"})
    addopts = f"-x -o faulthandler_timeout={hangs_after_s}"
    assert found == {"ALL": "1", "PORTOLAN_SLOWER": slower, "PYTEST_ADDOPTS": addopts, "HOME": "/"}


def test_a_hung_test_is_ended_as_late_as_pyproject_says() -> None:
    text = (run_slowly.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f"faulthandler_timeout = {run_slowly.HANGS_AFTER_S} " in text


@pytest.mark.parametrize(
    ("own", "files", "limit"),
    [
        ("0::/\n", {"cpu.max": "30000 100000\n"}, 0.3),
        ("0::/\n", {"cpu.max": "max 100000\n"}, None),
        ("0::/\n", {}, None),
        ("0::/user/run.scope\n", {"user/run.scope/cpu.max": "max 100000", "user/cpu.max": "50000 100000"}, 0.5),
        ("3:memory:/a\n1:cpu:/\n", {"cpu/cpu.cfs_quota_us": "30000\n", "cpu/cpu.cfs_period_us": "100000\n"}, 0.3),
        ("1:cpu,cpuacct:/\n", {"cpu,cpuacct/cpu.cfs_quota_us": "-1", "cpu,cpuacct/cpu.cfs_period_us": "1"}, None),
    ],
)
def test_a_limit_that_is_there_already_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str, files: Mapping[str, str], limit: float | None
) -> None:
    (tmp_path / "own").write_text(own)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(cpu_quota, "_ROOT", tmp_path)
    monkeypatch.setattr(cpu_quota, "_OWN", tmp_path / "own")
    assert cpu_quota.read_limit() == limit


@pytest.mark.parametrize("limit", [0.3, 0.1])
def test_a_container_that_is_limited_needs_no_group(monkeypatch: pytest.MonkeyPatch, limit: float) -> None:
    monkeypatch.setattr(run_slowly, "read_limit", lambda: limit)
    with run_slowly.limited(0.3, 15) as beginning:
        assert list(beginning) == []


def test_where_nothing_can_be_limited_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(name: str, share: float) -> None:
        raise NoControlGroups("Read-only file system: /sys/fs/cgroup/x")

    monkeypatch.setattr(run_slowly, "read_limit", lambda: None)
    monkeypatch.setattr(run_slowly, "cpu_quota", refuse)
    with (
        pytest.raises(SystemExit, match=r"Read-only[\s\S]+CPUQuota=30%[\s\S]+--cpus 0\.3"),
        run_slowly.limited(0.3, 15),
    ):
        pass


def test_the_command_is_in_the_group_and_its_exit_code_is_passed_on(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_slowly, "read_limit", lambda: None)  # this test may run in a share already
    try:
        with cpu_quota.cpu_quota("try", 1):
            pass
    except NoControlGroups as error:
        pytest.skip(f"no control groups here: {error}")
    code = "print(open('/proc/self/cgroup').read(), __import__('os').environ['PORTOLAN_SLOWER']); raise SystemExit(3)"
    assert run_slowly.main(["--percent", "50", sys.executable, "-c", code]) == 3
    said = capfd.readouterr().out
    assert f"portolan-{os.getpid()}-test-slow" in said
    assert said.split()[-1] == "2"
    listed = subprocess.run(["sh", "-c", "ls -d /sys/fs/cgroup/*portolan-*-test-slow"], capture_output=True, text=True)
    assert f"portolan-{os.getpid()}-test-slow" not in listed.stdout, "the group is removed"

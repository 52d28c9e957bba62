import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from portolan.config.secret_key import load_secret_key


def test_makes_a_key_once_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    key = load_secret_key(folder)
    assert len(key) >= 50
    assert load_secret_key(folder) == key
    assert [stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()] == [0o600]


def test_processes_that_start_together_share_one_key(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(load_secret_key, [tmp_path] * 32))
    assert len(keys) == 1


def test_installations_have_different_keys(tmp_path: Path) -> None:
    assert load_secret_key(tmp_path / "a") != load_secret_key(tmp_path / "b")

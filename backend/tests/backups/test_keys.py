from io import BytesIO
from pathlib import Path

import pytest

from portolan.backups.keys import NO_KEYS, Keys, decrypt, encrypt, make_key, read_keys, require_fit
from portolan.backups.problem import BackupError

IDENTITY, RECIPIENT = make_key()
OTHER, _ = make_key()
SECRET = b"We move containers. " * 10_000


def closed(path: Path, keys: Keys) -> Path:
    with path.open("wb") as copy:
        encrypt(BytesIO(SECRET), copy, keys)
    return path


def test_the_public_key_encrypts_and_only_the_secret_one_reads(tmp_path: Path) -> None:
    file = closed(tmp_path / "file", read_keys(f"# ours\n{RECIPIENT}\n", "here"))
    assert SECRET[:20] not in file.read_bytes()
    out = BytesIO()
    passed = decrypt(file, out, read_keys(IDENTITY, "here"), [RECIPIENT])
    assert out.getvalue() == SECRET
    assert (passed.size, passed.stored_size) == (len(SECRET), file.stat().st_size)


def test_several_keys_each_read_it(tmp_path: Path) -> None:
    keys = read_keys(f"{IDENTITY} {OTHER}", "here")
    file = closed(tmp_path / "file", keys)
    for one in (IDENTITY, OTHER):
        out = BytesIO()
        decrypt(file, out, read_keys(one, "here"), keys.recipients)
        assert out.getvalue() == SECRET


@pytest.mark.parametrize("break_at", [30, 300, 70_000, -20])
def test_a_flipped_bit_is_noticed_wherever_it_is(tmp_path: Path, break_at: int) -> None:
    keys = read_keys(IDENTITY, "here")
    file = closed(tmp_path / "file", keys)
    data = bytearray(file.read_bytes())
    data[break_at] ^= 1
    file.write_bytes(data)
    with pytest.raises(BackupError, match="is damaged"):
        decrypt(file, BytesIO(), keys, keys.recipients)


def test_a_file_that_is_cut_off_is_no_whole_file(tmp_path: Path) -> None:
    keys = read_keys(IDENTITY, "here")
    file = closed(tmp_path / "file", keys)
    file.write_bytes(file.read_bytes()[: 2 * 64 * 1024])
    with pytest.raises(BackupError, match="is damaged"):
        decrypt(file, BytesIO(), keys, keys.recipients)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (NO_KEYS, "Give its secret key"),
        (read_keys(RECIPIENT, "here"), "Give its secret key"),
        (read_keys(OTHER, "here"), "does not match"),
    ],
    ids=["none", "the public half", "another"],
)
def test_a_wrong_key_is_said_in_words(keys: Keys, said: str) -> None:
    with pytest.raises(BackupError, match=said):
        require_fit(keys, [RECIPIENT])


@pytest.mark.parametrize(
    "text",
    ["", "# a note\n", "password", RECIPIENT[:-1] + ("q" if RECIPIENT.endswith("x") else "x"), IDENTITY[:-1]],
    ids=["nothing", "a note", "a password", "a recipient mistyped", "an identity cut off"],
)
def test_what_is_no_key_is_refused_and_never_shown(text: str) -> None:
    with pytest.raises(BackupError) as refused:
        read_keys(text, "PORTOLAN_BACKUP_KEY")
    assert "PORTOLAN_BACKUP_KEY" in str(refused.value)
    assert not text or text.strip("# \n") not in str(refused.value)

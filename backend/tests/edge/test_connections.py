"""Idle connections are closed to serve others: the rule, and real sockets."""

import contextlib
import fcntl
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from portolan.edge.connections import Bounds, Connection, ConnectionRules, ConnectionWatch

from ..processes import LIMIT_S


def held(count: int, client: str, start: int = 0) -> list[Connection]:
    return [Connection(start + number, client, 0, 0) for number in range(count)]


def test_the_newest_of_a_client_with_too_many_are_closed() -> None:
    rules = ConnectionRules(Bounds(of_client=3))
    first = held(3, "192.0.2.1")
    assert rules.choose(first, 0) == {}
    more = held(2, "192.0.2.1", start=10)
    other = held(3, "192.0.2.2", start=20)
    assert rules.choose([*more, *first, *other], 1) == {10: 429, 11: 429}


def test_where_all_hold_too_many_those_with_the_most_give_way() -> None:
    rules = ConnectionRules(Bounds(of_client=10, of_all=12))
    few, many = held(2, "192.0.2.1", start=100), held(10, "192.0.2.2")
    rules.choose([*many, *few], 0)
    newcomer = held(1, "192.0.2.3", start=200)
    closed = rules.choose([*many, *few, *newcomer], 1)
    assert closed == {9: 503}


def test_a_proxy_of_ours_is_no_client() -> None:
    rules = ConnectionRules(Bounds(of_client=1, of_all=2))
    assert rules.choose(held(5, ""), 0) == {}


@pytest.mark.parametrize(
    ("taken_a_second", "closed_after_s"),
    [(0, 31), (500, 31), (900, 31), (1_000, None), (2_000, None)],
)
def test_an_answer_is_taken_at_some_pace_or_not_at_all(taken_a_second: int, closed_after_s: int | None) -> None:
    rules = ConnectionRules(Bounds())
    found = None
    for second in range(300):
        if rules.choose([Connection(1, "192.0.2.1", 5_000, taken_a_second * second)], second):
            found = second
            break
    assert found == closed_after_s


def test_nobody_saves_up_for_a_long_pause() -> None:
    rules = ConnectionRules(Bounds())
    found = [now for now in range(60) if rules.choose([Connection(1, "192.0.2.1", 5_000, min(now, 5) * 10**6)], now)]
    assert found[0] == 5 + 31


def test_pauses_of_a_client_that_has_taken_all_do_not_count() -> None:
    rules = ConnectionRules(Bounds())
    for second in range(0, 300, 20):
        assert rules.choose([Connection(1, "192.0.2.1", 5_000, second)], second) == {}
        assert rules.choose([Connection(1, "192.0.2.1", 0, second + 1)], second + 1) == {}


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def connect(listener: socket.socket, stack: contextlib.ExitStack) -> tuple[socket.socket, socket.socket]:
    """Return both ends: the client's and ours."""
    client = stack.enter_context(socket.create_connection(listener.getsockname(), timeout=LIMIT_S))
    return client, stack.enter_context(listener.accept()[0])


def test_who_holds_too_many_reads_why(listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    watch = ConnectionWatch(port, bounds=Bounds(of_client=2))
    with contextlib.ExitStack() as stack:
        pairs = [connect(listener, stack) for _ in range(5)]
        watch.look()
        answers = []
        for client, _ in pairs:
            client.setblocking(False)
            try:
                answers.append(client.recv(1000))
            except BlockingIOError:
                answers.append(b"")
        refused = [answer for answer in answers if answer]
        assert len(refused) == 3
        assert all(answer.startswith(b"HTTP/1.1 429 Too Many Requests\r\n") for answer in refused)
        assert b"retry-after: 5" in refused[0]
        trusting = ConnectionWatch(port, ["127.0.0.0/8"], Bounds(of_client=0, of_all=0))
        trusting.look()
        open_ends = [ours for (_, ours), answer in zip(pairs, answers, strict=True) if not answer]
        assert len([ours.send(b"x") for ours in open_ends]) == 2


def test_who_reads_nothing_is_cut_off_and_who_reads_is_not(listener: socket.socket) -> None:
    now = 0.0
    watch = ConnectionWatch(listener.getsockname()[1], clock=lambda: now)
    with contextlib.ExitStack() as stack:
        (idle, _), (_still, ours), (reader, theirs) = (connect(listener, stack) for _ in range(3))
        for end in (ours, theirs):
            end.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                while True:
                    end.send(b"x" * 65_536)
        watch.look()
        while now < 80:
            now += 4
            reader.recv(1 << 20)
            with contextlib.suppress(BlockingIOError):
                theirs.send(b"x" * 65_536)
            watch.look()
        with pytest.raises(BrokenPipeError):
            ours.send(b"x")
        for end in (theirs, reader, idle):
            end.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            theirs.send(b"x")  # open
        with pytest.raises(BlockingIOError):
            idle.recv(1)  # open, and nothing to read


def test_a_look_takes_no_lock_of_a_file_that_is_open(tmp_path: Path) -> None:
    """SQLite separates two writers by POSIX locks. A process loses them when it closes a duplicate of the file."""
    ask = "import fcntl, sys; fcntl.lockf(open(sys.argv[1], 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)"
    file = tmp_path / "database"
    with file.open("w") as ours:
        fcntl.lockf(ours, fcntl.LOCK_EX)
        ConnectionWatch(1).look()
        asked = subprocess.run([sys.executable, "-c", ask, file], capture_output=True, text=True)
    assert "BlockingIOError" in asked.stderr
    assert not subprocess.run([sys.executable, "-c", ask, file]).returncode

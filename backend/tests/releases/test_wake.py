import contextlib
import socket
import threading

import pytest

from portolan.releases.wake import AlreadyListening, WakeListener, wake

from ..processes import LIMIT_S


@pytest.fixture
def path(tmp_path):
    return tmp_path / "var" / "publisher.sock"


def test_a_wake_reaches_the_listener(path):
    with WakeListener(path) as listener:
        assert wake(path)
        assert listener.wait(LIMIT_S)


def test_many_wakes_count_as_one(path):
    with WakeListener(path) as listener:
        for _ in range(5):
            wake(path)
        assert listener.wait(LIMIT_S)
        assert not listener.wait(0)


def test_waiting_ends_when_the_time_is_over(path):
    with WakeListener(path) as listener:
        assert not listener.wait(0)


def test_a_wake_from_another_thread_ends_the_waiting(path):
    with WakeListener(path) as listener:
        thread = threading.Thread(target=wake, args=(path,))
        thread.start()
        assert listener.wait(LIMIT_S)
        thread.join()


def test_waking_nobody_is_no_error(path):
    assert not wake(path)
    path.parent.mkdir()
    path.write_text("no socket")
    assert not wake(path)


def test_a_full_queue_neither_blocks_nor_fails_the_sender(path):
    with WakeListener(path) as listener:
        sent = [wake(path) for _ in range(2000)]
        assert sent[0]
        assert not sent[-1], "the kernel's queue is smaller than this; the sender must give up at once"
        assert listener.wait(0)
        assert not listener.wait(0)


def test_a_socket_left_behind_by_a_killed_process_is_taken_over(path):
    path.parent.mkdir()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as left_behind:
        left_behind.bind(str(path))
    assert path.exists()
    with WakeListener(path) as listener:
        wake(path)
        assert listener.wait(LIMIT_S)


def test_a_second_listener_is_refused_and_the_first_goes_on(path):
    with WakeListener(path) as first:
        with pytest.raises(AlreadyListening, match="stop one of them"), WakeListener(path):
            pass
        wake(path)
        assert first.wait(LIMIT_S)


def test_nothing_is_left_behind_after_closing(path):
    with WakeListener(path):
        pass
    assert not path.exists()


def test_a_path_longer_than_the_kernel_takes_works_too(tmp_path):
    path = tmp_path / ("long" * 30) / "publisher.sock"
    with WakeListener(path) as listener:
        assert wake(path)
        assert listener.wait(LIMIT_S)


def test_one_that_ends_leaves_the_socket_of_the_next_alone(path, monkeypatch):
    """The next listener may bind once this one stops replying."""
    first, second = WakeListener(path), WakeListener(path)
    first.__enter__()
    close = first._socket.close

    class Closing:
        def close(self):
            close()
            second.__enter__()

    monkeypatch.setattr(first, "_socket", Closing())
    first.__exit__(None, None, None)
    assert wake(path)
    assert second.wait(LIMIT_S)
    second.__exit__(None, None, None)


def test_a_disk_that_takes_no_socket_keeps_nobody_from_working(path, monkeypatch, caplog):
    def refuse(*_):
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("portolan.releases.wake.socket.socket.bind", refuse, raising=False)
    with WakeListener(path) as listener:
        assert not listener.wait(0)
    assert "Read-only file system" in caplog.text


def test_of_two_that_start_at_once_one_listens(path):
    found, together = [], threading.Barrier(8)

    def start():
        listener = WakeListener(path)
        together.wait()
        with contextlib.suppress(AlreadyListening):
            found.append(listener.__enter__())

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (listener,) = found
    assert wake(path)
    assert listener.wait(LIMIT_S), "the socket at the path is its own"
    listener.__exit__(None, None, None)

"""The cache of several processes, with a server that speaks Redis' protocol over TCP."""

import logging
import threading
from collections.abc import Iterator

import pytest
from fakeredis import TcpFakeServer

from portolan.config.shared_cache import SharedCache


@pytest.fixture
def server() -> Iterator[TcpFakeServer]:
    server = TcpFakeServer(("127.0.0.1", 0))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def cache_at(port: int) -> SharedCache:
    return SharedCache(f"redis://127.0.0.1:{port}/0", {"OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1}})


def test_what_one_process_counts_another_sees(server: TcpFakeServer) -> None:
    one, other = cache_at(server.server_address[1]), cache_at(server.server_address[1])
    assert one.add("views", 0, 60)
    assert not other.add("views", 0, 60)
    assert [one.incr("views"), other.incr("views"), one.decr("views")] == [1, 2, 1]
    other.set("verdict", "ok", 60)
    assert one.get("verdict") == "ok"
    assert one.delete("verdict")
    assert other.get("verdict", "gone") == "gone"
    with pytest.raises(ValueError, match="not found"):
        one.incr("nothing")
    for cache in (one, other):
        for client in cache._cache._pools.values():
            client.disconnect()


def test_a_cache_that_is_away_is_an_empty_one_and_says_so_once(caplog: pytest.LogCaptureFixture) -> None:
    cache = cache_at(1)
    SharedCache._silent_until = 0.0
    with caplog.at_level(logging.ERROR):
        assert cache.get("a", "nothing") == "nothing"
        assert cache.add("a", 0, 60)
        assert cache.incr("a") == 1
        assert cache.set("a", 1, 60) is None
        assert not cache.delete("a")
    assert [record.levelname for record in caplog.records] == ["ERROR"]

"""PostgreSQL allows one publisher at a time on all machines."""

import os
import sys

import pytest

from portolan.releases.lease import Taken, named_lease, publisher_lease

from ..postgres_server import BESIDE_POSTGRES, ROOT, has_postgres
from ..processes import run_program

_TWO_MACHINES = """
import os, threading
import psycopg
from portolan.releases.lease import Taken, named_lease, publisher_lease
url = os.environ["DATABASE_URL"]
said, waits = [], threading.Event()
def second():
    with publisher_lease(url, on_wait=waits.set):
        said.append("second")
with publisher_lease(url):
    try:
        with publisher_lease(url, wait=False):
            said.append("both")
    except Taken:
        said.append("taken")
    thread = threading.Thread(target=second)
    thread.start()
    assert waits.wait()
    said.append("first")
thread.join()
with publisher_lease(url, wait=False):
    said.append("free")
def is_free(groups):
    try:
        with publisher_lease(url, groups=groups, longest_s=0.1):
            return True
    except Taken:
        return False
with publisher_lease(url, groups=["brand", ""]):
    said += [str(is_free(groups)) for groups in (["outlets"], ["brand"], ["outlets", ""], None)]
with publisher_lease(url):
    said.append(str(is_free(["outlets"])))
def holds(name):
    try:
        with named_lease(url, name) as is_held:
            return is_held()
    except Taken:
        return False
with named_lease(url, "receipts") as is_held:
    said += [str(found) for found in (is_held(), holds("receipts"), holds("other"))]
said.append(str(holds("receipts")))
with psycopg.connect(url, autocommit=True) as observer:  # free as soon as the block has ended, not when its session has
    def left():
        return observer.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'").fetchone()[0]
    for _ in range(30):
        with named_lease(url, "receipts"):
            held = left()
        after_named = left()
        with publisher_lease(url, groups=["brand"]):
            held += left()
        said.append((held, after_named, left()) == (3, 0, 0))
print(*said)
"""


@pytest.mark.skipif(not has_postgres(), reason="PostgreSQL: no server binaries found, so nobody could hold a lease")
def test_a_second_publisher_waits_for_the_first() -> None:
    done = run_program(
        [sys.executable, BESIDE_POSTGRES, sys.executable, "-c", _TWO_MACHINES],
        cwd=ROOT / "backend",
        env=dict(os.environ),
        timeout_s=120,
    )
    waited, of_groups = ["taken", "first", "second", "free"], ["True", "False", "False", "False", "False"]
    of_others = ["True", "False", "True", "True"]
    assert done.stdout.split() == [*waited, *of_groups, *of_others, *["True"] * 30], done.stderr[-3000:]


def test_without_a_database_to_agree_in_nobody_waits() -> None:
    for url in ("sqlite:///nowhere.sqlite3", "postgres://127.0.0.1:9/nowhere"):
        with publisher_lease(url, wait=False), publisher_lease(url, wait=False):
            pass
    with named_lease("sqlite:///nowhere.sqlite3", "receipts") as is_held:
        assert is_held()
    with pytest.raises(Taken), named_lease("postgres://127.0.0.1:9/nowhere", "receipts"):
        pass

"""The drill (R15), with the whole product: it takes leads and edits, is backed up meanwhile and killed, and is restored in an empty
folder. `make drill-restore`; PORTOLAN_DRILL_BUILDS=1 takes the builds along.
"""

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final

import httpx
import psutil

from portolan.backups.make import describe_build
from portolan.builds.live import read_live
from portolan.builds.manifest import list_builds

from .editing import editing
from .product import NO_LIMITS, Product, serve_copy
from .seeded import ROOT

PORTOLAN: Final = Path(sys.executable).parent / "portolan"
WITH_BUILDS: Final = bool(os.environ.get("PORTOLAN_DRILL_BUILDS"))
LEADS: Final = 30
LONGEST_S: Final = 60
"""For backup and restore together, on a machine that does nothing else."""


class Visitors:
    """They send forms with files, one after the other, until the product is gone."""

    def __init__(self, product: Product) -> None:
        self.acknowledged: dict[str, str] = {}
        """Digest of each lead's file, by the lead's id."""
        self._product = product
        self._threads = [threading.Thread(target=self._send, args=(number,), daemon=True) for number in range(2)]
        for thread in self._threads:
            thread.start()

    def wait_for(self, count: int) -> None:
        deadline = time.monotonic() + 120
        while len(self.acknowledged) < count:
            assert time.monotonic() < deadline, f"{len(self.acknowledged)} leads in two minutes"
            time.sleep(0.05)

    def _send(self, thread: int) -> None:
        with httpx.Client(base_url=f"http://127.0.0.1:{self._product.port}", timeout=10) as client:
            for number in range(100_000):
                data = f"%PDF-1.7\n{thread} {number}\n%%EOF\n".encode()
                fields = {
                    "contact[name]": "Head of Operations",
                    "contact[email]": "operations@northwind.example",
                    "message": f"We move containers. {thread} {number}",
                    "pageUrl": f"{self._product.origin('en')}/contact-us",
                    "privacyAccepted": "true",
                    "captchaToken": "no-token",
                }
                try:
                    answer = client.post(
                        "/api/integration/form-data",
                        data=fields,
                        files={"attachments[0]": ("cv.pdf", data)},
                        headers={"Host": self._product.origin("en").removeprefix("http://"), "Integration": "site"},
                    )
                except httpx.HTTPError:
                    return  # killed
                assert answer.status_code in (201, 202), answer.text
                self.acknowledged[answer.json()["id"]] = sha256(data).hexdigest()


def kill_all(port: int) -> None:
    """Return all processes of the product, by their commands."""
    marked = [
        process
        for process in psutil.process_iter()
        if process.pid != os.getpid() and _environment(process).get("PORTOLAN_PORT") == str(port)
    ]
    assert marked
    for process in marked:
        process.send_signal(signal.SIGKILL)
    psutil.wait_procs(marked, timeout=10)


def _environment(process: psutil.Process) -> dict[str, str]:
    try:
        return process.environ()
    except psutil.Error:
        return {}


def read_leads(var: Path) -> dict[str, str]:
    with closing(sqlite3.connect(var / "portolan.sqlite3")) as database:
        return dict(database.execute("SELECT id, fields FROM leads_lead").fetchall())


def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **NO_LIMITS, **variables}
    return subprocess.run([PORTOLAN, *arguments], env=environment, capture_output=True, text=True, timeout=900)


def test_nothing_acknowledged_before_the_backup_is_lost_with_the_machine(seeded: Path, tmp_path: Path) -> None:
    key, target, new = tmp_path / "key", tmp_path / "backups", tmp_path / "new"
    shutil.copytree(seeded / "leads", tmp_path / "var" / "leads")  # a copy of the demo has none of its leads' files
    run("backup", "--new-key", str(key))
    with serve_copy(tmp_path / "var", seeded) as product:
        variables = {
            "PORTOLAN_VAR_DIR": str(product.var_dir),
            "PORTOLAN_PORT": str(product.port),
            "PORTOLAN_SITES_FILE": str(ROOT / "sites.toml"),
        }
        visitors = Visitors(product)
        visitors.wait_for(LEADS)
        with editing(product) as editor:
            editor.change_phone("berlin", "+49 30 23125 111")
            before = dict(visitors.acknowledged)
            written_before = read_leads(product.var_dir)
            started = time.monotonic()
            made = run(
                "backup", str(target), "--key-file", str(key), *(["--builds"] if WITH_BUILDS else []), **variables
            )
            backup_s = time.monotonic() - started
            assert made.returncode == 0, made.stderr
            editor.change_phone("berlin", "+49 30 23125 222")  # it goes on
            visitors.wait_for(len(before) + 5)
        kill_all(product.port)  # while forms are being sent
        live_before = {
            site: {
                describe_build(product.var_dir / "builds", site, head.build, head.release).pages
                for head in list_builds(product.var_dir / "builds", site)
            }
            for site in product.registry.sites
        }
        started, worked = time.monotonic(), processor_s()
        del variables["PORTOLAN_VAR_DIR"], variables["PORTOLAN_SITES_FILE"]
        done = run("restore", str(target), str(new), "--key-file", str(key), **variables)
        restore_s, work_s = time.monotonic() - started, processor_s() - worked
        assert done.returncode == 0, done.stdout + done.stderr

    print(
        f"\nbackup {backup_s:.1f} s, restore {restore_s:.1f} s ({work_s:.1f} s of processors); {len(before)} leads\n{made.stdout}{done.stderr}"
    )
    with closing(sqlite3.connect(new / "var" / "portolan.sqlite3")) as database:
        rows = database.execute("SELECT lead_id, path FROM leads_leadfile").fetchall()
    files = {lead: new / "var" / "leads" / "files" / path for lead, path in rows}
    lost = [id for id, digest in before.items() if _digest(files.get(id.replace("-", ""))) != digest]
    assert lost == []
    written = read_leads(new / "var")
    assert {id: written.get(id) for id in written_before} == written_before, "every lead says what it said"
    live = read_live(new / "var" / "builds")
    assert set(live.builds) == set(product.registry.sites)
    for site, build in live.builds.items():
        pages = describe_build(new / "var" / "builds", site, build, live.releases[site]).pages
        assert pages in live_before[site], f"{site} shows what it never did"
    assert backup_s + restore_s < LONGEST_S, f"nothing is lost; {work_s:.0f} s of it were work of ours"
    assert json.loads(run("doctor", "--json", PORTOLAN_SITES_FILE=str(new / "sites.toml")).stdout)["findings"]


def processor_s() -> float:
    """Return the CPU time of ended programs and their children. Other programs of the machine are not counted."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _digest(file: Path | None) -> str:
    return sha256(file.read_bytes()).hexdigest() if file and file.exists() else "missing"

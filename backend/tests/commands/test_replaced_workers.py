"""A running ``portolan api`` replaces its workers when the site configuration changes, and loses no request."""

import os
import signal
import threading
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from portolan.config.project import ROOT
from portolan_dev.ports import free_port

from ..processes import LIMIT_S, wait_until
from ..small_installation import write_live_page
from .test_roles import environment, running, wait_for


def test_the_api_follows_the_registry_and_loses_no_request(tmp_path: Path) -> None:
    """Each request has its own connection. A replaced worker must answer before it ends."""
    site = tmp_path / "var", free_port()
    write_live_page(*site)
    _, port = site
    file, api_port = tmp_path / "sites.toml", free_port()
    good = (ROOT / "sites.toml").read_text(encoding="utf-8")
    file.write_text(good, encoding="utf-8")
    known = environment(site, PORTOLAN_SITES_FILE=str(file), PORTOLAN_TRUSTED_PROXIES="127.0.0.1")
    answers: list[int | str] = []
    ended = threading.Event()

    def language() -> str | None:
        connection = HTTPConnection("127.0.0.1", api_port, timeout=LIMIT_S)
        try:
            connection.connect()
            time.sleep(0.05)  # like a busy client: in between, another worker may get its turn
            connection.request("GET", "/api/nothing", headers={"Host": f"ae.localhost:{port}"})
            response = connection.getresponse()
            response.read()
            answers.append(response.status)
            return response.getheader("Content-Language")
        except (OSError, HTTPException) as error:
            answers.append(repr(error))
            return None
        finally:
            connection.close()

    def keep_asking() -> None:
        while not ended.wait(0.01):
            language()

    def wait_for_language(wanted: str) -> None:
        wait_until(lambda: language() == wanted, language)

    with running("api", "--port", str(api_port), **known) as api:
        wait_for(api_port, "/api/nothing", port, 404)
        wait_for_language("ar-AE")
        threads = [threading.Thread(target=keep_asking) for _ in range(2)]
        for thread in threads:
            thread.start()
        file.write_text(good.replace('language = "ar-AE"', 'language = "ar-OM"'), encoding="utf-8")
        wait_for_language("ar-OM")
        file.write_text("broken = [", encoding="utf-8")
        assert api.stderr
        said = ""
        while "is not valid TOML" not in said:
            line = api.stderr.readline()
            assert line, f"it has ended: {said}"
            said += line
        ended.set()
        for thread in threads:
            thread.join()
        assert set(answers) == {404}, "no request was lost while workers were replaced"
        os.kill(worker_of(api.pid), signal.SIGKILL)  # the next worker uses the current settings too
        wait_for(api_port, "/api/nothing", port, 404)
        wait_for_language("ar-OM")
        assert "The workers are replaced" in said


def worker_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[-1])

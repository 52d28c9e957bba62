"""`python -m drill.base`: the disk on which the product is installed, by the first steps of one-server.md.

Kept as an archive while the wheel and the steps are the same; the rest of the drill needs no network.
"""

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

from .disk import DISKS, DRILL, INSTALLED, run_installing
from .documents import ROOT, Block, read_blocks
from .tools import fetch_tools

# Stop apt from asking questions and from starting services, as on a machine that is being set up.
_QUIETLY: Final = """\
export DEBIAN_FRONTEND=noninteractive APT_CONFIG=/etc/apt/drill.conf
printf 'APT::Get::Assume-Yes "true";\\nAPT::Install-Recommends "false";\\nquiet "2";\\n' > $APT_CONFIG
printf '#!/bin/sh\\nexit 101\\n' > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d
"""


def main() -> None:
    script = _QUIETLY + "".join(_steps_that_fetch())
    fetch_tools()
    (wheel,) = (ROOT / "dist").glob("portolan-*.whl")
    shipped = b"".join(file.read_bytes() for file in sorted((ROOT / "deploy" / "systemd").iterdir()))
    key = hashlib.sha256(script.encode() + wheel.read_bytes() + shipped).hexdigest()[:16]
    archive = DRILL / f"installed-{key}.tar"
    INSTALLED.mkdir()
    if archive.exists():
        subprocess.run(["tar", "-C", INSTALLED, "-xf", archive], check=True)
        return
    run_installing("installing", script)
    (DISKS / "installing" / "upper").rename(INSTALLED)
    for other in DRILL.glob("installed-*.tar"):
        other.unlink()
    subprocess.run(
        ["tar", "-C", INSTALLED, "--exclude=./var/cache", "--exclude=./root", "-cf", archive, "."], check=True
    )


def steps_of_all() -> list[Block]:
    """Which every machine begins with."""
    return [
        read_blocks("one-server.md", "Install")[0],
        read_blocks("many-servers.md", "Install")[0],
        read_blocks("ray.md", "As services")[0],
    ]


def _steps_that_fetch() -> Iterator[str]:
    """Yield the steps of all machines, and the download lines of later steps, which run offline."""
    for step in steps_of_all():
        yield step.text
    for heading in ("The database moves", "Upgrade"):
        for line in read_blocks("many-servers.md", heading)[0].text.splitlines(keepends=True):
            if line.startswith(("apt-get ", "python3 -m venv ")) or "pip install" in line:
                yield line


if __name__ == "__main__":
    sys.exit(main())

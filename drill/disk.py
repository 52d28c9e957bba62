"""Disks: layers over this machine's own, which nothing is ever written to."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import Final

from .documents import ROOT

DRILL: Final = ROOT / "var" / "drill"
DISKS: Final = DRILL / "disks"
INSTALLED: Final = DISKS / "installed"
"""The layer in which one-server.md has been followed as far as one needs a network for it."""
PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""Debian's programs, whatever else this machine has."""

# `/proc`, `/sys` and `/dev` are this machine's. Files in /run and /tmp disappear with the drill's machine. A checkout below
# /run or /tmp is mounted read-only.
_MOUNT: Final = f"""\
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
mount -t proc proc "$2/root/proc"
mount --rbind /sys "$2/root/sys"
mount --rbind /dev "$2/root/dev"
mount -t tmpfs -o mode=755 tmpfs "$2/root/run"
mount -t tmpfs -o mode=1777 tmpfs "$2/root/tmp"
checkout="$2/root"{quote(str(ROOT))}
if [ ! -d "$checkout" ]; then
    mkdir -p "$checkout"
    mount -o bind,ro {quote(str(ROOT))} "$checkout"
fi
"""


def mount_script(name: str, layers: Sequence[Path]) -> list[str]:
    """The beginning of a command that has a disk of this name: `sh -c SCRIPT`, to be completed, and its arguments."""
    folder = DISKS / name
    for part in ("upper", "work", "root"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    return [_MOUNT, ":".join([*map(str, layers), "/"]), str(folder)]


def run_installing(name: str, script: str) -> None:
    """Run a script on a new disk with this machine's network. The changed disk becomes the layer."""
    mount, *values = mount_script(name, [])
    shell = (
        f'exec chroot "$2/root" env -C "$3" PATH={PATH} bash -euc "$4"'  # with what else says where packages come from
    )
    command = ["unshare", "--mount", "--", "sh", "-euc", mount + shell, "sh", *values, str(ROOT), script]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)

"""Helm and Kubernetes' schemas, from packages that only the drill needs; kept below `var/drill`."""

import hashlib
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Final

from .disk import DRILL
from .documents import ROOT

_LOCK: Final = ROOT / "requirements-drill.lock"
_TOOLS: Final = DRILL / "tools"
HELM: Final = _TOOLS / "helm" / "helm"
PACKAGES: Final = _TOOLS / "packages"


def fetch_tools() -> None:
    stamp = _TOOLS / hashlib.sha256(_LOCK.read_bytes()).hexdigest()[:16]
    if stamp.exists():
        return
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--require-hashes", "--no-deps"]
    subprocess.run([*install, "--target", PACKAGES, "-r", _LOCK], check=True)
    (packed,) = PACKAGES.glob("aws_cdk/*/_jsii/*.tgz")
    with tarfile.open(packed) as package:
        layer = package.extractfile("package/lib/layer.zip")
        assert layer
        with zipfile.ZipFile(layer) as programs:
            programs.extract("helm/helm", _TOOLS)
    Path(HELM).chmod(0o755)
    stamp.touch()

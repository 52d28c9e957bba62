"""Install several versions of the product, each in its own environment, as on a server."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from portolan_dev.dataset.version import CONSTRAINTS, read_constraints

from .seeded import ROOT

SITE_PACKAGES: Final = Path("lib") / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
_SKIA: Final = Path("web_dist", "server", "node_modules")
_MIGRATION: Final = """
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("releases", {before!r})]
    operations = [
        migrations.AddField("release", "to_come", models.CharField(max_length=20, db_default="")),
        migrations.AddField("pendingchange", "to_come", models.IntegerField(null=True)),
        migrations.CreateModel("ToCome", fields=[("id", models.BigAutoField(primary_key=True))]),
    ]
"""
ANOTHER_HASH: Final = "e" * 32


def build_wheel(folder: Path) -> None:
    """Build this checkout's wheel with its web build, and write its tested versions next to it, as `make wheel` does."""
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (folder / CONSTRAINTS).write_text(read_constraints(ROOT / "requirements-extras.lock"))


def install_quickly(folder: Path, environment: Path) -> None:
    """The wheel in the folder, as pip would, but with the packages that this checkout has, so that nothing is downloaded."""
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    pip = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps", "--link-mode", "hardlink"]
    subprocess.run([*pip, "--python", environment / "bin" / "python", wheel], check=True)
    shared = Path(sys.prefix) / SITE_PACKAGES
    (environment / SITE_PACKAGES / "of-the-checkout.pth").write_text(f"{shared}\n")


def give_compiled(environment: Path) -> None:
    """Copy the checkout's compiled files of the same packages. Without them, the first command compiles for many seconds.

    Python accepts them because both places have links to the same source files.
    """
    shared = Path(sys.prefix) / SITE_PACKAGES
    for compiled in shared.rglob("__pycache__"):
        place = environment / SITE_PACKAGES / compiled.relative_to(shared)
        if place.parent.is_dir() and not place.exists():
            shutil.copytree(compiled, place)


def give_machine_code(environment: Path) -> None:
    """Restore the platform's machine code, which is removed from stored versions."""
    place = environment / SITE_PACKAGES / "portolan" / _SKIA
    if not place.exists():
        shutil.copytree(ROOT / "web" / "dist" / "server" / "node_modules", place, copy_function=os.link)


def make_version_to_come(environment: Path) -> None:
    """Makes of an installed version the one after it: with a migration as they may be, frozen items of a later format, and
    another web build. So there is something to upgrade even on the day after a version was kept."""
    package = environment / SITE_PACKAGES / "portolan"
    migrations = package / "releases" / "migrations"
    newest = max(file.stem for file in migrations.glob("[0-9]*.py"))
    (migrations / "0999_to_come.py").write_text(_MIGRATION.format(before=newest))
    formats = package / "releases" / "formats.py"
    text = formats.read_text()
    changed = text.replace('    "event": [', '    "office": [lambda office: office],\n    "event": [', 1)
    assert text != changed
    _replace(formats, changed)
    web = package / "web_dist"
    hash = json.loads((web / "web-build.json").read_text())["hash"]
    for file in [*web.glob("*.json"), *web.glob("server/*.json"), *web.glob("client/assets/*.js")]:
        if hash in (known := file.read_text()):
            _replace(file, known.replace(hash, ANOTHER_HASH))


def _replace(file: Path, text: str) -> None:
    """Another file in its place: the one that was there may be the package manager's too, by a hard link."""
    file.unlink()
    file.write_text(text)

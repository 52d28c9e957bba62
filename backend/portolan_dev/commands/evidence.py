"""``portolan evidence``: write docs/evidence/, which lets readers check our claims."""

from collections.abc import Sequence
from pathlib import Path

import click

from portolan.config.project import ROOT

from ..evidence.components import WEB_BUILD, read_components
from ..evidence.files import FOLDER, build_files
from ..evidence.third_party import build_notices


@click.command()
@click.option("--check", is_flag=True, help="Write nothing. Fail if a file is outdated.")
@click.option("--notices", type=click.Path(path_type=Path), help="Only write the texts of licences to this file.")
@click.option(
    "--advisories",
    multiple=True,
    metavar="NAME=FOLDER",
    help="Clone of an advisory database. Repeat for more.",
)
def command(check: bool, notices: Path | None, advisories: Sequence[str]) -> None:
    """Write the evidence of the product to docs/evidence/."""
    if not (ROOT / WEB_BUILD).exists():
        raise click.ClickException(
            f"There is no {WEB_BUILD}, which lists the web's packages. Run `npm run build` in web/."
        )
    if notices:
        notices.write_text(build_notices(read_components(ROOT), ROOT / "web" / "node_modules"), encoding="utf-8")
        return
    folder = ROOT / FOLDER
    files = build_files(ROOT)
    if advisories:
        files["advisories.md"] = _match(advisories)
    stale = [name for name, text in files.items() if not _says(folder / name, text)]
    if check and stale:
        raise click.ClickException(f"{', '.join(stale)} in {FOLDER}/ are outdated. Run `make evidence`.")
    for name in () if check else stale:
        (folder / name).write_text(files[name], encoding="utf-8")
        click.echo(f"{FOLDER}/{name}")


def _says(file: Path, text: str) -> bool:
    return file.exists() and file.read_text(encoding="utf-8") == text


def _match(advisories: Sequence[str]) -> str:
    from ..evidence.advisories import SOURCES, read_snapshot, try_itself
    from ..evidence.advisories_report import build_report

    if wrong := try_itself():
        raise click.ClickException("The matcher's self-test failed: " + "; ".join(wrong))
    snapshots = []
    for given in advisories:
        name, _, folder = given.partition("=")
        if name not in SOURCES or not Path(folder).is_dir():
            raise click.ClickException(f"{given}: write NAME=FOLDER, with the clone of one of {', '.join(SOURCES)}.")
        try:
            snapshots.append(read_snapshot(name, Path(folder)))
        except ValueError as error:
            raise click.ClickException(str(error)) from None
    return build_report(snapshots, read_components(ROOT))

"""``portolan contract``: write contract/, which Python and TypeScript share."""

from collections.abc import Sequence
from pathlib import Path

import click

from portolan.config.project import ROOT
from portolan.config.start_django import start_django


@click.command()
@click.option(
    "--check",
    is_flag=True,
    help="Write nothing. Fail if contract/ is outdated.",
)
@click.option("--folder", type=click.Path(path_type=Path), default=ROOT / "contract", show_default=True)
def command(check: bool, folder: Path) -> None:
    """Write the schemas of the API to contract/."""
    start_django()
    from ..contract.documents import FROZEN, build_files

    try:
        files = {folder / name: text for name, text in build_files().items()}
    except ModuleNotFoundError as error:
        raise click.ClickException(
            f"{error.name} is not installed, which contract/ needs. Install the tests' packages: `make contract`"
        ) from None
    found = {file for file in folder.rglob("*.json") if file.is_file()}
    frozen = {file for file in found if file.is_relative_to(folder / FROZEN)}
    stale = sorted(found - files.keys() - frozen)
    changed = sorted(file for file, text in files.items() if file not in found or file.read_text("utf-8") != text)
    if changed_formats := [file.relative_to(folder) for file in changed if file in frozen]:
        raise click.ClickException(_explain_formats(changed_formats))
    if check:
        if stale or changed:
            names = "\n".join(f"  {file.relative_to(folder)}" for file in (*changed, *stale))
            raise click.ClickException(
                f"contract/ differs from the schemas, so Python and TypeScript would disagree:\n{names}\n"
                "Run `make contract` and commit the files."
            )
        return
    for file in changed:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(files[file], encoding="utf-8")
    for file in stale:
        file.unlink()
    click.echo(f"contract/: {len(files)} files, {len(changed)} written, {len(stale)} removed")


def _explain_formats(names: Sequence[Path]) -> str:
    files = ", ".join(f"contract/{name}" for name in names)
    return (
        f"Stored items differ from the format in {files}. Releases have items of that format, and this code "
        "would misread them. Add a step from that format to the next in backend/portolan/releases/formats.py, then run "
        "`make contract`. If that format was never installed anywhere, delete the file instead."
    )

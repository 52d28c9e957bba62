"""``portolan texts``: collect and compile the studio's translations."""

import click

from portolan.config.start_django import start_django


@click.command()
@click.option("--check", is_flag=True, help="Write nothing. Fail if the catalogues are outdated.")
def command(check: bool) -> None:
    """Collect and compile the translations of the studio."""
    start_django()
    from ..texts import LANGUAGES, as_mo, as_po, find_faults, po_file, renew

    for language in LANGUAGES:
        catalogue = renew(language)
        file = po_file(language)
        wanted = {file: as_po(catalogue), file.with_suffix(".mo"): as_mo(catalogue)}
        changed = [file for file, content in wanted.items() if not file.exists() or file.read_bytes() != content]
        faults = find_faults(catalogue)
        if check and (changed or faults):
            said = "\n".join(f"  {fault}" for fault in faults)
            raise click.ClickException(
                f"The studio's texts in “{language}” differ from the code, so editors would read English:\n{said}\n"
                f"Run `make texts`, translate the missing texts in {file.name}, run it again, and commit the files."
            )
        if not check:
            file.parent.mkdir(parents=True, exist_ok=True)
            for file, content in wanted.items():
                file.write_bytes(content)
        click.echo(f"{language}: {len(catalogue)} texts, {len(faults)} problems")
        for fault in faults:
            click.echo(f"  {fault}")

"""``portolan doctor``: check the installation, and print a fix for each problem."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.markup import escape

from ..config.env import Env, env
from ..domain.health import Role
from ..sites.load import RegistryError
from .examined.finding import Finding, problem
from .failures import explain_failure

Examine = Callable[[], Iterator[Finding]]
ROLES: Final[tuple[Role, ...]] = ("serve", "edge", "api", "studio", "publisher", "delivery")
_MARKS: Final = {"well": "[green]✓[/]", "warning": "[yellow]![/]", "problem": "[red]✗[/]"}


@click.command()
@click.option("--role", type=click.Choice(ROLES), default="serve", show_default=True, help="Role of this machine.")
@click.option("--group", metavar="GROUP", help="With --role publisher: the group that it publishes.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, for `--compare` on another machine.")
@click.option(
    "--compare",
    "others",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="File with another machine's --json. Compares secrets, site configuration and version. Repeat for more.",
)
def command(role: Role, group: str | None, as_json: bool, others: tuple[Path, ...]) -> None:
    """Check this installation and print a fix for each problem.

    \b
    Exit status 0: no problems (there may be warnings).
                1: there are problems.
    """
    if group is not None and role != "publisher":
        raise click.UsageError("--group is for --role publisher.")
    settings = env()
    found = [finding for examine in _examinations(role, settings, group) for finding in _examine(examine)]
    marks: dict[str, str] = {}
    if role != "edge":
        from .examined.marks import compare_marks, make_marks

        with suppress(RegistryError):  # reported by examine_registry
            marks = make_marks(settings)
        found += compare_marks(marks, others)
    if as_json:
        click.echo(json.dumps({"role": role, "findings": [each._asdict() for each in found], "marks": marks}, indent=2))
    else:
        _print(found)
    raise SystemExit(1 if any(each.state == "problem" for each in found) else 0)


def _examinations(role: Role, settings: Env, group: str | None) -> Iterator[Examine]:
    """Yield the checks in order of dependency. An edge only has the first ones."""
    from .examined import machine, stored_files

    yield machine.examine_python
    if role == "edge":
        from .examined import others, previews, roles

        yield lambda: machine.examine_folders(settings, is_written=False)
        yield lambda: others.examine_store(settings)
        if not settings.build_store:
            yield lambda: others.examine_media(settings)
        yield lambda: others.examine_cache(settings)
        yield lambda: roles.examine_roles(settings)
        yield lambda: previews.examine_previews(settings)
        yield lambda: stored_files.examine_damage(settings)
        yield lambda: stored_files.examine_keys(settings)
        yield lambda: roles.examine_running(settings)
        return
    from .examined import installation, others, previews, publishing, roles

    yield lambda: installation.examine_registry(settings)
    yield lambda: machine.examine_variables(settings, os.environ)
    yield lambda: machine.examine_folders(settings, is_written=True)
    if role in ("serve", "publisher", "studio"):
        yield lambda: machine.examine_web_build(settings)
    if role in ("serve", "publisher"):
        yield lambda: others.examine_cluster(settings)
    yield lambda: installation.examine_secrets(settings)
    yield lambda: installation.examine_data(settings)
    if role in ("serve", "publisher", "studio"):
        yield lambda: installation.examine_plugins(settings)
    yield lambda: installation.examine_builds(settings)
    if role in ("serve", "publisher"):
        yield lambda: publishing.examine_groups(settings, group)
        yield lambda: publishing.examine_retention(settings)
    yield lambda: stored_files.examine_damage(settings)
    yield lambda: stored_files.examine_keys(settings)
    yield lambda: others.examine_store(settings)
    yield lambda: others.examine_media(settings)
    if role in ("serve", "delivery"):
        yield lambda: installation.examine_mail(settings)
    yield lambda: others.examine_cache(settings)
    if role in ("serve", "api"):
        yield lambda: installation.examine_antivirus(settings)
    if role in ("serve", "api", "studio", "delivery"):
        yield lambda: installation.examine_sealing(settings)
    if role in ("serve", "api", "studio"):
        yield lambda: installation.examine_proxies(settings)
        yield lambda: previews.examine_previews(settings)
        yield lambda: installation.examine_django(settings)
    if role == "serve":
        yield lambda: roles.examine_running(settings)
    if settings.environment != "local" or others.makes_backups(settings):
        yield lambda: others.examine_backups(settings)


def _examine(examine: Examine) -> Iterator[Finding]:
    """Yield the findings of a check. A check that fails is a finding, and the others still run."""
    try:
        yield from examine()
    except RegistryError:
        return  # reported by examine_registry
    except Exception as error:
        said = explain_failure(error) or f"{type(error).__name__}: {error}"
        yield problem("doctor", f"A check could not run: {said}", "Fix this, then run `portolan doctor` again.")


def _print(found: list[Finding]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    for each in found:
        mend = f" [bold]{escape(each.mend)}[/]" if each.mend else ""
        console.print(f"{_MARKS[each.state]} {each.subject:<10} {escape(each.said)}{mend}")
    problems = sum(each.state == "problem" for each in found)
    console.print(f"\n{problems} problem{'' if problems == 1 else 's'}." if problems else "\nNo problems.")

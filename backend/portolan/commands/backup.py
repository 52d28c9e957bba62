"""``portolan backup``: back up the running installation to a folder or an object store; list and verify backups."""

import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ..backups.catalogue import Backup, find_backup, read_backups
from ..backups.check import check_backup
from ..backups.folders import Folders
from ..backups.keys import NO_KEYS, Keys, make_key, read_keys
from ..backups.last import Last, note_failure, note_last
from ..backups.make import Made, OpenShared, Order, make_backup
from ..backups.problem import BackupError, BackupIsAtWork
from ..backups.target import Target, open_target
from ..config.env import Env, env
from ..config.project import OWN_WEB
from ..config.start_django import start_django
from ..domain.moments import stamp
from ..domain.words import say_count
from .failures import explain_failure

if TYPE_CHECKING:
    from typing import IO

AT_WORK: Final = 4
_VARIABLE: Final = "PORTOLAN_BACKUP_KEY"


@click.command()
@click.argument("target", required=False)
@click.option("--keep", type=click.IntRange(1), metavar="N", help="Keep the N newest backups. Default: all.")
@click.option(
    "--key-file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=f"Encrypt for the keys in this file (age1… or AGE-SECRET-KEY-1…). Default: {_VARIABLE}.",
)
@click.option("--builds", is_flag=True, help="Include the builds. Otherwise a restore renders them again.")
@click.option("--list", "lists", is_flag=True, help="List the backups. Create none.")
@click.option("--verify", "verifies", is_flag=True, help="Compare every byte of a backup. Create none.")
@click.option(
    "--backup", "id", default="", metavar="ID", help="With --verify: the backup to compare. Default: the newest."
)
@click.option("--new-key", type=click.Path(path_type=Path), metavar="FILE", help="Write a new secret key to FILE.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    target: str | None,
    keep: int | None,
    key_file: Path | None,
    builds: bool,
    lists: bool,
    verifies: bool,
    id: str,
    new_key: Path | None,
    as_json: bool,
) -> None:
    """Back up database, media, leads and project to TARGET.

    TARGET is a folder or s3://bucket/prefix. The installation keeps running.

    \b
    Exit status 0: the backup is complete and verified (--verify: every byte matches).
                1: a file is damaged or the backup failed. No earlier backup was removed.
                4: another backup of this installation is running.
    """
    if new_key is not None:
        _write_key(new_key)
        return
    if not target:
        raise click.UsageError("Name the target: `portolan backup /mnt/backups`, or s3://bucket/prefix.")
    settings = env()
    keys = load_keys(settings, key_file)
    try:
        there = open_target(target)
        if lists:
            _list(read_backups(there), as_json)
        elif verifies:
            _verify(there, find_backup(there, id), keys)
        else:
            _make(settings, there, keys, keep or 0, builds, as_json)
    except BackupIsAtWork as error:
        click.echo(f"Error: {error}", err=True)
        raise SystemExit(AT_WORK) from None


def load_keys(settings: Env, file: Path | None) -> Keys:
    """Return the keys in ``file``, else those of PORTOLAN_BACKUP_KEY. Raise BackupError."""
    if file is not None:
        try:
            return read_keys(file.read_text(encoding="utf-8"), str(file))
        except (OSError, UnicodeDecodeError) as error:
            raise BackupError(f"{file} cannot be read ({error}). Nothing was backed up. Is it the key file?") from None
    return read_keys(settings.backup_key, _VARIABLE) if settings.backup_key else NO_KEYS


def folders_of(settings: Env, with_plugins: bool = True) -> Folders:
    """``with_plugins``: include the plugins that the site configuration names."""
    return Folders(
        settings.sites_file,
        settings.var_dir,
        settings.media_dir,
        settings.leads_dir,
        settings.builds_dir,
        settings.var_dir / OWN_WEB,
        settings.database,
        settings.registry.plugins if with_plugins else (),
        settings.media_storage,
    )


def _make(settings: Env, target: Target, keys: Keys, keep: int, builds: bool, as_json: bool) -> None:
    order = Order(
        settings.registry.company.slug, settings.environment, keys, builds, keep, _open_shared_files(settings)
    )
    try:
        made = make_backup(folders_of(settings), target, order)
    except BackupIsAtWork:
        raise
    except Exception as error:
        _note_failure(settings.var_dir, target.url, explain_failure(error) or f"{type(error).__name__}: {error}")
        raise
    note_last(settings.var_dir, Last(made.backup.created, made.backup.id, target.url))
    if as_json:
        click.echo(made.backup.model_dump_json(exclude={"files", "contents"}))
    else:
        _print(made, target)
    if made.damaged:
        said = _say_damaged(made)
        _note_failure(settings.var_dir, target.url, said)
        raise click.ClickException(said)


def _note_failure(var_dir: Path, target: str, why: str) -> None:
    with suppress(OSError):  # the disk may be the cause of the failure
        note_failure(var_dir, target, why)


def _say_damaged(made: Made) -> str:
    count = len(made.damaged)
    files = f"{count} {'file' if count == 1 else 'files'} of leads"
    return (
        f"{files} in {made.damaged[0].rpartition('/')[0]} differ from the received files, because the disk damaged them. "
        f"The first is {made.damaged[0]}. Backup {made.backup.id} has all other files. Earlier backups may have the "
        "undamaged files, so none was removed: `portolan restore` one into an empty folder, and copy the files from there."
    )


def _open_shared_files(settings: Env) -> OpenShared | None:
    if not settings.leads_storage:
        return None
    start_django()
    from ..leads.open_store import open_store

    store = open_store()

    def open_file(name: str) -> "IO[bytes]":
        return store.path(name).open("rb")

    return open_file


def _print(made: Made, target: Target) -> None:
    backup = made.backup
    total = sum(file.size for file in backup.files)
    click.echo(
        f"Backup {backup.id} is in {target.url}: {say_count(len(backup.files), 'file')}, {_megabytes(total)}, "
        f"of which {_megabytes(backup.new_bytes)} are new, in {backup.seconds:.1f} s."
    )
    if made.removed:
        click.echo(f"{say_count(made.removed, 'earlier backup was', 'earlier backups were')} removed.")
    for name in made.vanished[:5]:
        click.echo(f"{name} is not in the backup: it is missing, or was removed during the backup.", err=True)
    if backup.recipients:
        secret = ", including the secret key" if made.with_secret_key else ""
        click.echo(f"Encrypted{secret}. Keep the decryption key elsewhere: without it you cannot restore this backup.")
    else:
        click.echo(
            "NOT encrypted: everyone with access to this target can read the leads, which are personal data. The secret key "
            "of the installation is not in the backup. Create a key: `portolan backup --new-key FILE`",
            err=True,
        )


def _list(backups: list[Backup], as_json: bool) -> None:
    if as_json:
        click.echo(
            json.dumps([each.model_dump(mode="json", exclude={"files", "contents"}, by_alias=True) for each in backups])
        )
        return
    for each in backups:
        size = _megabytes(sum(file.size for file in each.files))
        kind = "encrypted" if each.recipients else "NOT encrypted"
        click.echo(
            f"{each.id}  {stamp(each.created)}  {each.company} ({each.environment})  {each.database}  {size}, {_megabytes(each.new_bytes)} "
            f"new  {kind}  Portolan {each.version}"
        )
    if not backups:
        click.echo("There are no backups yet. Create one: `portolan backup TARGET`")


def _verify(target: Target, backup: Backup, keys: Keys) -> None:
    problems = check_backup(target, backup, keys)
    for problem in problems:
        click.echo(problem)
    if problems:
        raise click.ClickException(
            f"Backup {backup.id} is damaged: {len(problems)} of {say_count(len(backup.files), 'file')}. Create a new backup "
            "now. Until then, use an earlier one (`--list`, `--verify --backup ID`)."
        )
    is_closed = backup.recipients and not keys.identities
    how = ", still encrypted; with the secret key, they would be decrypted too" if is_closed else " and decrypted"
    click.echo(f"Backup {backup.id} is complete: {say_count(len(backup.files), 'file')} compared byte by byte{how}.")


def _write_key(file: Path) -> None:
    identity, recipient = make_key()
    try:
        written = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise click.ClickException(f"{file} exists. A key file is never overwritten. Name another file.") from None
    with os.fdopen(written, "w", encoding="ascii") as out:
        out.write(f"# made {datetime.now(UTC):%Y-%m-%d}\n# public: {recipient}\n{identity}\n")
    click.echo(f"{file} has the secret key, which decrypts backups. Store it away from this machine.")
    click.echo(f"Creating backups only needs the public key: {_VARIABLE}={recipient}")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"

"""``portolan sign``: sign existing builds, for a publisher with a new key. New builds are signed when they are created."""

from pathlib import Path

import click
import orjson

from ..builds.hosts import hosts_file, put_hosts
from ..builds.live import live_file, reswitch
from ..builds.manifest import BuildError, sign_manifest
from ..builds.sealed import number_of, seal
from ..builds.signing import Keys
from ..config.env import env
from ..domain.words import say_count
from ..publisher.lock import publish_lock
from .publishing import open_shared, readable_errors


@click.command()
def command() -> None:
    """Sign every build with the key in PORTOLAN_SIGNING_KEY_FILE.

    Run it on the publisher before you give its public key to edges. First make sure that only the publisher wrote the builds.
    """
    settings = env()
    if not settings.keys.can_sign:
        raise click.ClickException(
            "PORTOLAN_SIGNING_KEY_FILE is not set. Set it to the publisher's private key (PEM). "
            "Create a key: `openssl genpkey -algorithm ed25519 -out FILE`"
        )
    root = settings.builds_dir
    folder = root / "manifests"
    sites = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    signed = left = 0
    done: list[str] = []
    shared = open_shared(settings, settings.keys.believing_all())
    with readable_errors(), publish_lock(root, shared=shared):
        for site in sites:
            for build in sorted(path.stem for path in (folder / site).glob("*.json")):
                try:
                    signed += sign_manifest(root, site, build, settings.keys)
                except BuildError as error:
                    left += 1
                    click.echo(f"Not signed: {error}", err=True)
                    continue
                done.append(f"manifests/{site}/{build}.json")
        _sign_hosts(root, settings.keys)
        if shared and done:
            shared.put_again(done)
        elif live_file(root).exists():
            reswitch(root, None, settings.keys)
    click.echo(f"{say_count(signed, 'build')} signed with the key {settings.keys.names[0]}.")
    if left:
        raise click.ClickException(
            f"The manifests of {say_count(left, 'build')} are damaged and were not signed. No machine accepts these builds. "
            "Render live ones again: `portolan publish --full --keep-going`"
        )


def _sign_hosts(root: Path, keys: Keys) -> None:
    if hosts_file(root).exists():
        known = orjson.loads(hosts_file(root).read_bytes())
        put_hosts(root, seal(known, keys, number_of(known)))

"""``portolan sign``: signs the builds that are kept, when the publisher has got a key, or another one. New builds are signed as
they are made.
"""

import click

from ..builds.manifest import BuildError, sign_manifest
from ..config.env import env
from ..publisher.lock import publish_lock
from .publishing import open_shared, readable_errors


@click.command()
def command() -> None:
    """Sign every kept build with the key of PORTOLAN_SIGNING_KEY_FILE. Run it where the publisher is, before edges are told its
    key. What it signs is what lies there: look first that nobody else has written it.
    """
    settings = env()
    if not settings.keys.can_sign:
        raise click.ClickException(
            "There is nothing to sign with: set PORTOLAN_SIGNING_KEY_FILE to the publisher's private key (PEM); "
            "`openssl genpkey -algorithm ed25519 -out FILE` makes one."
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
        if shared and done:
            shared.put_again(done)
    click.echo(f"{signed} builds signed with the key {settings.keys.names[0]}.")
    if left:
        raise click.ClickException(
            f"The manifests of {left} builds are damaged and were not signed: no machine takes these builds any more. "
            "`portolan publish --full` makes live ones anew."
        )

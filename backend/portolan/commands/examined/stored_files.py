"""What is stored: whether it is whole, and with whose keys it is signed."""

import stat
from collections.abc import Iterator

from ...builds.damage import read_damage
from ...config.env import Env
from .finding import Finding, problem, warning, well


def examine_damage(settings: Env) -> Iterator[Finding]:
    """What the scrub has found, and whether it has looked at all."""
    report = read_damage(settings.builds_dir)
    if report.files:
        first = next(iter(report.files.values()))
        yield problem(
            "scrub",
            f"{len(report.files)} stored files are damaged, the first since {first.since} ({first.place}): {first.what}.",
            "The publisher makes those of live builds anew by itself; `portolan publish --full --keep-going` does it now. Then look at the disk.",
        )
    for said in report.manifests.values():
        yield problem("scrub", said, "Look at the disk; remove that manifest if no site is to go back to it.")
    if report.mended:
        yield warning(
            "scrub",
            f"{report.mended} damaged files and copies were made whole again so far.",
            "Look at the disk's health.",
        )
    if not report.passed:
        yield warning(
            "scrub", "Nobody has looked yet whether all stored files are whole.", "A publisher or follower does it."
        )
    elif not (report.files or report.manifests or report.mended):
        yield well("scrub", f"every stored file was whole at {report.passed[:16]}")


def examine_keys(settings: Env) -> Iterator[Finding]:
    """What builds are signed with."""
    file = settings.signing_key_file
    if file and file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield problem(
            "keys", f"Others than its owner can read {file}, which builds are signed with.", f"`chmod 600 {file}`."
        )
    elif settings.keys.checks:
        yield well("keys", f"builds have to be signed with {' or '.join(settings.keys.names)}")

"""Check stored files: damage and signing keys."""

import stat
from collections.abc import Iterator

from ...builds.damage import read_damage
from ...config.env import Env
from .finding import Finding, problem, warning, well


def examine_damage(settings: Env) -> Iterator[Finding]:
    """Report the findings of the integrity check, or that it has not run yet."""
    report = read_damage(settings.builds_dir)
    if report.files:
        first = next(iter(report.files.values()))
        yield problem(
            "scrub",
            f"{len(report.files)} stored files are damaged, the first since {first.since} ({first.place}): {first.what}.",
            "The publisher renders the files of live builds again. To do it now, run `portolan publish --full --keep-going`. Then check the disk.",
        )
    for said in report.manifests.values():
        yield problem("scrub", said, "Check the disk. If no site needs to go back to this build, remove the manifest.")
    if report.mended:
        yield warning(
            "scrub",
            f"{report.mended} damaged files and copies were repaired.",
            "Check the disk's health.",
        )
    if not report.passed:
        yield warning(
            "scrub", "The integrity check of stored files has not run yet.", "A publisher or follower runs it."
        )
    elif not (report.files or report.manifests or report.mended):
        yield well("scrub", f"all stored files were undamaged at {report.passed[:16]}")


def examine_keys(settings: Env) -> Iterator[Finding]:
    """Check the permissions of the key that signs builds, and list the keys that are accepted."""
    file = settings.signing_key_file
    if file and file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        yield problem("keys", f"Other users can read {file}, the key that signs builds.", f"Run `chmod 600 {file}`.")
    elif settings.keys.checks:
        yield well("keys", f"builds must be signed with {' or '.join(settings.keys.names)}")

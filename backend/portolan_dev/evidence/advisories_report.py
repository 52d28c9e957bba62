"""Write the matcher's report."""

from collections.abc import Sequence

from .advisories import Snapshot, find_hits, read_known
from .components import Component


def build_report(snapshots: Sequence[Snapshot], components: Sequence[Component]) -> str:
    known = read_known()
    lines = [
        "# Advisories",
        "",
        "Written by `make evidence ADVISORIES='NAME=FOLDER …'`, from clones that somebody has fetched. Every locked version is compared with",
        "every advisory of each snapshot. **A snapshot says nothing of what was published after its day**; a release needs a fresh one.",
        "",
        f"The matcher was tried first on {len(known)} weaknesses that are known by themselves, each with a version that has it and one",
        "that does not (`backend/portolan_dev/evidence/known_weaknesses.toml`): all were told apart. None of them is in a lock of ours.",
        "",
        "| Snapshot | Commit | Day | Advisories | About packages of ours | Hits |",
        "|---|---|---|---|---|---|",
    ]
    hits = []
    for snapshot in snapshots:
        about = [each for each in snapshot.weaknesses if any(each.concerns(component) for component in components)]
        found = find_hits(snapshot.weaknesses, components)
        hits += [(snapshot.name, weakness, component) for weakness, component in found]
        lines.append(
            f"| {snapshot.name} | `{snapshot.commit[:12]}` | {snapshot.day} | {len(snapshot.weaknesses)} | {len(about)} | {len(found)} |"
        )
    python = sum(component.ecosystem == "pypi" for component in components)
    lines += ["", f"Compared: {python} packages of Python, {len(components) - python} of the web.", ""]
    if not hits:
        lines.append("No locked version has a weakness that these snapshots know.")
    for name, weakness, component in hits:
        lines.append(f"- **{component.name} {component.version}** ({component.part}): {weakness.id} ({name})")
    return "\n".join(lines) + "\n"

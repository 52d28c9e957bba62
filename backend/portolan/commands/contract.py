"""``portolan contract``: writes contract/openapi.json."""

import json

import click

from ..config.env import ROOT


@click.command()
def command() -> None:
    """Write what Python and TypeScript share to contract/."""
    from ..config.contract import build_contract

    folder = ROOT / "contract"
    folder.mkdir(exist_ok=True)
    document = json.dumps(build_contract(), indent=2, ensure_ascii=False)
    (folder / "openapi.json").write_text(document + "\n", encoding="utf-8")

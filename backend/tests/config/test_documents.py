"""Documents that say what the code knows are held to it."""

import re

from portolan.commands.main import COMMANDS
from portolan.config.env import ROOT, Env


def test_every_setting_is_documented() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    for name, field in Env.model_fields.items():
        variable = field.alias or f"PORTOLAN_{name.upper()}"
        assert f"| `{variable}` |" in text, f"{variable} is missing in docs/configuration.md"


def test_every_command_of_the_readme_exists() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`portolan ([a-z][a-z-]*)", text))
    assert named
    assert named <= set(COMMANDS)


def test_every_decision_is_numbered_once_and_says_its_status() -> None:
    files = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [file.name[:4] for file in files]
    assert numbers == [f"{number:04}" for number in range(1, len(files) + 1)]
    for file in files:
        assert "Status:" in file.read_text(encoding="utf-8"), file.name


def test_every_link_between_documents_leads_somewhere() -> None:
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    for document in documents:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"

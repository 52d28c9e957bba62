"""Documents that repeat facts of the code agree with the code."""

import re
import tomllib
from importlib import import_module
from pkgutil import walk_packages

from portolan import api
from portolan.api.document import build_document
from portolan.api.problems import ProblemKind
from portolan.api.reading.outline import list_codes
from portolan.commands.main import CHECKOUT_COMMANDS, COMMANDS
from portolan.config.checks.packages import EXTRAS
from portolan.config.env import Env
from portolan.config.project import ROOT


def test_every_setting_is_documented() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    for name, field in Env.model_fields.items():
        variable = field.alias or f"PORTOLAN_{name.upper()}"
        assert f"| `{variable}` |" in text, f"{variable} is missing in docs/configuration.md"


def test_every_setting_that_needs_an_extra_names_it() -> None:
    rows = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8").splitlines()
    for name, (_, _, extra) in EXTRAS.items():
        variable = Env.model_fields[name].alias or f"PORTOLAN_{name.upper()}"
        row = next(row for row in rows if row.startswith(f"| `{variable}` |"))
        assert f"extra `{extra}`" in row, variable


def test_every_extra_is_installed_by_pip_in_documents_and_messages() -> None:
    known = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    sources = (ROOT / "backend" / "portolan").rglob("*.py")
    present = [file for file in documents if file.name != "CHANGELOG.md" and "decisions" not in file.parts]
    named = set()
    for file in [*present, *sources]:
        text = file.read_text(encoding="utf-8")
        assert "make extras" not in text, file
        named |= set(re.findall(r"portolan\[([a-z0-9-]+)\]", text))
    assert named
    assert named <= set(known)


def test_every_command_of_the_readme_exists() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`portolan ([a-z][a-z-]*)", text))
    assert named
    assert named <= {*COMMANDS, *CHECKOUT_COMMANDS}


def test_every_decision_is_numbered_once_and_says_its_status() -> None:
    files = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbers = [file.name[:4] for file in files]
    assert numbers == [f"{number:04}" for number in range(1, len(files) + 1)]
    assert files
    for file in files:
        assert "Status:" in file.read_text(encoding="utf-8"), file.name


def test_every_link_between_documents_leads_somewhere() -> None:
    documents = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    links = [
        (document, target)
        for document in documents
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8"))
    ]
    assert links
    assert [f"{document.name} links to {to}" for document, to in links if not (document.parent / to).exists()] == []


def test_every_path_that_where_is_names_exists() -> None:
    text = (ROOT / "docs" / "where-is.md").read_text(encoding="utf-8")
    named = {
        span
        for span in re.findall(r"`([^`]+)`", text)
        if re.fullmatch(r"\.?[\w-]+(/[\w.-]*)+|[\w.-]+\.(toml|py)", span)
    }
    assert len(named) > 100
    places = (ROOT, ROOT / "backend" / "portolan")
    assert [path for path in sorted(named) if not any((place / path).exists() for place in places)] == []


def test_where_is_has_every_section_of_the_specification() -> None:
    documents = ROOT / "docs"
    sections = re.findall(r"^## (\d+)\. ", (documents / "specification.md").read_text(encoding="utf-8"), re.MULTILINE)
    rows = re.findall(r"^\| (\d+) \| ", (documents / "where-is.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sections
    assert set(rows) == set(sections)


def test_the_diagram_of_packages_has_the_order_of_the_import_rules() -> None:
    rules = (ROOT / ".importlinter").read_text(encoding="utf-8").partition("layers =\n")[2].partition("\n\n")[0]
    layers = [set(line.replace("|", " ").split()) for line in rules.splitlines()]
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    diagram = text.partition("%% The packages of the Python code")[2].partition("```")[0]
    boxes = [set(re.split(r",\s*(?:<br/>)?", box)) for box in re.findall(r'\["([^"]+)"\]', diagram)]
    assert layers
    assert set.union(*boxes) == set.union(*layers)
    place = {package: number for number, box in enumerate(boxes) for package in box}
    order = [place[package] for layer in layers for package in sorted(layer)]
    assert order == sorted(order)


def find_codes() -> set[tuple[str, str]]:
    """Return status and code of every problem of the API."""
    modules = [import_module(found.name) for found in walk_packages(api.__path__, f"{api.__name__}.")]
    kinds = [value for module in modules for value in vars(module).values() if isinstance(value, ProblemKind)]
    return {(str(kind.status), kind.code) for kind in kinds}


def test_every_code_of_the_api_is_documented_and_no_other() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| (\d{3}) \| `([a-z-]+)` \|", text, re.MULTILINE)
    assert table == sorted(find_codes())


def test_every_code_of_the_openapi_document_is_one_of_the_apis() -> None:
    listed = {(str(code.status), code.code) for code in list_codes(build_document())}
    assert listed
    assert listed <= find_codes()


def test_every_code_the_edge_answers_with_is_one_of_the_apis() -> None:
    sources = (ROOT / "backend" / "portolan" / "edge").glob("*.py")
    named = {code for file in sources for code in re.findall(r'build_problem\(\s*\d+,\s*"([a-z-]+)"', file.read_text())}
    assert named
    assert named <= {code for _, code in find_codes()}

"""The first lines of each file in fixtures/invalid/ have the expected words of its error."""

import re
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from portolan.sites.load import FORMS, RegistryError, load_registry
from portolan.sites.registry import DeferredScript, DeferredScripts, Registry

ROOT = Path(__file__).resolve().parents[3]
INVALID = sorted((ROOT / "fixtures" / "invalid").glob("*.toml"))
EXPECTED = "# must fail: "


def expected_problems(file: Path) -> list[str]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [line.removeprefix(EXPECTED) for line in lines if line.startswith(EXPECTED)]


def test_the_products_own_registry_is_accepted():
    registry = load_registry(ROOT / "sites.toml")
    assert list(registry.sites) == ["en", "uk", "de", "ae", "az", "kz", "pl", "fr"]
    assert registry.default_site.key == "en"
    assert [site.key for site in registry.alternates_of("de")] == list(registry.sites)
    assert registry.sites["de"].origin("local", 8123) == "http://de.localhost:8123"
    assert registry.studio_origin("production", 8123) == "https://studio.brightmoor.example"


def test_a_site_loads_the_company_s_deferred_scripts_unless_it_has_its_own():
    registry = load_registry(ROOT / "sites.toml")
    german = registry.sites["de"].model_copy(update={"deferred_scripts": []})
    assert [script.name for script in registry.scripts_of(registry.sites["de"])] == ["chat", "captcha", "settings"]
    assert registry.scripts_of(german) == []


def test_a_site_passes_on_what_it_names_and_what_runs_in_a_worker_each_once():
    registry = load_registry(ROOT / "sites.toml")
    assert registry.proxied_addresses(registry.sites["de"]) == []
    tag, more = "https://tags.example/tag.js", "https://tags.example/more.js?id=1"
    script = {"purpose": "necessary", "off_main_thread": True}
    scripts = [
        DeferredScript(name="tag", src=tag, **script),
        DeferredScript(name="own", src="/demo/chat.js", **script),
        DeferredScript(name="direct", src="https://chat.example/widget.js", purpose="necessary"),
    ]
    german = registry.sites["de"].model_copy(
        update={"deferred_scripts": scripts, "third_party_scripts": [more, tag]},
    )
    assert registry.proxied_addresses(german) == [tag, more]


def test_the_deferred_scripts_of_the_demo_are_files_of_its_sites():
    public = ROOT / "public"
    scripts = load_registry(ROOT / "sites.toml").deferred_scripts
    assert scripts
    for script in scripts:
        assert (public / script.src.lstrip("/")).is_file(), script.src


@pytest.mark.parametrize("file", INVALID, ids=lambda file: file.stem)
def test_an_invalid_registry_fails_with_all_its_problems(file):
    expected = expected_problems(file)
    assert expected, f"{file} does not say what it must fail with"
    with pytest.raises(RegistryError) as caught:
        load_registry(file)
    problems = caught.value.problems
    for words in expected:
        assert [problem for problem in problems if words in problem], f"nobody says {words!r} in {problems}"
    assert len(problems) == len(expected)


@pytest.mark.parametrize("file", INVALID, ids=lambda file: file.stem)
def test_each_line_names_the_file_and_says_how_to_fix_it(file):
    with pytest.raises(RegistryError) as caught:
        load_registry(file)
    first, *lines = str(caught.value).splitlines()
    assert first.startswith(f"{file} cannot be used, so nothing can be built or served: ")
    assert len(lines) == len(caught.value.problems)
    for line in lines:
        assert line.startswith(f"  {file.name}: ")
        assert re.search(r"add|remove|correct|name|choose|write|give|use|set|move", line), f"no fix in {line!r}"


def test_leads_of_a_site_go_where_no_sites_are_named_and_where_it_is(tmp_path):
    file = tmp_path / "sites.toml"
    file.write_text(
        (ROOT / "sites.toml").read_text(encoding="utf-8")
        + """
[leads]
sender = "website@brightmoor.example"

[[destinations]]
name = "crm"
kind = "webhook"
url = "https://crm.example:8443/leads"
secret_env = "CRM_SECRET"

[[destinations]]
name = "sales-de"
kind = "email"
sites = ["de"]
to = ["vertrieb@brightmoor.example"]
""",
        encoding="utf-8",
    )
    registry = load_registry(file)
    assert [entry.name for entry in registry.destinations_of("de")] == ["crm", "sales-de"]
    assert [entry.name for entry in registry.destinations_of("en")] == ["crm"]
    assert registry.secret_names == ["CRM_SECRET"]


def test_a_missing_file_says_how_to_get_one(tmp_path):
    with pytest.raises(RegistryError, match="set PORTOLAN_SITES_FILE, or create one"):
        load_registry(tmp_path / "sites.toml")


def test_every_pattern_of_the_registry_has_words_for_people():
    patterns = set(re.findall(r"'pattern': '((?:[^'\\]|\\.)*)'", str(Registry.model_json_schema())))
    assert patterns
    assert {pattern.replace("\\\\", "\\") for pattern in patterns} == set(FORMS)


@pytest.mark.parametrize("where", [{"src": "https://chat.example/a.js"}, {"src": "/a.js", "off_main_thread": True}])
def test_nobody_answers_for_what_others_scripts_do_with_text(where: dict[str, object]) -> None:
    script = {"name": "chat", "purpose": "necessary", "trusted_types": True, **where}
    with pytest.raises(ValidationError, match="cannot have trusted_types"):
        TypeAdapter(DeferredScripts).validate_python([script])

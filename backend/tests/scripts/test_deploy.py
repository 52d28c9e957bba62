"""The files in deploy/ match the product: its commands, options, variables and ports."""

import os
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from portolan.commands.main import main
from portolan.config.env import Env
from portolan.config.project import ROOT

DEPLOY = ROOT / "deploy"
RAY_UNITS = sorted((DEPLOY / "systemd").glob("portolan-ray-*.service"))
UNITS = [unit for unit in sorted((DEPLOY / "systemd").glob("*.service")) if unit not in RAY_UNITS]
ROLE_UNITS = [unit for unit in UNITS if unit.stem not in ("portolan-backup", "portolan-publisher@")]
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "container" / "compose.yaml").read_text())
VALUES: dict[str, Any] = yaml.safe_load((DEPLOY / "helm" / "portolan" / "values.yaml").read_text())
COMMAND = re.compile(r"(PORTOLAN=\S+ )?portolan ")
OTHERS = re.compile(r"AWS_[A-Z_]+")
"""Variables of the store's own tools."""
OURS = [
    name for name, service in COMPOSE["services"].items() if service.get("image", "").startswith("${PORTOLAN_IMAGE")
]


def parse(arguments: list[str]) -> dict[str, Any]:
    """Return the options of a command line of `portolan`. Fail if the command is missing."""
    command: click.Command = main
    context = click.Context(main)
    while isinstance(command, click.Group):
        name, *arguments = arguments
        found = command.get_command(context, name)
        assert found is not None, f"there is no command {name}"
        command = found
    values, left, _ = command.make_parser(click.Context(command)).parse_args(arguments)
    assert left == []
    return values


def settings() -> set[str]:
    return {field.alias or f"PORTOLAN_{name.upper()}" for name, field in Env.model_fields.items()}


def unit_command(unit: Path) -> list[str]:
    found = re.search(r"(?m)^ExecStart=/opt/portolan/bin/portolan (.*)$", unit.read_text())
    assert found, unit
    return shlex.split(found[1])


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_units_start_commands_that_there_are(unit: Path) -> None:
    parse(unit_command(unit))
    assert "User=portolan" in unit.read_text()


def test_a_group_s_publisher_is_started_as_the_shared_one() -> None:
    shared, own = ((DEPLOY / "systemd" / f"portolan-publisher{at}.service").read_text() for at in ("", "@"))
    assert parse(unit_command(DEPLOY / "systemd" / "portolan-publisher@.service"))["group"] == "%i"
    differ = {line.partition("=")[0] for line in set(shared.splitlines()) ^ set(own.splitlines()) if line[0] != "#"}
    assert differ == {"Description", "ExecStart"}
    assert VALUES["publisherGroups"] == []
    roles = (DEPLOY / "helm" / "portolan" / "templates" / "roles.yaml").read_text()
    assert '(list "--group" .)' in roles


def test_the_whole_on_one_machine_keeps_its_socket_and_edges_do_not() -> None:
    """Requests wait for an only server. If there are several, they go to another at once."""
    keep = {"FileDescriptorStoreMax=1"}
    watch = {"NotifyAccess=main", "WatchdogSec=120", "WatchdogSignal=SIGKILL"}
    for unit in ROLE_UNITS:
        lines = set(unit.read_text().splitlines())
        assert "KillMode=mixed" in lines, "a server ends what stands beside it first, and serves meanwhile"
        assert watch <= lines, "a stopped process is killed and started again"
        assert lines & keep == (keep if unit.stem == "portolan" else set())


def test_every_role_has_a_unit_a_container_and_a_pod() -> None:
    roles = {"edge", "api", "studio", "publisher", "delivery"}
    assert {unit.stem.removeprefix("portolan-") for unit in ROLE_UNITS} == roles | {"portolan"}
    assert {*OURS} == {*VALUES["roles"]} == roles


@pytest.mark.parametrize("name", OURS)
def test_containers_start_commands_that_there_are_with_settings_that_there_are(name: str) -> None:
    service = COMPOSE["services"][name]
    parse(service["command"])
    unknown = {key for key in service["environment"] if key not in settings() and not OTHERS.fullmatch(key)}
    assert unknown == set()


def test_no_volume_is_shared_by_roles() -> None:
    mounted = [volume.partition(":")[0] for name in OURS for volume in COMPOSE["services"][name]["volumes"]]
    own = [volume for volume in mounted if not volume.startswith("./")]
    assert sorted(own) == sorted(OURS)
    assert "PORTOLAN_MEDIA_STORAGE" in COMPOSE["services"]["studio"]["environment"]
    chart = "".join(path.read_text() for path in (DEPLOY / "helm").rglob("*.yaml"))
    assert "ReadWriteMany" not in chart
    assert "PORTOLAN_MEDIA_STORAGE" in VALUES["environment"]


@pytest.mark.parametrize("name", VALUES["roles"])
def test_pods_are_asked_how_they_are_on_the_port_that_answers(name: str) -> None:
    role = VALUES["roles"][name]
    options = parse(role["command"])
    port = options.get("port") or str(options["health"]).rpartition(":")[2]
    assert int(port) == role["port"]


def test_pods_of_the_ray_cluster_have_the_ray_that_is_locked_and_no_secret_of_ours() -> None:
    chart = (DEPLOY / "helm" / "portolan" / "templates" / "ray.yaml").read_text()
    roles = (DEPLOY / "helm" / "portolan" / "templates" / "roles.yaml").read_text()
    values = VALUES["ray"]
    assert values["enabled"] is False
    assert f"ray=={values['version']} " in (ROOT / "requirements-extras.lock").read_text()
    assert all(OTHERS.fullmatch(key) for key in (*values["secretKeys"], *values["environment"]))
    assert "secretRef" not in chart
    assert all("{ name: RAY_AUTH_MODE, value: token }" in each for each in (chart, roles))
    used = set(re.findall(r"Values\.ray\.([A-Za-z]+)", chart + roles))
    assert used == set(values)
    assert set(re.findall(r"name: (PORTOLAN_RAY_[A-Z_]+)", roles)) == {
        "PORTOLAN_RAY_ADDRESS",
        "PORTOLAN_RAY_FROM_PAGES",
    }


def test_variables_of_examples_are_settings() -> None:
    text = (DEPLOY / "systemd" / "environment.example").read_text()
    named = set(re.findall(r"(?m)^#?([A-Z][A-Z_]+)=", text)) | set(VALUES["environment"])
    assert named
    assert named <= settings()


def test_the_image_has_everything_that_its_build_copies() -> None:
    text = (DEPLOY / "container" / "Containerfile").read_text()
    extras = re.search(r"whl\)\[([a-z0-9,-]+)\]", text)
    assert extras
    known = re.findall(
        r"(?m)^([a-z0-9-]+) = \[", (ROOT / "pyproject.toml").read_text().partition("optional-dependencies]")[2]
    )
    assert set(extras[1].split(",")) <= set(known)
    assert "--no-compile" not in text  # compiled files cannot be written there later
    assert "!dist" in (ROOT / ".containerignore").read_text().split()
    assert os.access(ROOT / "scripts" / "image.sh", os.R_OK)


def test_nodes_of_a_ray_cluster_have_the_settings_of_their_page_and_no_secret_of_ours() -> None:
    page = (ROOT / "docs" / "deploy" / "ray.md").read_text()
    (block,) = re.findall(r"(?ms)^```ini\n(.*?)^```$", page)
    named = set(re.findall(r"(?m)^#?([A-Z][A-Z_]+)=", block))
    ours = {name for name in named if not OTHERS.fullmatch(name) and not name.startswith("RAY_AUTH_")}
    assert ours == {"PORTOLAN_RAY_ADDRESS"} <= settings()
    assert {unit.stem for unit in RAY_UNITS} == set(re.findall(r"enable --now (portolan-ray-\w+)", page))
    for unit in RAY_UNITS:
        text = unit.read_text()
        assert "EnvironmentFile=/etc/portolan/ray\n" in text
        assert set(re.findall(r"\$\{?([A-Z_]+)", text)) <= named | {"RAY_START_OPTIONS"}


def test_nothing_listens_to_the_world_on_a_machine_with_a_proxy() -> None:
    for unit in UNITS:
        assert "0.0.0.0" not in unit.read_text(), unit


def steps() -> list[str]:
    """Return the commands of the deployment pages, which `make drill` runs."""
    pages = [
        (ROOT / "docs" / "deploy" / f"{name}-{what}.md").read_text()
        for name, what in (("one", "server"), ("many", "servers"))
    ]
    blocks = [block for page in pages for block in re.findall(r"(?ms)^```sh\n(.*?)^```$", page)]
    return [line for block in blocks for line in block.splitlines()]


def test_steps_have_commands_units_and_files_that_there_are() -> None:
    commands = [
        shlex.split(line.partition("portolan ")[2].partition(" || ")[0], comments=True)
        for line in steps()
        if COMMAND.match(line)
    ]
    assert len(commands) > 8
    for command in commands:
        parse(command)
    units = {
        word
        for line in steps()
        if line.startswith("systemctl ")
        for word in line.split()
        if word.startswith("portolan")
    }
    assert units
    assert units <= {unit.stem for unit in UNITS}
    files = {word for line in steps() for word in line.split() if word.startswith("deploy/")}
    assert files
    assert all([*ROOT.glob(file)] for file in files)


def test_settings_of_many_servers_are_settings() -> None:
    (block,) = re.findall(r"(?ms)^```ini\n(.*?)^```$", (ROOT / "docs" / "deploy" / "many-servers.md").read_text())
    named = set(re.findall(r"(?m)^#?([A-Z][A-Z_]+)=", block))
    assert {name for name in named if not OTHERS.fullmatch(name)} <= settings()
    assert {key for key in COMPOSE["services"]["edge"]["environment"] if key.startswith("PORTOLAN_")} <= named, (
        "as in containers"
    )


def test_previews_have_one_host_in_all_examples() -> None:
    host = "acme-preview.example"
    assert f"#PORTOLAN_PREVIEW_HOST={host}\n" in (DEPLOY / "systemd" / "environment.example").read_text()
    assert COMPOSE["services"]["edge"]["environment"]["PORTOLAN_PREVIEW_HOST"] == "${PORTOLAN_PREVIEW_HOST:-}"
    assert VALUES["previews"] == {"host": "", "tlsSecret": "portolan-preview-tls"}
    assert (DEPLOY / "proxy" / "nginx.conf").read_text().count(f" .{host};") == 2, "by TLS, and led there"
    for page in ("docs/howto/preview-and-share.md", "docs/deploy/containers.md", "docs/deploy/many-servers.md"):
        assert host in (ROOT / page).read_text()


def test_a_second_edge_is_written_into_what_the_proxy_has() -> None:
    text = (DEPLOY / "proxy" / "nginx.conf").read_text()
    changes = [shlex.split(line)[2].split("|")[1:3] for line in steps() if line.startswith("sed ")]
    assert len(changes) == 2
    for before, after in changes:
        assert text.count(before) == 1
        text = text.replace(before, after)
    assert text.count("\tserver 10.0.0.12:8000 max_fails=1") == 1
    assert text.count("proxy_read_timeout 3s;") == 1


def test_what_a_timer_starts_is_there() -> None:
    timers = {timer.stem for timer in (DEPLOY / "systemd").glob("*.timer")}
    assert timers
    assert timers <= {unit.stem for unit in UNITS}


def test_every_example_of_nginx_with_tls_names_protocols_and_ciphers() -> None:
    texts = [*(ROOT / "deploy").rglob("*"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    examples = [text for text in texts if text.is_file() and "ssl_certificate_key" in text.read_text("utf-8", "ignore")]
    assert {example.name for example in examples} == {"nginx.conf", "static-host.md"}
    tls = {tuple(sorted(set(re.findall(r"ssl_(?:protocols|ciphers)\s+[^;]+", each.read_text())))) for each in examples}
    ((ciphers, protocols),) = tls
    assert protocols == "ssl_protocols TLSv1.2 TLSv1.3"
    assert all(
        re.fullmatch(r"ECDHE-(RSA|ECDSA)-(AES\d+-GCM-SHA\d+|CHACHA20-POLY1305)", each)
        for each in ciphers.split()[1].split(":")
    )

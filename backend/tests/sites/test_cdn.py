"""Which site has which CDN."""

from pathlib import Path
from typing import Any

import pytest

from portolan.sites.load import RegistryError, read_registry

REGISTRY = Path(__file__).parents[3] / "sites.toml"
HTTP = 'kind = "http"\nurls = ["http://127.0.0.1:6081"]\ncountry = "cdn"'


def read(tmp_path: Path, *cdns: str) -> Any:
    file = tmp_path / "sites.toml"
    file.write_text(REGISTRY.read_text() + "".join(f"\n[[cdns]]\n{cdn}\n" for cdn in cdns))
    return read_registry(file)


def test_one_stands_before_the_sites_and_in_the_environments_it_names(tmp_path: Path) -> None:
    registry = read(
        tmp_path,
        f'name = "north"\nsites = ["de", "pl"]\nenvironments = ["staging", "production"]\n{HTTP}',
        'name = "rest"\nsites = ["en"]\nkind = "fastly"\nservice = "SU1Z0isxPaozGVKXdv0eY"\nsecret_env = "FASTLY_TOKEN"\ncountry = "cdn"',
    )
    expected = {
        ("de", "staging"): "north",
        ("en", "staging"): None,
        ("en", "production"): "rest",
        ("fr", "local"): None,
    }
    for (site, environment), name in expected.items():
        cdn = registry.cdn_of(site, environment)
        assert (cdn.name if cdn else None) == name
    assert registry.secret_names == ["FASTLY_TOKEN"]


@pytest.mark.parametrize(
    ("cdns", "problem"),
    [
        ([f'name = "a"\n{HTTP}', f'name = "b"\nsites = ["de"]\n{HTTP}'], "de is already behind 'a' in production"),
        ([f'name = "a"\nsites = ["de"]\n{HTTP}', f'name = "a"\nsites = ["fr"]\n{HTTP}'], "give each CDN its own name"),
        ([f'name = "a"\nsites = ["xx"]\n{HTTP}'], "no site 'xx'"),
        (['name = "a"\nkind = "http"\nurls = ["http://127.0.0.1:6081"]'], "country: is missing"),
        (
            ['name = "a"\nkind = "http"\nurls = ["http://h/path"]\ncountry = "cdn"'],
            "the URL at which a cache accepts purges",
        ),
        (['name = "a"\nkind = "cloudflare"\nzone = "1"\nsecret_env = "T_T"\ncountry = "cdn"'], "as Cloudflare shows"),
    ],
)
def test_what_does_not_fit_is_said_with_its_fix(tmp_path: Path, cdns: list[str], problem: str) -> None:
    with pytest.raises(RegistryError) as raised:
        read(tmp_path, *cdns)
    assert problem in str(raised.value)

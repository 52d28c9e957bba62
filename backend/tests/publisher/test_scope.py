"""Which sites a publisher has, and who waits for whom."""

from pathlib import Path

import pytest

from portolan.publisher.lock import prune_lock, publish_lock, publishes_here
from portolan.publisher.problem import UsageError
from portolan.publisher.scope import Scope
from portolan.sites.groups import Group
from portolan.sites.registry import Registry


@pytest.fixture
def grouped(registry: Registry) -> Registry:
    groups = {"brand": Group(publisher="own"), "outlets": Group(alternates=False)}
    sites = dict(registry.sites)
    for key, group in (("ae", "brand"), ("sister", "brand"), ("boston", "outlets")):
        site = sites.get(key) or sites["en"].model_copy(update={"key": key})
        sites[key] = site.model_copy(update={"group": group})
    return registry.model_copy(update={"groups": groups, "sites": sites})


def test_every_site_is_one_publisher_s(grouped: Registry) -> None:
    shared, own = Scope.shared(grouped), Scope.own(grouped, "brand")
    assert shared == ("", ("", "outlets"), {"en", "de", "boston"}, False)
    assert own == ("brand", ("brand",), {"ae", "sister"}, False)
    assert (shared.is_shared, own.is_shared) == (True, False)
    assert shared.sites | own.sites == Scope.whole(grouped).sites == grouped.sites.keys()
    assert Scope.whole(grouped).is_whole


@pytest.mark.parametrize(
    ("sites", "groups"),
    [
        (["de"], ("",)),
        (["ae"], ("brand",)),
        (["ae", "boston"], ("brand", "outlets")),
        ([], ("", "brand", "outlets")),
        (["nowhere"], ("", "brand", "outlets")),
    ],
)
def test_what_is_done_with_some_sites_concerns_their_groups(
    grouped: Registry, sites: list[str], groups: tuple[str, ...]
) -> None:
    assert Scope.around(grouped, sites).groups == groups


def test_without_groups_a_publisher_has_everything(registry: Registry) -> None:
    assert Scope.shared(registry) == Scope.whole(registry) == ("", ("",), {"en", "de", "ae"}, True)


@pytest.mark.parametrize("group", ["outlets", "nowhere", ""])
def test_a_group_without_a_publisher_of_its_own_has_none(grouped: Registry, group: str) -> None:
    with pytest.raises(UsageError, match=r"has no publisher of its own, .* Groups with one: brand\."):
        Scope.own(grouped, group)


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ([""], ["brand"], True),
        (["brand"], ["outlets", ""], True),
        (["brand"], ["brand"], False),
        (["", "outlets"], ["outlets"], False),
        (["brand"], None, False),
        (None, ["brand"], False),
        (None, ["never-seen"], False),
        (None, None, False),
    ],
)
def test_publishers_of_other_groups_work_beside_each_other(
    tmp_path: Path, first: list[str] | None, second: list[str] | None, together: bool
) -> None:
    with publish_lock(tmp_path, groups=["brand"]):
        pass
    said: list[str] = []
    with publish_lock(tmp_path, groups=first):
        if together:
            with publish_lock(tmp_path, wait=False, groups=second):
                pass
            return
        with (
            pytest.raises(UsageError, match="is at work"),
            publish_lock(tmp_path, on_wait=lambda: said.append("waits"), groups=second, longest_s=0.2),
        ):
            pass
        assert said == ["waits"]
        with pytest.raises(UsageError, match="is at work"), publish_lock(tmp_path, wait=False, groups=second):
            pass


def test_who_waits_says_for_whom(tmp_path: Path) -> None:
    with (
        publish_lock(tmp_path, groups=["brand"]),
        pytest.raises(UsageError, match="Another publisher of group brand is at work"),
        publish_lock(tmp_path, wait=False),
    ):
        pass


def test_one_prunes_beside_those_that_publish(tmp_path: Path) -> None:
    with publish_lock(tmp_path, groups=["brand"]), prune_lock(tmp_path):
        assert publishes_here(tmp_path)
        with pytest.raises(UsageError), prune_lock(tmp_path):
            pass
    with prune_lock(tmp_path):
        pass

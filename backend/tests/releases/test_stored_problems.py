"""Problems that an earlier version stored in words stay readable. The next release finds them again."""

from importlib import import_module

import pytest
from django.apps import apps

from portolan.domain.problem_texts import say
from portolan.domain.problems import DeadLink, Problem, Reported, Subject, pack_all
from portolan.releases.connection import connected_reader
from portolan.releases.models import PendingChange

migration = import_module("portolan.releases.migrations.0005_problems_are_data")

pytestmark = pytest.mark.django_db
WEB = Subject("de", "page", "web", "Web", "/web")


def test_words_of_an_earlier_version_are_kept_and_data_is_left_alone():
    data = pack_all([Problem(WEB, DeadLink("/x"))])
    for key, problem in (("a", "“A” (/a, de): is empty. Fill it in."), ("b", data), ("c", "")):
        PendingChange.objects.create(site="de", kind="page", key=key, problem=problem)
    for _ in range(2):
        migration.keep_what_was_said(apps, None)
        said, stored = (change.problem for change in connected_reader().blocked_changes())
        assert said == Problem(Subject("de", "page", "a"), Reported("“A” (/a, de): is empty. Fill it in."))
        assert stored == Problem(WEB, DeadLink("/x"))
    migration.say_again(apps, None)
    assert list(PendingChange.objects.order_by("pk").values_list("problem", flat=True)) == [
        "“A” (/a, de): is empty. Fill it in.",
        say(Problem(WEB, DeadLink("/x"))),
        "",
    ]

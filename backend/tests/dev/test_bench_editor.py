"""The steps of ``portolan bench-editor``. Only a real run shows whether the studio allows them."""

from portolan_dev.bench.editor_tasks import TASKS


def test_there_are_twenty_tasks_each_with_a_name_of_its_own() -> None:
    assert len({task.name for task in TASKS}) == len(TASKS) == 20

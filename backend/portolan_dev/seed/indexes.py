"""The studio's search and usage counts, brought up to date for many saves at once: done after each, they are half the cost."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.apps import apps
from django_tasks import task_backends
from django_tasks.backends.dummy import DummyBackend
from django_tasks.backends.immediate import ImmediateBackend
from modelcluster.fields import ParentalKey
from modelsearch.backends import get_search_backends
from modelsearch.tasks import insert_or_update_object_task
from wagtail.models import ReferenceIndex
from wagtail.tasks import update_reference_index_task

from portolan.content.page_rows import chunks

_BACKEND: Final = "default"
_IdsByModel = dict[Any, set[int]]


@contextmanager
def indexed_at_the_end() -> Iterator[None]:
    """Inside, Wagtail's tasks wait; when the block ends, all that was saved is indexed, each thing once."""
    usual = task_backends[_BACKEND]
    if not isinstance(usual, ImmediateBackend):  # somebody else's work, which no save waits for
        yield
        return
    waiting = DummyBackend(_BACKEND, {})
    task_backends[_BACKEND] = waiting
    try:
        yield
    finally:
        task_backends[_BACKEND] = usual
    _run(waiting.results, usual)


def _run(results: list[Any], usual: ImmediateBackend) -> None:
    searched: _IdsByModel = {}
    referring: _IdsByModel = {}
    for result in results:
        if result.task.func is insert_or_update_object_task.func:
            _note(searched, *result.args)
        elif result.task.func is update_reference_index_task.func:
            _note(referring, *result.args)
        else:
            usual.enqueue(result.task, result.args, result.kwargs)
    for model, ids in searched.items():
        for some in chunks(sorted(ids)):
            objects = list(model.get_indexed_objects().filter(pk__in=some))
            for backend in get_search_backends(with_auto_update=True):
                backend.add_bulk(model, objects)
    for model, ids in _by_owner(referring).items():
        for some in chunks(sorted(ids)):
            for found in model._default_manager.filter(pk__in=some):
                ReferenceIndex.create_or_update_for_object(found)


def _note(ids: _IdsByModel, app: str, name: str, pk: str) -> None:
    ids.setdefault(apps.get_model(app, name), set()).add(int(pk))


def _by_owner(given: _IdsByModel) -> _IdsByModel:
    """Rows that belong to another object count as that one, as far as Wagtail counts it at all."""
    owners: _IdsByModel = {}
    for model, ids in given.items():
        while parental := next((field for field in model._meta.fields if isinstance(field, ParentalKey)), None):
            ids = {
                pk
                for some in chunks(sorted(ids))
                for (pk,) in model._default_manager.filter(pk__in=some).values_list(parental.attname)
            }
            model = parental.related_model
        if ReferenceIndex.is_indexed(model):
            owners.setdefault(model, set()).update(ids)
    return owners

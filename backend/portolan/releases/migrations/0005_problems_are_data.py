"""Convert problems stored as sentences to data. They keep only their sentence until the next release."""

from django.db import migrations

from portolan.domain.problem_texts import say
from portolan.domain.problems import pack_all, unpack_all


def keep_what_was_said(apps, schema_editor):
    pending = apps.get_model("releases", "PendingChange")
    for change in pending.objects.exclude(problem=""):
        problems = unpack_all(change.problem, (change.site, change.kind, change.key))
        pending.objects.filter(pk=change.pk).update(problem=pack_all(problems))


def say_again(apps, schema_editor):
    pending = apps.get_model("releases", "PendingChange")
    for change in pending.objects.exclude(problem=""):
        problems = unpack_all(change.problem, (change.site, change.kind, change.key))
        pending.objects.filter(pk=change.pk).update(problem="\n".join(map(say, problems)))


class Migration(migrations.Migration):
    dependencies = [("releases", "0004_index_of_releases")]

    operations = [migrations.RunPython(keep_what_was_said, say_again)]

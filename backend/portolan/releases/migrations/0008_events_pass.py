"""Store the future moments of all events, so that they pass by themselves."""

from django.db import migrations
from django.utils import timezone


def look_at_events(apps, schema_editor):
    moments = apps.get_model("releases", "Moment")
    keys = apps.get_model("content", "EventPage").objects.values_list("translation_key", flat=True).distinct()
    now = timezone.now()
    moments.objects.bulk_create(moments(at=now, kind="event", key=str(key)) for key in keys)


class Migration(migrations.Migration):
    dependencies = [("releases", "0007_moments"), ("content", "0012_when_entries_are_shown")]

    operations = [migrations.RunPython(look_at_events, migrations.RunPython.noop, elidable=True)]

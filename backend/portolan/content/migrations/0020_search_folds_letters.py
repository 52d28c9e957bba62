"""Change no table: `portolan upgrade` rebuilds the search index after any migration, with folded texts."""

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("content", "0019_picture_losses_and_descriptions")]
    operations: ClassVar = []

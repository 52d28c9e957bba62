"""Change no table: `portolan upgrade` writes the search index again after any migration, and the index is folded now."""

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("content", "0019_picture_losses_and_descriptions")]
    operations: ClassVar = []

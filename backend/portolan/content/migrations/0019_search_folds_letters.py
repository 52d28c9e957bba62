"""Change no table: `portolan upgrade` writes the search index again after any migration, and the index is folded now."""

from typing import ClassVar

from django.db import migrations


class Migration(migrations.Migration):
    dependencies: ClassVar = [("content", "0018_rate_cards_in_the_plural")]
    operations: ClassVar = []

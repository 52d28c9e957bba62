"""An index finds the pages below a page, on both databases."""

import pytest
from django.core.management.sql import emit_post_migrate_signal
from django.db import connection
from wagtail.models import Page


@pytest.mark.postgres
@pytest.mark.django_db
def test_what_lies_below_a_path_is_found_by_an_index_also_once_a_migration_has_made_the_table_anew() -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT indexdef FROM pg_indexes WHERE tablename = 'wagtailcore_page'")
            assert any("(path varchar_pattern_ops)" in row[0] for row in cursor.fetchall())
            return
        below = Page.objects.filter(path__startswith="00010002")
        assert "portolan_page_path" in below.explain()
        cursor.execute("DROP INDEX portolan_page_path")
        assert "portolan_page_path" not in below.explain()
        emit_post_migrate_signal(verbosity=0, interactive=False, db="default")
        assert "portolan_page_path" in below.explain()

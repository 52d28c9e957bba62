from django.apps import AppConfig


class StudioConfig(AppConfig):
    name = "portolan.studio"
    label = "studio"
    verbose_name = "Studio"

    def ready(self) -> None:
        from ..releases.filling import fill_after_migrations
        from . import (
            bad_requests,
            block_pictures,
            blocked,
            content_policy,
            inheritance,
            line_breaks,
            one_change,
            own_language,
            packed_blocks,
            preview,
            publishing_in_form,
            report_rights,
            spreadsheets,
            time_zones,
            wagtail_texts,
        )
        from .checks import form as checked_form
        from .checks import row_form as checked_row_form
        from .local_versions.fill import fill_local_versions
        from .merging import editing
        from .on_page import places

        wagtail_texts.connect()
        bad_requests.connect()
        content_policy.connect()
        one_change.connect()
        inheritance.connect()
        report_rights.connect()
        preview.connect()
        blocked.connect()
        spreadsheets.connect()
        line_breaks.connect()
        time_zones.connect()
        own_language.connect()
        checked_form.connect()
        checked_row_form.connect()
        editing.connect()
        publishing_in_form.connect()
        places.connect()
        packed_blocks.connect()
        block_pictures.connect()
        fill_after_migrations(self, fill_local_versions)

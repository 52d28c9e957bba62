from django.apps import AppConfig


class ContentConfig(AppConfig):
    name = "portolan.content"
    label = "content"
    verbose_name = "Content"

    def ready(self) -> None:
        from wagtail.permissions import register_permission_policy

        from . import going_live, in_order, local_versions, new_pages, page_places, pictures, tree_index, trimmed
        from .collections import COLLECTIONS
        from .derived_labels import translate_derived_labels
        from .entry_rights import EntryPolicy
        from .redirects import Redirect

        page_places.connect()
        going_live.connect()
        in_order.connect()
        local_versions.connect()
        pictures.connect()
        new_pages.connect()
        tree_index.connect(self)
        trimmed.connect()
        translate_derived_labels()
        for model in (*COLLECTIONS.values(), Redirect):  # before any code requests a policy
            register_permission_policy(model, EntryPolicy(model))

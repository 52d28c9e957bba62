from wagtail.users.apps import WagtailUsersAppConfig


class PeopleConfig(WagtailUsersAppConfig):
    """Wagtail's app for users, with our screens."""

    user_viewset = "portolan.studio.people.viewset.PeopleViewSet"

    def ready(self) -> None:
        from django.contrib.auth.models import Group, User
        from wagtail.permissions import register_permission_policy

        from .looking_after import PeoplePolicy

        register_permission_policy(User, PeoplePolicy(User))
        register_permission_policy(Group)

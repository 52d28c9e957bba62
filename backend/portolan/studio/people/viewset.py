"""*Settings → Users*: Wagtail's screens with roles and invitations."""

from typing import Any, Final

from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail.admin import messages
from wagtail.admin.ui.tables import Column
from wagtail.users.views.users import (
    CreateView,
    DeleteView,
    EditView,
    GroupFilter,
    HistoryView,
    IndexView,
    UserFilterSet,
    UserViewSet,
)

from ...accounts.addresses import forget_pending
from ...content.in_order import NamesInOrder
from ...domain.roles import TEXTS
from ...rights.models import RoleGroup
from ..authors import name_of
from ..signing_in.steps import is_fresh
from .forms import InviteForm, PersonForm
from .giving import say_where
from .invitations import DAYS, invite
from .letters import tell_owner
from .looking_after import list_people, may_look_after

_SIGNS_IN_BY: Final = {"email", "username", "password1"}


class _RolesField(GroupFilter.field_class):
    def label_from_instance(self, group: Group) -> str:
        return _say_role(group)


class _PeopleFilters(UserFilterSet):
    """Show roles by their translated names. The names of their groups are English."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        groups: Any = self.filters["group"]
        groups.field_class, groups.label = _RolesField, gettext("Roles")
        groups.extra["queryset"] = Group.objects.select_related("site_role").order_by("pk")


class PeopleView(NamesInOrder, IndexView):
    @property
    def columns(self) -> list[Any]:
        found = [column for column in super().columns if column.name != "is_superuser"]
        return [*found[:3], Column("roles", label=gettext("Roles"), accessor=_say_roles), *found[3:]]

    def get_base_queryset(self) -> QuerySet[User]:
        return (
            list_people(self.request.user).select_related("wagtail_userprofile").prefetch_related("groups__site_role")
        )

    def get_edit_url(self, instance: User) -> str | None:
        url: str | None = super().get_edit_url(instance)
        return url


class InviteView(CreateView):
    page_title = _("Invite a person")

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "for_user": self.request.user}

    def form_valid(self, form: InviteForm) -> HttpResponse:
        super().form_valid(form)
        return show_invitation(self.request, self.object)


class PersonView(EditView):
    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        self.may_look_after = may_look_after(request.user, self.object)

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not self.may_look_after:
            raise PermissionDenied
        response: HttpResponse = super().dispatch(request, *args, **kwargs)
        return response

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "for_user": self.request.user}

    def form_valid(self, form: PersonForm) -> HttpResponse:
        if _SIGNS_IN_BY.intersection(form.changed_data) and not is_fresh(self.request):
            return self._confirm_first(form)
        response: HttpResponse = super().form_valid(form)
        if "email" in form.changed_data:
            forget_pending(self.object)
            if old := form.initial.get("email"):
                tell_owner(self.object, _("An administrator changed the e-mail address of your account."), to=old)
        if "password1" in form.changed_data:
            tell_owner(self.object, _("An administrator changed the password of your account."))
        return response

    def _confirm_first(self, form: PersonForm) -> HttpResponse:
        """Return the form again with the submitted values."""
        button = messages.button(reverse("studio_confirm"), gettext("Confirm your identity"), new_window=True)
        text = gettext(
            "Not saved yet, because this changes how the person signs in. Confirm your identity, then save again here."
        )
        messages.error(self.request, text, buttons=[button])
        self.form = form
        response: HttpResponse = self.render_to_response(self.get_context_data(form=form))
        return response


class RemoveView(DeleteView):
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_look_after(request.user, self.get_object()):
            raise PermissionDenied
        response: HttpResponse = super().dispatch(request, *args, **kwargs)
        return response


class PersonHistoryView(HistoryView):
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may_look_after(request.user, self.object):
            raise PermissionDenied
        response: HttpResponse = super().dispatch(request, *args, **kwargs)
        return response


class PeopleViewSet(UserViewSet):
    filterset_class = _PeopleFilters
    index_view_class = PeopleView
    add_view_class = InviteView
    edit_view_class = PersonView
    delete_view_class = RemoveView
    copy_view_enabled = False
    history_view_class = PersonHistoryView
    template_prefix = "studio/people/"

    def get_form_class(self, for_update: bool = False) -> type[Any]:
        return PersonForm if for_update else InviteForm


def show_invitation(request: HttpRequest, person: User) -> HttpResponse:
    """Invite the person and show the link once. It is not stored."""
    assert isinstance(request.user, User)
    found = invite(person, name_of(request.user))
    context = {"person": person, "name": name_of(person), "invitation": found, "days": DAYS}
    reply = TemplateResponse(request, "studio/people/invited.html", context)
    reply["Cache-Control"] = "no-store"
    return reply


def _say_roles(person: User) -> str:
    if person.is_superuser:
        return gettext("Superuser")
    return ", ".join(sorted(map(_say_role, person.groups.all()))) or gettext("None")


def _say_role(group: Group) -> str:
    """Return the translated role, or the name of a group that is not a role."""
    row: RoleGroup | None = getattr(group, "site_role", None)
    if row is None:
        return group.name
    return f"{gettext(TEXTS[row.held.role].name)} ({say_where(row.held)})"

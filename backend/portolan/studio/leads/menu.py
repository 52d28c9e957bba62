"""The inbox's item in the studio's menu, with the number of open leads."""

from typing import Any

from django.http import HttpRequest
from django.urls import URLPattern, path, reverse_lazy
from django.utils.translation import gettext, gettext_lazy
from wagtail.admin.menu import MenuItem

from ...leads.models import Lead
from . import rights
from .decisions import decide
from .detail import download_file, show_lead
from .erasing import erase_person
from .find import count_states
from .listing import export_list, show_list
from .words import add_note, send_answer


class LeadsItem(MenuItem):
    def __init__(self) -> None:
        super().__init__(gettext_lazy("Leads"), reverse_lazy("studio_leads"), name="leads", icon_name="mail", order=150)

    def is_shown(self, request: HttpRequest) -> bool:
        return rights.may(request, rights.VIEW)

    def render_component(self, request: HttpRequest) -> Any:
        component = super().render_component(request)  # new for each request, unlike the menu item
        if count := count_states(rights.leads_of(request, rights.VIEW)).get(Lead.State.OPEN, 0):
            component.label = gettext("Leads ({count})").format(count=count)
        return component


URLS: list[URLPattern] = [
    path("leads/", show_list, name="studio_leads"),
    path("leads/decide/", decide, name="studio_leads_decide"),
    path("leads/export/", export_list, name="studio_leads_export"),
    path("leads/erase/", erase_person, name="studio_leads_erase"),
    path("leads/<uuid:lead_id>/", show_lead, name="studio_lead"),
    path("leads/<uuid:lead_id>/files/<int:position>/", download_file, name="studio_lead_file"),
    path("leads/<uuid:lead_id>/note/", add_note, name="studio_lead_note"),
    path("leads/<uuid:lead_id>/answer/", send_answer, name="studio_lead_answer"),
]

"""The routes of the API, one line per noun."""

from typing import Any

import orjson
from django.http import HttpRequest
from ninja import NinjaAPI
from ninja.renderers import BaseRenderer

from .. import __version__
from .content import certificates, cvs, events, filter, insights, news, offices, phones, projects, redirects, reviews
from .integration import articles, email_validation, form_data
from .problems import register_problems


class JsonRenderer(BaseRenderer):
    """Write letters unescaped, because escaped Arabic is three times as long."""

    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> bytes:
        return orjson.dumps(data)


api = NinjaAPI(
    title="Portolan content API",
    version=__version__,
    urls_namespace="api",
    docs_url=None,
    openapi_url=None,
    renderer=JsonRenderer(),
)
register_problems(api)
api.add_router("content/certificates", certificates.router)
api.add_router("content/cvs", cvs.router)
api.add_router("content/events", events.router)
api.add_router("content/filter", filter.router)
api.add_router("content", insights.router)
api.add_router("content/news", news.router)
api.add_router("content/offices", offices.router)
api.add_router("content/phones", phones.router)
api.add_router("content/projects", projects.router)
api.add_router("content/redirects", redirects.router)
api.add_router("content/reviews", reviews.router)
api.add_router("integration/articles", articles.router)
api.add_router("integration/form-data", form_data.router)
api.add_router("integration/validation/email", email_validation.router)

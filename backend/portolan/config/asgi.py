"""Django as an ASGI application, to be put behind the edge."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portolan.config.settings")

application = get_asgi_application()

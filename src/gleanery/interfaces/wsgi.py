"""WSGI application of the web server."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "gleanery.settings")
application = get_wsgi_application()

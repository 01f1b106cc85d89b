"""Every address of the web server; interfaces/permissions.py says who may use which."""

from django.contrib import admin
from django.urls import path
from django.views.generic import RedirectView

from gleanery.interfaces import login, operations
from gleanery.interfaces.api.root import api
from gleanery.interfaces.public import views as public

# Here, where the pages are needed, and not when Django starts: no command waits for what only the console shows.
admin.autodiscover()

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="admin:index"), name="home"),
    path("submit/", public.submit, name="submit"),
    path("submit/<str:token>/", public.follow, name="submission"),
    path("admin/", admin.site.urls),
    path("api/v1/", api.urls),
    path("login/<str:token>", login.by_link, name="login-link"),
    path("healthz", operations.healthz),
    path("readyz", operations.readyz),
    path("metrics", operations.metrics),
]
handler404 = "gleanery.interfaces.lost.not_found"

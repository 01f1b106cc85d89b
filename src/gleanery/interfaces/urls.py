"""All addresses of the web server; interfaces/permissions.py lists who may use them."""

from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path
from django.views.generic import RedirectView

from gleanery.interfaces import login, operations
from gleanery.interfaces.api.root import api
from gleanery.interfaces.public import (
    browse,
    downloads,
    feeds,
    follow,
    language,
    pages,
    records,
    reporting,
    robots,
    rpde,
)
from gleanery.interfaces.public import views as public

# Here instead of at start-up, so that commands do not load the pages of the console.
admin.autodiscover()

urlpatterns = [
    path("", browse.home, name="home"),
    path("search", browse.search, name="search"),
    path("calendar", browse.calendar, name="month"),
    path("map", browse.on_map, name="map"),
    path("robots.txt", robots.robots, name="robots"),
    path("sitemap.xml", robots.index, name="sitemap"),
    path("sitemap-<int:number>.xml", robots.part, name="sitemap-part"),
    path("favicon.ico", RedirectView.as_view(url=static("console/icon.svg")), name="favicon"),
    path("records/<uuid:record_id>/", records.record, name="record-by-id"),
    path("records/<uuid:record_id>/calendar.ics", records.calendar, name="record-calendar"),
    path("records/<uuid:record_id>/<slug:slug>/", records.record, name="record"),
    path("data/<str:name>", downloads.download, name="download"),
    path("", include("gleanery.interfaces.open_data.urls")),
    path("report/<uuid:record_id>/", reporting.report, name="report"),
    path("about/", pages.about, name="about"),
    path("data/", pages.data, name="data"),
    path("logo/<slug:digest>", pages.logo, name="logo"),
    path("feeds/rpde/<slug:kind>", rpde.feed, name="rpde"),
    path("feeds/calendar.ics", feeds.calendar, name="feed-calendar"),
    path("feeds/atom.xml", feeds.newest, name="feed-atom"),
    path("follow/", follow.follow, name="follow"),
    path("follow/confirm/<str:token>/", follow.confirm, name="follow-confirm"),
    path("follow/leave/<str:token>/", follow.leave, name="follow-leave"),
    path("language/<slug:language>/", language.choose, name="language"),
    path("submit/", public.submit, name="submit"),
    path("submit/<str:token>/", public.follow, name="submission"),
    path("admin/", admin.site.urls),
    path("api/v1/", api.urls),
    path("login/<str:token>", login.by_link, name="login-link"),
    path("healthz", operations.healthz),
    path("readyz", operations.readyz),
    path("metrics", operations.metrics),
]
handler404 = "gleanery.interfaces.not_found.not_found"
handler500 = "gleanery.interfaces.server_error.server_failed"

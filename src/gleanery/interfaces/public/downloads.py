"""Downloads: all that is published, as files of open formats."""

from __future__ import annotations

from http import HTTPStatus

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from django.views.decorators.http import require_safe

from gleanery.errors import Conflict
from gleanery.interfaces.public.records import FRESH
from gleanery.publishing.exports.downloads import DOWNLOADS, File, prepared

WAIT_SECONDS = "30"


@require_safe
def download(request: HttpRequest, name: str) -> HttpResponseBase:
    if (wanted := DOWNLOADS.get(name)) is None:
        raise Http404
    try:
        file = prepared(wanted, request.build_absolute_uri("/").rstrip("/"))
    except Conflict as busy:
        headers = {"Retry-After": WAIT_SECONDS, "Cache-Control": "no-store"}
        return HttpResponse(
            str(busy), status=HTTPStatus.SERVICE_UNAVAILABLE, content_type="text/plain", headers=headers
        )
    answer = get_conditional_response(request, file.etag, int(file.written_at.timestamp())) or FileResponse(
        file.path.open("rb"), as_attachment=True, filename=name, content_type=wanted.format.media_type
    )
    _mark(answer, file)
    return answer


def _mark(answer: HttpResponseBase, file: File) -> None:
    answer["ETag"] = file.etag
    answer["Last-Modified"] = http_date(file.written_at.timestamp())
    answer["Cache-Control"] = FRESH
    answer["Access-Control-Allow-Origin"] = "*"

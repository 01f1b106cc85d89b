"""The feed of each kind of record for those who speak RPDE."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import conditional_page, require_safe

from gleanery.publishing.api.records_api import root_of
from gleanery.publishing.changes import rpde
from gleanery.publishing.showing.kinds import KIND_WORDS

AFTER = "afterChangeNumber"
LARGEST = 2**63 - 1
# The page at the end changes with the next change; the others only get shorter.
FULL, LAST = "public, max-age=300", "public, max-age=8"


@require_safe
@conditional_page
def feed(request: HttpRequest, kind: str) -> HttpResponse:
    if kind not in KIND_WORDS:
        raise Http404
    given = request.GET.get(AFTER, "0")
    if set(request.GET) - {AFTER} or not (given.isascii() and given.isdigit() and len(given) <= len(str(LARGEST))):
        problem = f"This address takes {AFTER} alone, a whole number: follow `next` from page to page."
        return JsonResponse({"detail": problem}, status=HTTPStatus.BAD_REQUEST)
    after = min(int(given), LARGEST)
    root = root_of(request)
    items = rpde.items(kind, after, root)
    end = items[-1]["modified"] if items else after
    following = f"{root}{request.path}?{urlencode({AFTER: end})}"
    answer = JsonResponse({"next": following, "items": items, "license": settings.ENVIRONMENT.data_licence})
    answer["Cache-Control"] = FULL if items else LAST
    return answer

"""Security headers on every answer; the content security policy in two strengths."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

COMMON = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
)
STRICT = COMMON + "script-src 'self'"
# The console's Alpine builds functions from attributes of our own templates. Inline scripts stay forbidden, so text
# that slipped through unescaped could still not run.
CONSOLE = COMMON + "script-src 'self' 'unsafe-eval'"


class SecurityHeaders:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Content-Security-Policy", CONSOLE if request.path.startswith("/admin/") else STRICT)
        response.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        return response

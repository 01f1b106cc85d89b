"""Security headers of every response; the content security policy has two levels."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

COMMON = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; font-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
)
STRICT = COMMON + "script-src 'self'"
# Alpine, used by the console, builds functions from attributes in our templates. Inline scripts stay forbidden, so
# unescaped text could still not run.
CONSOLE = COMMON + "script-src 'self' 'unsafe-eval'"


class SecurityHeaders:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.setdefault("Content-Security-Policy", CONSOLE if request.path.startswith("/admin/") else STRICT)
        response.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        return response

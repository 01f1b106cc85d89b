"""Error responses of the API: problem details of RFC 9457 with a stable type."""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import structlog
from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.db import DataError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import Field, NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError

from gleanery.database import failures
from gleanery.errors import GleaneryError

log = structlog.get_logger(__name__)
MEDIA_TYPE = "application/problem+json"


class MistakeOut(Schema):
    at: str = Field(description="Location, starting with `path`, `query` or `body`.")
    message: str


class ProblemOut(Schema):
    """Error response: `type` is stable across versions, `detail` is a sentence for people."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[MistakeOut] = Field([], description="Individual mistakes, if several parts can be wrong at once.")


def type_of(error: type[Exception]) -> str:
    """Return the stable type of an error class: `NotAllowed` becomes `urn:gleanery:not-allowed`."""
    return "urn:gleanery:" + re.sub(r"(?<!^)(?=[A-Z])", "-", error.__name__).lower()


def problem(status: int, kind: str, detail: str, **more: Any) -> HttpResponse:
    body = {"type": kind, "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **more}
    response = JsonResponse(body, status=status, content_type=MEDIA_TYPE)
    if status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = "Bearer"
    return response


def of_error(error: GleaneryError) -> HttpResponse:
    response = problem(error.status, type_of(type(error)), str(error))
    if error.retry_after:
        response["Retry-After"] = f"{error.retry_after:.0f}"
    return response


def of_failure(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return a response for an unexpected error; a lost database or a full disk gets its own."""
    if known := failures.of(error):
        log.warning("the database does not answer", path=request.path, reason=str(error))
        return of_error(known)
    log.exception("the API failed", path=request.path, exc_info=error)
    return problem(500, "urn:gleanery:unforeseen", "An unexpected error occurred. The server log has the details.")


def _place(parts: tuple[str | int, ...]) -> str:
    """Return the location in the request, without the internal name of the body parameter."""
    return ".".join(str(part) for at, part in enumerate(parts) if (at, part) != (1, "given"))


def register(api: NinjaAPI) -> None:
    """Register the handlers of all API errors; details of unexpected ones go to the log only."""

    @api.exception_handler(GleaneryError)
    def deliberate(request: HttpRequest, error: GleaneryError) -> HttpResponse:
        return of_error(error)

    @api.exception_handler(ValidationError)
    def malformed(request: HttpRequest, error: ValidationError) -> HttpResponse:
        errors = [{"at": _place(each["loc"]), "message": each["msg"]} for each in error.errors]
        return problem(
            422,
            "urn:gleanery:invalid",
            "Some values are not valid; nothing was changed. See `errors` for each of them.",
            errors=errors,
        )

    @api.exception_handler(HttpError)
    def http(request: HttpRequest, error: HttpError) -> HttpResponse:
        return problem(error.status_code, "urn:gleanery:malformed", str(error))

    @api.exception_handler(Http404)
    def missing(request: HttpRequest, error: Http404) -> HttpResponse:
        return problem(404, "urn:gleanery:not-found", "This does not exist.")

    @api.exception_handler(DataError)
    @api.exception_handler(UnicodeEncodeError)
    def unstorable(request: HttpRequest, error: Exception) -> HttpResponse:
        return problem(
            422,
            "urn:gleanery:invalid",
            "A value contains characters or numbers that cannot be stored. Nothing was changed.",
        )

    @api.exception_handler(SuspiciousOperation)
    def abnormal(request: HttpRequest, error: Exception) -> HttpResponse:
        return problem(400, "urn:gleanery:malformed", "The request has too many parameters.")

    @api.exception_handler(RequestDataTooBig)
    def too_big(request: HttpRequest, error: Exception) -> HttpResponse:
        return problem(413, "urn:gleanery:too-large", "The request is too large. Send it in parts.")

    @api.exception_handler(Exception)
    def unforeseen(request: HttpRequest, error: Exception) -> HttpResponse:
        return of_failure(request, error)


class ApiProblems:
    """Middleware that turns Django's own error responses to API requests into problem details."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not request.path.startswith("/api/") or response.status_code < HTTPStatus.BAD_REQUEST:
            return response
        if response.headers.get("Content-Type", "").startswith(("application/problem", "application/json")):
            return response
        replaced = problem(response.status_code, "urn:gleanery:refused", HTTPStatus(response.status_code).phrase)
        if "Allow" in response.headers:
            replaced["Allow"] = response.headers["Allow"]
        return replaced

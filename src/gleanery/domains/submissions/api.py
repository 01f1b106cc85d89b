"""API of submissions: anybody can propose a source, and follow it with a secret link."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from ninja import Field, Router, Schema, Status

from gleanery.accounts.caller import address_of
from gleanery.accounts.gate import known_behind
from gleanery.domains.submissions import answers, submitting
from gleanery.domains.submissions.answers import Outcome
from gleanery.errors import Invalid

router = Router(tags=["submissions"])


class SubmissionIn(Schema):
    given: str = Field("", description="A domain, or the address of a page. `url` and `domain` are accepted as well.")
    url: str = ""
    domain: str = ""
    context: str = Field("", description="What it offers, and to whom; 2,000 characters at most.")
    depth: int | None = Field(None, description="How many links deep to read: 0 (homepage) to 6; 3 if not given.")
    yes: bool = Field(False, description="Accept what an earlier answer offered.")
    website: str = Field("", description="Leave this empty; only spam programs fill it in.")


class OfferOut(Schema):
    action: str
    question: str


class SubmissionOut(Schema):
    outcome: str = Field(description="One of: " + ", ".join(answers.STATUS) + ".")
    message: str = Field(description="One or two sentences for people.")
    domain: str | None
    offer: OfferOut | None = Field(description="What happens if you send the same again with `yes`.")
    follow_url: str | None = Field(description="A secret address that shows its state.")
    warnings: list[str]


class SubmissionProblem(SubmissionOut):
    """The same as a problem document."""

    type: str
    title: str
    status: int
    detail: str


class FollowOut(Schema):
    given: str
    domain: str | None
    submitted_at: datetime
    state: str
    message: str


@router.post(
    "/submissions",
    response={(200, 201): SubmissionOut, (409, 422, 429): SubmissionProblem},
    summary="Propose a source, or a page of one",
)
def create(request: HttpRequest, response: HttpResponse, wish: SubmissionIn) -> Status[dict[str, Any]]:
    # Other sites can make browsers send forms and plain text, but not JSON.
    if request.content_type != "application/json":
        raise Invalid("Nothing was submitted. Send it as JSON, with the content type application/json.")
    outcome = _outcome(request, wish)
    body = _as_json(request, outcome)
    if outcome.retry_after:
        response["Retry-After"] = str(outcome.retry_after)
    if outcome.status >= HTTPStatus.BAD_REQUEST:
        response["Content-Type"] = "application/problem+json"
        body |= _as_problem(outcome)
    return Status(outcome.status, body)


@router.get("/submissions/{token}", response=FollowOut, summary="State of a submission")
def follow(request: HttpRequest, response: HttpResponse, token: str) -> dict[str, Any]:
    found = submitting.follow(token)
    state = submitting.standing_of(found.domain)
    response["Cache-Control"] = "no-store"
    return {
        "given": found.given,
        "domain": found.domain and found.domain.name,
        "submitted_at": found.created_at,
        "state": state,
        "message": str(answers.STANDING[state]),
    }


def _outcome(request: HttpRequest, wish: SubmissionIn) -> Outcome:
    given = wish.given or wish.url or wish.domain
    if wish.website:
        return submitting.pretend(given)
    return submitting.submit(
        given,
        context=wish.context,
        depth=wish.depth,
        by=known_behind(request),
        address=address_of(request),
        yes=wish.yes,
    )


def _as_json(request: HttpRequest, outcome: Outcome) -> dict[str, Any]:
    path = outcome.token and reverse("submission", args=[outcome.token])
    return {
        "outcome": outcome.code,
        "message": outcome.message,
        "domain": outcome.domain or None,
        "offer": outcome.offer,
        "follow_url": request.build_absolute_uri(path) if path else None,
        "warnings": list(outcome.warnings),
    }


def _as_problem(outcome: Outcome) -> dict[str, Any]:
    return {
        "type": f"urn:gleanery:submission-{outcome.code}",
        "title": HTTPStatus(outcome.status).phrase,
        "status": outcome.status,
        "detail": outcome.message,
    }

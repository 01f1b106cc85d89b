"""API routes of accounts: the current user, and the journal."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema

from gleanery.accounts.gate import actor_behind
from gleanery.accounts.models import JournalEntry
from gleanery.cursor import MOST, newest_first
from gleanery.roles import Role, Scope

router = Router()


class Me(Schema):
    username: str
    role: Role | None
    scopes: list[Scope]
    key: str | None = Field(description="The name of the key in use, if any.")


class Entry(Schema):
    id: UUID
    at: datetime
    actor: str = Field(alias="actor.username")
    key: str | None = Field(None, alias="key.name")
    action: str
    subject_kind: str
    subject_id: str
    subject_name: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    reason: str


class Journal(Schema):
    items: list[Entry]
    next_cursor: str | None


class JournalFilter(Schema):
    action: str | None = None
    subject_kind: str | None = None
    subject_id: str | None = None


@router.get("/me", response=Me, tags=["accounts"], summary="Show your user, role and scopes")
def me(request: HttpRequest) -> Me:
    actor = actor_behind(request)
    return Me(
        username=actor.user.username,
        role=actor.role,
        scopes=sorted(actor.scopes),
        key=actor.key.name if actor.key else None,
    )


@router.get("/admin/journal", response=Journal, tags=["accounts"], summary="List every decision, newest first")
def journal(
    request: HttpRequest,
    filters: Query[JournalFilter],
    cursor: str | None = None,
    limit: Annotated[int, Field(ge=1, le=MOST)] = 50,
) -> object:
    entries = JournalEntry.objects.select_related("actor", "key").filter(**filters.model_dump(exclude_none=True))
    return newest_first(entries, cursor, limit)

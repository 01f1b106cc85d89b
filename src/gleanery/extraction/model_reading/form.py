"""Answer forms for the language model, and its answer with token counts and cost. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, Field

LONGEST_TEXT = 12_000  # characters of a page sent to the model
MOST_THINGS = 20
LONGEST_VALUE = 5_000  # longer values are rejected

Verbatim = Field("", max_length=LONGEST_VALUE, description="Exactly as written on the page; empty if it is not there.")


class Opinion(BaseModel):
    relevant: bool
    reason: str = Field(max_length=LONGEST_VALUE)


class Thing(BaseModel):
    """Fields of every kind."""

    name: str = Field(max_length=LONGEST_VALUE, description="Exactly as written on the page.")
    description: str = Verbatim
    address: str = Verbatim
    locality: str = Verbatim
    phone: str = Verbatim
    email: str = Verbatim


class Event(Thing):
    start: str = Field(max_length=LONGEST_VALUE, description="Day and time of the beginning, exactly as written.")
    end: str = Verbatim
    venue_name: str = Verbatim
    organizer_name: str = Verbatim


class Funding(Thing):
    funder_name: str = Verbatim
    amount: str = Verbatim
    deadline: str = Verbatim
    eligibility: str = Verbatim
    region: str = Verbatim


class Service(Thing):
    provider_name: str = Verbatim
    opening_hours: str = Verbatim
    eligibility: str = Verbatim
    cost: str = Verbatim
    venue_name: str = Verbatim


class Opportunity(Thing):
    organizer_name: str = Verbatim
    start: str = Verbatim
    end: str = Verbatim
    deadline: str = Verbatim


class Place(Thing):
    opening_hours: str = Verbatim


class Organization(Thing):
    legal_name: str = Verbatim


def list_field() -> Any:
    return Field(default_factory=list, max_length=MOST_THINGS)


class Form(BaseModel):
    """Things on the page, by kind."""

    event: list[Event] = list_field()
    funding: list[Funding] = list_field()
    service: list[Service] = list_field()
    opportunity: list[Opportunity] = list_field()
    place: list[Place] = list_field()
    organization: list[Organization] = list_field()


Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ModelAnswer(Generic[Answer]):
    output: Answer
    input_tokens: int
    output_tokens: int
    cost: Decimal | None

"""The forms that a language model may fill in about a page, and how an answer comes with what it took. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, Field

LONGEST_TEXT = 12_000  # characters of a page that are shown
MOST_THINGS = 20
LONGEST_VALUE = 5_000  # far more than anybody needs: a longer answer is no answer to the question

Written = Field("", max_length=LONGEST_VALUE, description="Exactly as written on the page; empty if it is not there.")


class Opinion(BaseModel):
    relevant: bool
    reason: str = Field(max_length=LONGEST_VALUE)


class Thing(BaseModel):
    """What every kind has."""

    name: str = Field(max_length=LONGEST_VALUE, description="Exactly as written on the page.")
    description: str = Written
    address: str = Written
    locality: str = Written
    phone: str = Written
    email: str = Written


class Event(Thing):
    start: str = Field(max_length=LONGEST_VALUE, description="Day and time of the beginning, exactly as written.")
    end: str = Written
    venue_name: str = Written
    organizer_name: str = Written


class Funding(Thing):
    funder_name: str = Written
    amount: str = Written
    deadline: str = Written
    eligibility: str = Written
    region: str = Written


class Service(Thing):
    provider_name: str = Written
    opening_hours: str = Written
    eligibility: str = Written
    cost: str = Written
    venue_name: str = Written


class Opportunity(Thing):
    organizer_name: str = Written
    start: str = Written
    end: str = Written
    deadline: str = Written


class Place(Thing):
    opening_hours: str = Written


class Organization(Thing):
    legal_name: str = Written


def several() -> Any:
    return Field(default_factory=list, max_length=MOST_THINGS)


class Form(BaseModel):
    """Everything that the page offers, by kind."""

    event: list[Event] = several()
    funding: list[Funding] = several()
    service: list[Service] = several()
    opportunity: list[Opportunity] = several()
    place: list[Place] = several()
    organization: list[Organization] = several()


Answer = TypeVar("Answer", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Answered(Generic[Answer]):
    output: Answer
    input_tokens: int
    output_tokens: int
    cost: Decimal | None

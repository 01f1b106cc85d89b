"""Every route answers as its OpenAPI document declares, whatever it is sent: schemathesis makes the requests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import schemathesis
from django.apps import apps
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from gleanery.discovery.models import Result
from gleanery.domains.models import Domain
from gleanery.domains.submissions.submitting import submit
from gleanery.interfaces.api.root import api
from gleanery.interfaces.wsgi import application
from gleanery.judging import services as judging
from gleanery.resolution.models import Record
from gleanery.review.models import Item
from gleanery.review.together.services import causes
from gleanery.roles import Scope
from tests.discovery.shop import searched
from tests.extraction.shelf import event, put
from tests.feeds.conftest import feed_of
from tests.resolution.shop import JAZZ, tell

Bearer = Callable[..., dict[str, str]]
CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
SCHEMA = schemathesis.openapi.from_dict(api.get_openapi_schema())
SCHEMA.app = application
OPERATIONS = {f"{each.ok().method.upper()} {each.ok().path}": each.ok() for each in SCHEMA.get_all_operations()}
TAGS = sorted({tag for each in OPERATIONS.values() for tag in each.tags})
# The same requests every time: a failure is one of the code, not of the day.
RUN = settings(
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
FEW, MANY = 3, 12  # requests a route: whoever is not known is mostly told just that


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Requests stay on the connection of the test, as Django's own test client has it: what they do is taken back."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield
    for signal in signals:
        signal.connect(close_old_connections)


@pytest.fixture
def ids(db: None, one_connection: None) -> dict[str, str]:
    """One thing of each kind that addresses name."""
    session = searched()
    judging.judge_session(session)
    domain = Domain.objects.get(name="a.example")
    page = put(domain, "/e", event())
    for week, day in enumerate(("12", "19")):
        evening = {**JAZZ, "start": f"2027-03-{day}T19:00:00+02:00"}
        tell("one", "event", f"a{week}", **evening)
        tell("two", "event", f"b{week}", **{**evening, "name": "Jazz Night with the trio"})
    Domain.objects.update(crawl_rate_limit_seconds=0)  # nobody is there to be asked, so nobody is waited for
    token = submit("grants.example").token
    assert token is not None
    records = Record.objects.filter(kind="event").order_by("id")
    feed_of(domain, "http://a.example/choir.ics")
    named = {
        "domain_id": str(domain.pk),
        "session_id": str(session.pk),
        "result_id": str(Result.objects.filter(outcome="spam").values_list("pk", flat=True)[0]),
        "page_id": str(page.pk),
        "record_id": str(records[0].pk),
        "other_id": str(records[1].pk),
        "item_id": str(Item.objects.filter(kind="record").values_list("pk", flat=True)[0]),
        "cause_id": causes()[0].id,
        "token": token,
    }
    return first_of_each_model() | named


def first_of_each_model() -> dict[str, str]:
    """What `feed_id` stands for where nothing above says it: the first feed, if there is one."""
    firsts = {model._meta.model_name: model._base_manager.order_by("pk").first() for model in apps.get_models()}
    return {f"{name}_id": str(row.pk) for name, row in firsts.items() if row is not None}


def test_there_is_something_behind_the_names_in_addresses(ids: dict[str, str]) -> None:
    """Nearly all: of a name that is new nothing is known here, and only made-up values are tried."""
    names = {name for route in OPERATIONS for name in re.findall(r"{(\w+)}", route)}
    assert len(names & set(ids)) > 0.8 * len(names), names - set(ids)


def requests(operation: Any, ids: dict[str, str]) -> st.SearchStrategy[Any]:
    """Requests as declared and others, half of them about things that are there."""
    both = st.one_of(*(operation.as_strategy(generation_mode=mode) for mode in GenerationMode))

    def about(case: Any, is_real: bool) -> Any:
        if is_real and case.path_parameters:
            case.path_parameters = {name: ids.get(name, made) for name, made in case.path_parameters.items()}
        return case

    return st.builds(about, both, st.booleans())


@pytest.mark.parametrize("tag", TAGS)
def test_everybody_is_answered_as_declared(ids: dict[str, str], bearer: Bearer, tag: str) -> None:
    admin = bearer(*Scope)
    found = {}
    for name, operation in OPERATIONS.items():
        if tag in operation.tags:
            for headers, times in (({}, FEW), (admin, MANY)):
                try:
                    _ask(operation, ids, headers, times)
                except BaseExceptionGroup as group:
                    found[name] = [str(each) for each in group.exceptions]
                except Exception as problem:  # all routes are tried before any is told of
                    found[name] = [str(problem)]
    assert not found, "\n\n".join(f"{name}: {' '.join(said)}" for name, said in found.items())


def _ask(operation: Any, ids: dict[str, str], headers: dict[str, str], times: int) -> None:
    @settings(RUN, max_examples=times)
    @given(case=requests(operation, ids))
    def ask(case: Any) -> None:
        with transaction.atomic():
            answer = case.call(headers=headers)
            transaction.set_rollback(True)
        case.validate_response(answer, checks=CHECKS)

    ask()

"""Shared fixtures: users of every role, keys of every scope, hypothesis profiles."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from django.test import Client
from hypothesis import HealthCheck, settings

from gleanery.accounts import services
from gleanery.accounts.actor import Actor, system
from gleanery.accounts.models import User
from gleanery.roles import Role, Scope

# A slow moment of a busy machine is no finding, so no example has a deadline.
settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("deep", settings.get_profile("default"), max_examples=2_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first, in whatever order they were: else one process ends with one while the others have none."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture
def person(db: None) -> Callable[[Role], User]:
    """Makes, or finds, a person of this role."""

    def make(role: Role) -> User:
        found = User.objects.filter(username=f"some-{role}").first()
        return found or services.create_user(system(), f"some-{role}", role)

    return make


@pytest.fixture
def admin(person: Callable[[Role], User]) -> Actor:
    return Actor(person(Role.ADMIN))


@pytest.fixture
def logged_in(person: Callable[[Role], User]) -> Callable[[Role], Client]:
    """A browser, without JavaScript, of somebody with this role."""

    def make(role: Role) -> Client:
        client = Client()
        client.force_login(person(role), backend="django.contrib.auth.backends.ModelBackend")
        return client

    return make


@pytest.fixture
def bearer(admin: Actor) -> Callable[..., dict[str, str]]:
    """Headers with a fresh key of these scopes, owned by an admin."""

    def make(*scopes: Scope) -> dict[str, str]:
        _, text = services.create_key(admin, "a test", scopes)
        return {"Authorization": f"Bearer {text}"}

    return make

"""Permission matrix: it lists every route, and requests are treated accordingly."""

import re
from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from gleanery.interfaces.api.root import api, template_of
from gleanery.interfaces.permissions import API, PAGES, Need, Open
from gleanery.roles import SCOPES_OF, Role, Scope

Bearer = Callable[..., dict[str, str]]
LoggedIn = Callable[[Role], Client]

pytestmark = pytest.mark.django_db


def routes_of_the_api() -> Iterator[tuple[str, str]]:
    for path, item in api.get_openapi_schema()["paths"].items():
        for method in item:
            yield method.upper(), path.removeprefix("/api/v1")


def pages(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    """Return all addresses outside the API; the console counts as one."""
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver) and route != "admin/":
            yield from pages(pattern.url_patterns, route)
        else:
            yield route


def address_of(route: str) -> str:
    return re.sub(r"[{<][^}>]*[}>]", "00000000-0000-7000-8000-000000000000", route)


def expected(need: Need, scopes: frozenset[Scope], role: Role | None) -> bool:
    if need is Open.CURATOR:
        return role in {Role.REVIEWER, Role.ADMIN}
    if isinstance(need, frozenset):
        return bool(need & scopes)
    return need in {Open.KNOWN, Open.ANYBODY} or need in scopes


def test_every_route_of_the_api_is_declared_and_nothing_else_is() -> None:
    assert set(routes_of_the_api()) == set(API)


def test_every_page_is_declared_and_nothing_else_is() -> None:
    api_routes = {f"api/v1{path}" for _, path in API} | {"api/v1/"}
    found = {template_of(page) if page.startswith("api/") else page for page in pages(get_resolver().url_patterns)}
    assert found - api_routes == set(PAGES)


def test_every_route_is_in_the_schema() -> None:
    found = {str(pattern.pattern) for pattern in api.urls[0] if pattern.name not in {"openapi-json", "api-root"}}
    assert {f"/{template_of(route)}" for route in found} == {path for _, path in API}


@pytest.mark.parametrize(("method", "route"), [each for each, need in API.items() if need is not Open.ANYBODY])
def test_unauthenticated_requests_are_refused(client: Client, method: str, route: str) -> None:
    answer = client.generic(method, f"/api/v1{address_of(route)}")
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(("method", "route"), [each for each, need in API.items() if need is Open.ANYBODY])
def test_open_routes_need_no_key_but_refuse_a_wrong_one(client: Client, method: str, route: str) -> None:
    address = f"/api/v1{address_of(route)}"
    assert client.generic(method, address, "{}", content_type="application/json").status_code in {200, 404, 422}
    assert client.generic(method, address, headers={"Authorization": "Bearer glean_wrong"}).status_code == 401


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(("method", "route"), list(API))
def test_people_have_the_permissions_of_their_role(logged_in: LoggedIn, method: str, route: str, role: Role) -> None:
    answer = logged_in(role).generic(method, f"/api/v1{address_of(route)}", "{}", content_type="application/json")
    assert (answer.status_code != 403) == expected(API[method, route], SCOPES_OF[role], role)
    assert answer.status_code < 500


@pytest.mark.parametrize("scope", Scope)
@pytest.mark.parametrize(("method", "route"), list(API))
def test_keys_have_the_permissions_of_their_scopes(
    client: Client, bearer: Bearer, method: str, route: str, scope: Scope
) -> None:
    address = f"/api/v1{address_of(route)}"
    answer = client.generic(method, address, "{}", content_type="application/json", headers=bearer(scope))
    assert (answer.status_code != 403) == expected(
        API[method, route],
        frozenset(Scope) if scope is Scope.ADMIN else frozenset({scope}),
        Role.ADMIN if scope is Scope.ADMIN else None,
    )
    assert answer.status_code < 500


def test_an_undeclared_route_is_closed_even_for_an_admin(logged_in: LoggedIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(API, ("GET", "/me"))
    assert logged_in(Role.ADMIN).get("/api/v1/me").status_code == 403


def test_a_wrong_key_is_refused_even_with_a_valid_session(logged_in: LoggedIn) -> None:
    client = logged_in(Role.ADMIN)
    assert client.get("/api/v1/me", headers={"Authorization": "Bearer glean_wrong"}).status_code == 401


def test_a_session_needs_its_csrf_token_to_write(logged_in: LoggedIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """Call the gate directly with a request that a foreign page could cause."""
    from django.test import RequestFactory  # noqa: PLC0415

    from gleanery.accounts.gate import actor_of  # noqa: PLC0415
    from gleanery.accounts.models import User  # noqa: PLC0415
    from gleanery.errors import NotAllowed  # noqa: PLC0415

    logged_in(Role.ADMIN)
    request = RequestFactory(enforce_csrf_checks=True).post("/api/v1/me", HTTP_ORIGIN="https://evil.example")
    request.user = User.objects.get(username="some-admin")
    with pytest.raises(NotAllowed, match="CSRF"):
        actor_of(request)


@pytest.mark.parametrize("role", Role)
def test_every_role_can_view_the_console(logged_in: LoggedIn, role: Role) -> None:
    client = logged_in(role)
    for page in ("", "accounts/user/", "accounts/apikey/", "accounts/journalentry/", "procrastinate/procrastinatejob/"):
        assert client.get(f"/admin/{page}").status_code == 200, page


@pytest.mark.parametrize("role", [Role.VIEWER, Role.REVIEWER])
@pytest.mark.parametrize("page", ["accounts/user/add/", "accounts/apikey/add/"])
def test_only_an_admin_may_add_users_and_keys_in_the_console(logged_in: LoggedIn, role: Role, page: str) -> None:
    assert logged_in(role).get(f"/admin/{page}").status_code == 403
    assert logged_in(Role.ADMIN).get(f"/admin/{page}").status_code == 200


def test_nobody_may_add_or_change_the_journal_in_the_console(logged_in: LoggedIn) -> None:
    assert logged_in(Role.ADMIN).get("/admin/accounts/journalentry/add/").status_code == 403


def test_the_console_redirects_unauthenticated_visitors_to_the_login(client: Client) -> None:
    answer = client.get("/admin/accounts/user/")
    assert answer.headers["Location"] == "/admin/login/?next=/admin/accounts/user/"


def test_a_person_without_a_role_cannot_use_the_console(logged_in: LoggedIn) -> None:
    from gleanery.accounts.models import User  # noqa: PLC0415

    client = logged_in(Role.VIEWER)
    User.objects.get(username="some-viewer").groups.clear()
    assert client.get("/admin/").status_code == 302

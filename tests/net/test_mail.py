"""Mail to the operator's own server: TLS and passwords as they should be, and errors that name no mailbox."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
import trustme
from aiosmtpd.smtp import AuthResult, LoginPassword

from gleanery.errors import MailProblem
from gleanery.net import mail
from gleanery.net.mail import MailServer
from tests.mail_server import mail_server

US, ANNA = "news@town.example", "anna@home.example"
ELSEWHERE = "127.0.0.2"  # on this machine, but not by a name that says so


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> trustme.LeafCert:
    """Its authority is trusted by this machine."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    return authority.issue_cert(ELSEWHERE)


@pytest.fixture
def asking_for_a_password(certificate: trustme.LeafCert) -> dict[str, Any]:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    certificate.configure_cert(context)
    return {"tls_context": context, "authenticator": knows_us, "auth_required": True}


def knows_us(server: Any, session: Any, envelope: Any, mechanism: str, given: LoginPassword) -> AuthResult:
    return AuthResult(success=given == LoginPassword(b"user", b"pass@word"), handled=False)


def at(url: str) -> MailServer:
    return MailServer.at(url.replace("://", "://user:pass%40word@"))


def send(server: MailServer, before_it_counts: Callable[[], None] = lambda: None) -> None:
    message = EmailMessage()
    message["Subject"] = "Jazz"
    message.set_content("Tonight.\n.\nReally.")
    mail.send(server, message, US, ANNA, before_it_counts)


def test_a_password_is_read_from_the_address_and_never_shown() -> None:
    server = MailServer.at("smtps://us%40er:pass%3Aword@mail.example.org")
    assert (server.user, server.password, server.port, server.begins_with_tls) == ("us@er", "pass:word", 465, True)
    assert "pass" not in repr(server)


def test_a_password_goes_over_tls_that_the_server_changes_to(asking_for_a_password: dict[str, Any]) -> None:
    with mail_server(ELSEWHERE, **asking_for_a_password) as (box, url):
        send(at(url))
    ((to, message),) = box.taken
    assert to == ANNA
    assert str(message.get_content()).split() == ["Tonight.", ".", "Really."]


def test_a_password_goes_to_no_machine_without_tls() -> None:
    with (
        mail_server(ELSEWHERE, authenticator=knows_us, auth_require_tls=False) as (box, url),
        pytest.raises(MailProblem, match="offers no TLS"),
    ):
        send(at(url))
    assert box.taken == []


def test_a_certificate_that_does_not_hold_ends_it(
    asking_for_a_password: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    trustme.CA().cert_pem.write_to_path(tmp_path / "other.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "other.pem"))
    with (
        mail_server(ELSEWHERE, **asking_for_a_password) as (_, url),
        pytest.raises(MailProblem, match="cannot be reached"),
    ):
        send(at(url))


def test_a_wrong_password_is_said_and_not_shown(asking_for_a_password: dict[str, Any]) -> None:
    with mail_server(ELSEWHERE, **asking_for_a_password) as (_, url):
        server = replace(at(url), password="a secret")
        with pytest.raises(MailProblem, match=r"refused us \(535\)") as problem:
            mail.check(server, US)
    assert "secret" not in str(problem.value)


ANSWERS = [("550 no such mailbox", True), ("552 full", True), ("451 later", False), ("503 bad sequence", False)]


@pytest.mark.parametrize(("answer", "is_final"), ANSWERS)
def test_a_refusal_says_whether_it_is_worth_another_try_and_names_no_mailbox(answer: str, is_final: bool) -> None:
    with mail_server() as (box, url):
        box.answers[ANNA] = f"{answer} for {ANNA}"
        with pytest.raises(MailProblem) as problem:
            send(MailServer.at(url), lambda: pytest.fail("it does not count yet"))
    assert problem.value.is_final is is_final
    assert "anna" not in f"{problem.value!r} {problem.value.__cause__!r}"


def test_a_message_that_was_refused_as_a_whole_may_go_again() -> None:
    with mail_server() as (box, url):
        box.at_data = lambda: "452 no room"
        with pytest.raises(MailProblem) as problem:
            send(MailServer.at(url))
    assert not problem.value.is_unsure
    assert not problem.value.is_final

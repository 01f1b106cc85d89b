"""Mail: hands messages to the operator's own mail server, over TLS where another machine offers it."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

from gleanery.errors import MailProblem

SECONDS = 20
FINAL = range(550, 560)
PORTS = {"smtp": 587, "smtps": 465}
LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})
NO_TLS = "The mail server offers no TLS, so the password was not sent: use smtps:// or a server that does."


@dataclass(frozen=True, slots=True)
class MailServer:
    host: str
    port: int
    begins_with_tls: bool
    user: str = ""
    password: str = field(default="", repr=False)

    @classmethod
    def at(cls, url: str) -> MailServer:
        parts = urlsplit(url)
        return cls(
            host=parts.hostname or "",
            port=parts.port or PORTS[parts.scheme],
            begins_with_tls=parts.scheme == "smtps",
            user=unquote(parts.username or ""),
            password=unquote(parts.password or ""),
        )

    @property
    def is_local(self) -> bool:
        return self.host in LOCAL


def send(
    server: MailServer, message: EmailMessage, sender: str, recipient: str, before_it_counts: Callable[[], None]
) -> None:
    """Hand over one message. `before_it_counts` is called last before the server could take it; raising there stops."""
    with _connected(server, sender) as smtp:
        _accepted(smtp.mail(sender), "sender")
        _accepted(smtp.rcpt(recipient), "recipient")
        before_it_counts()
        try:
            answer = smtp.data(message.as_bytes(policy=message.policy.clone(linesep="\r\n")))
        except smtplib.SMTPResponseException as problem:
            answer = (problem.smtp_code, b"")
        except (OSError, smtplib.SMTPException):
            raise MailProblem("The mail server went away before it said whether it took it.", is_unsure=True) from None
        _accepted(answer, "message")


def check(server: MailServer, sender: str) -> None:
    """Connect and log in, as for a message, and send none."""
    with _connected(server, sender) as smtp:
        smtp.noop()


@contextmanager
def _connected(server: MailServer, sender: str) -> Iterator[smtplib.SMTP]:
    """Errors of smtplib name mailboxes, so none of them leaves this module."""
    with ExitStack() as ending:
        try:
            smtp = _connection(server, sender.rpartition("@")[2])
            ending.callback(_hang_up, smtp)
            _log_in(smtp, server)
            yield smtp
        except smtplib.SMTPResponseException as problem:
            raise MailProblem(f"The mail server {server.host} refused us ({problem.smtp_code}).") from None
        except (OSError, smtplib.SMTPException) as problem:
            raise MailProblem(f"The mail server {server.host} cannot be reached ({type(problem).__name__}).") from None


def _hang_up(smtp: smtplib.SMTP) -> None:
    with suppress(OSError, smtplib.SMTPException):
        smtp.quit()
    smtp.close()


def _connection(server: MailServer, our_name: str) -> smtplib.SMTP:
    if server.begins_with_tls:
        context = ssl.create_default_context()
        return smtplib.SMTP_SSL(server.host, server.port, our_name, timeout=SECONDS, context=context)
    return smtplib.SMTP(server.host, server.port, our_name, timeout=SECONDS)


def _log_in(smtp: smtplib.SMTP, server: MailServer) -> None:
    """Change to TLS if the server has it; no password goes to another machine without."""
    smtp.ehlo()
    is_safe = server.begins_with_tls or server.is_local
    if not is_safe and smtp.has_extn("starttls"):
        smtp.starttls(context=ssl.create_default_context())
        smtp.ehlo()
        is_safe = True
    if server.user:
        if not is_safe:
            raise MailProblem(NO_TLS)
        smtp.login(server.user, server.password)


def _accepted(answer: tuple[int, bytes], what: str) -> None:
    if answer[0] not in (250, 251):
        raise _refused(answer[0], what)


def _refused(code: int, what: str) -> MailProblem:
    sentence = f"The mail server refused the {what} ({code})."
    return MailProblem(sentence, is_final=what == "recipient" and code in FINAL)

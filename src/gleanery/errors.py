"""Every deliberate error; the docstring of each says what follows from it, its text is one sentence for a person."""

from __future__ import annotations

from enum import StrEnum


class GleaneryError(Exception):
    """Something we foresaw; the command ends with exit code 1, the API answers with a problem."""

    status = 500


class BadSetting(GleaneryError):
    """A setting has a value that cannot be used; nothing starts until it is mended."""


class DatabaseProblem(GleaneryError):
    """The database cannot be used as it is; nothing starts, and what is stored stays as it was."""

    status = 503


class Invalid(GleaneryError):
    """What was given cannot be taken; nothing was changed, and the sender may correct it."""

    status = 422


class InvalidDomain(Invalid):
    """What was given names no web site that could be a source; the sender may correct it."""


class InvalidUrl(Invalid):
    """What was given is no address of a web page; it is counted with its reason, or the sender may correct it."""


class Unauthenticated(GleaneryError):
    """Nobody known is asking; log in, or send a key that is valid."""

    status = 401


class NotAllowed(GleaneryError):
    """The one who asks may not do this; nothing was changed."""

    status = 403


class NotFound(GleaneryError):
    """There is no such thing, or not for the one who asks."""

    status = 404


class Conflict(GleaneryError):
    """Somebody else was faster, or the thing is no longer in the state assumed; look again and decide anew."""

    status = 409


class FetchProblem(StrEnum):
    """Why a fetch failed. The first five will fail again; after the others another try may do."""

    BAD_URL = "bad_url"
    SCHEME = "scheme"
    PORT = "port"
    BLOCKED_ADDRESS = "blocked_address"
    REDIRECT_REFUSED = "redirect_refused"
    TOO_MANY_REDIRECTS = "too_many_redirects"
    TOO_LARGE = "too_large"
    BAD_RESPONSE = "bad_response"
    DNS = "dns"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    RESET = "reset"


class FetchError(GleaneryError):
    """Nothing usable came from outside; `kind` says why, nothing was kept, and the caller decides on another try."""

    status = 502

    def __init__(self, kind: FetchProblem, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind

"""All deliberate errors; each docstring says what follows from the error, and its text is a sentence for people."""

from __future__ import annotations

from enum import StrEnum


class GleaneryError(Exception):
    """An expected error: a command ends with exit code 1, the API returns a problem.

    `retry_after` is the number of seconds after which to try again, if known.
    """

    status = 500
    retry_after: float | None = None


class BadSetting(GleaneryError):
    """A setting has an invalid value; nothing starts until it is corrected."""


class DatabaseProblem(GleaneryError):
    """The database is not available; nothing was changed. Try again later."""

    status = 503
    retry_after = 10


class Invalid(GleaneryError):
    """The request contains invalid values; nothing was changed. Correct it and try again."""

    status = 422


class InvalidDomain(Invalid):
    """The value is not a domain that can be a source. Correct it and try again."""


class InvalidUrl(Invalid):
    """The value is not the address of a web page; it is counted with the reason, or the sender can correct it."""


class Unauthenticated(GleaneryError):
    """The caller is not authenticated. Log in, or send a valid key."""

    status = 401


class NotAllowed(GleaneryError):
    """The caller may not do this; nothing was changed."""

    status = 403


class NotFound(GleaneryError):
    """The thing does not exist, or not for this caller."""

    status = 404


class Gone(GleaneryError):
    """Raised for a thing that was here and is gone for good; asking again is of no use."""

    status = 410


class Conflict(GleaneryError):
    """Somebody else was faster, or the state has changed; nothing was changed. Reload and decide again."""

    status = 409


class ComeAgain(GleaneryError):
    """Too many requests at once or from one caller; nothing was changed. Try again later."""

    retry_after: int

    def __init__(self, sentence: str, status: int, retry_after: int) -> None:
        super().__init__(sentence)
        self.status = status
        self.retry_after = retry_after


class FetchProblem(StrEnum):
    """Reason why a fetch failed; the first five are permanent, the others may pass."""

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
    """A fetch failed; `kind` is the reason, nothing was kept, and the caller decides whether to retry."""

    status = 502

    def __init__(self, kind: FetchProblem, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind


class Unfetched(GleaneryError):
    """An address could not be read; nothing was stored. Try again later."""

    status = 424


class Unreadable(GleaneryError):
    """A page could not be read within its limits of time and memory; the crawl continues without it."""

    status = 502


class ProviderProblem(StrEnum):
    """Reason why a search provider failed; only rate limits, timeouts and lost connections pass by themselves."""

    AUTH = "auth"
    RATE_LIMIT = "rate_limit"
    QUOTA = "quota"
    TIMEOUT = "timeout"
    NETWORK = "network"
    BAD_RESPONSE = "bad_response"


PASSING_PROBLEMS = frozenset({ProviderProblem.RATE_LIMIT, ProviderProblem.TIMEOUT, ProviderProblem.NETWORK})


class ProviderFailure(GleaneryError):
    """A search provider failed; the failure is counted and the other providers continue.

    `worth_retrying` follows from the kind unless the provider says otherwise. `retry_after` is the wait in seconds that
    the provider asks for; `tries` and `elapsed` are the attempts and seconds spent.
    """

    status = 502

    def __init__(
        self,
        kind: ProviderProblem,
        sentence: str,
        *,
        retry_after: float | None = None,
        worth_retrying: bool | None = None,
    ) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.retry_after = retry_after
        self.worth_retrying = kind in PASSING_PROBLEMS if worth_retrying is None else worth_retrying
        self.tries = 1
        self.elapsed = 0.0

    @property
    def sentence(self) -> str:
        return str(self)


class MailProblem(GleaneryError):
    """The mail server did not take a message. It names no mailbox, since errors reach logs.

    `is_final` says that this mailbox will never take it; `is_unsure` that it may have been taken all the same.
    """

    status = 502

    def __init__(self, sentence: str, *, is_final: bool = False, is_unsure: bool = False) -> None:
        super().__init__(sentence)
        self.is_final = is_final
        self.is_unsure = is_unsure

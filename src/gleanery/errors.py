"""Every deliberate error; the docstring of each says what follows from it, its text is one sentence for a person."""

from __future__ import annotations

from enum import StrEnum


class GleaneryError(Exception):
    """Something we foresaw; the command ends with exit code 1, the API answers with a problem.

    `retry_after` is the number of seconds after which it is worth trying again, if that is known.
    """

    status = 500
    retry_after: float | None = None


class BadSetting(GleaneryError):
    """A setting has a value that cannot be used; nothing starts until it is mended."""


class DatabaseProblem(GleaneryError):
    """The database cannot be used now; what is stored stays as it was, and later it may be tried again."""

    status = 503
    retry_after = 10


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


class ComeAgain(GleaneryError):
    """More was asked than is done at one time or for one caller; nothing was changed, and later it may be done."""

    retry_after: int

    def __init__(self, sentence: str, status: int, retry_after: int) -> None:
        super().__init__(sentence)
        self.status = status
        self.retry_after = retry_after


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


class Unfetched(GleaneryError):
    """An address brought nothing that can be read; nothing was stored, and later it may bring something."""

    status = 424


class Unreadable(GleaneryError):
    """A page came, but its content could not be read in the time and memory it may take; the crawl goes on without."""

    status = 502


class ProviderProblem(StrEnum):
    """Why a search provider gave nothing. Only limits, times and lost connections mend themselves."""

    AUTH = "auth"
    RATE_LIMIT = "rate_limit"
    QUOTA = "quota"
    TIMEOUT = "timeout"
    NETWORK = "network"
    BAD_RESPONSE = "bad_response"


PASSING_PROBLEMS = frozenset({ProviderProblem.RATE_LIMIT, ProviderProblem.TIMEOUT, ProviderProblem.NETWORK})


class ProviderFailure(GleaneryError):
    """A search provider gave no results; its failure is counted, and the other providers go on.

    `worth_retrying` follows from the kind unless the provider's own word says otherwise. `retry_after` is how many
    seconds the provider asks us to wait; `tries` and `elapsed` tell what was spent, as they do for an answer.
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

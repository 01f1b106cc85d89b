"""Maps network errors to a kind and a sentence; addresses and details only go to the log."""

from __future__ import annotations

import aiohttp
import structlog

from gleanery.errors import FetchError, FetchProblem

log = structlog.get_logger(__name__)

LONGEST_DETAIL = 200  # some errors quote what the site sent

SENTENCES = {
    FetchProblem.BAD_URL: "This is not a web address that can be fetched.",
    FetchProblem.SCHEME: "Only addresses that begin with http:// or https:// are fetched.",
    FetchProblem.PORT: "Only the usual web ports, 80 and 443, are fetched.",
    FetchProblem.BLOCKED_ADDRESS: "This site is not on the public internet, so it is not fetched.",
    FetchProblem.DNS: "The host name of this site cannot be resolved.",
    FetchProblem.CONNECT: "The site refused the connection or could not be reached.",
    FetchProblem.TLS: "The site's certificate is not valid, so nothing was read from it.",
    FetchProblem.TIMEOUT: "The site did not respond in time.",
    FetchProblem.RESET: "The connection broke before the response was complete.",
    FetchProblem.TOO_LARGE: "The site's response is too large to be read.",
    FetchProblem.BAD_RESPONSE: "The site's response could not be understood.",
    FetchProblem.TOO_MANY_REDIRECTS: "The site redirected too many times.",
    FetchProblem.REDIRECT_REFUSED: "The configured server redirected to another address, which is not followed.",
}


class RefusedError(OSError):
    """The guard refused an address; an OSError, since aiohttp passes these on unchanged."""


# The first match counts, so subclasses come before their bases.
KINDS: tuple[tuple[type[BaseException], FetchProblem], ...] = (
    (TimeoutError, FetchProblem.TIMEOUT),
    (aiohttp.ClientSSLError, FetchProblem.TLS),
    (aiohttp.ClientConnectorDNSError, FetchProblem.DNS),
    (aiohttp.ClientConnectorError, FetchProblem.CONNECT),
    (aiohttp.ClientPayloadError, FetchProblem.RESET),
    (aiohttp.ClientConnectionError, FetchProblem.RESET),
    (aiohttp.InvalidURL, FetchProblem.BAD_URL),
    (aiohttp.ClientError, FetchProblem.BAD_RESPONSE),
    (OSError, FetchProblem.CONNECT),
)


def refuse(kind: FetchProblem) -> FetchError:
    return FetchError(kind, SENTENCES[kind])


def explain(problem: BaseException, origin: str, *, is_logged: bool = True) -> FetchError:
    """Log an error from aiohttp or the system and return the FetchError for callers.

    Only the origin is logged: paths and queries, which some error texts quote, may contain keys.
    """
    error = _error_of(problem)
    if not is_logged:
        return error
    detail = str(getattr(problem, "os_error", None) or getattr(problem, "message", ""))[:LONGEST_DETAIL]
    log.info("fetch failed", kind=str(error.kind), origin=origin, cause=type(problem).__name__, detail=detail)
    return error


def _error_of(problem: BaseException) -> FetchError:
    if isinstance(problem, FetchError):
        return problem
    if isinstance(getattr(problem, "os_error", None), RefusedError):
        return refuse(FetchProblem.BLOCKED_ADDRESS)
    return refuse(next(kind for fits, kind in KINDS if isinstance(problem, fits)))

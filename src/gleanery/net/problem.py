"""From what went wrong to one kind and one sentence; addresses and other details go to the log alone."""

from __future__ import annotations

import aiohttp
import structlog

from gleanery.errors import FetchError, FetchProblem

log = structlog.get_logger(__name__)

LONGEST_DETAIL = 200  # some errors repeat what the site sent

SENTENCES = {
    FetchProblem.BAD_URL: "This is not a web address that can be fetched.",
    FetchProblem.SCHEME: "Only addresses that begin with http:// or https:// are fetched.",
    FetchProblem.PORT: "Only the usual web ports, 80 and 443, are fetched.",
    FetchProblem.BLOCKED_ADDRESS: "This site is not on the public internet, so it is not fetched.",
    FetchProblem.DNS: "The name of this site is not known on the internet.",
    FetchProblem.CONNECT: "No connection to the site could be made.",
    FetchProblem.TLS: "The site's certificate is not valid, so nothing was read from it.",
    FetchProblem.TIMEOUT: "The site did not finish its answer in time.",
    FetchProblem.RESET: "The connection broke before the answer was complete.",
    FetchProblem.TOO_LARGE: "The site's answer is larger than is read.",
    FetchProblem.BAD_RESPONSE: "The site's answer could not be understood.",
    FetchProblem.TOO_MANY_REDIRECTS: "The site sent us on from address to address too many times.",
    FetchProblem.REDIRECT_REFUSED: "The configured server sent us to another address, which is not followed.",
}


class RefusedError(OSError):
    """The guard said no. An OSError, since those travel through aiohttp unharmed."""


# The first class that fits decides, so the special ones stand before their bases.
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


def explain(problem: BaseException, origin: str, *, is_news: bool = True) -> FetchError:
    """The error that callers see for one that aiohttp or the system raised.

    Only the origin is logged: paths and queries, which the text of some errors repeats, may carry keys.
    """
    error = _error_of(problem)
    if not is_news:
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

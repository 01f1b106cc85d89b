"""Canonical addresses: two links to the same page get the same address, which can still be fetched."""

from __future__ import annotations

import re

import ada_url

from gleanery.domains.authority import objection, split_address
from gleanery.errors import InvalidUrl
from gleanery.text import clean_text

LONGEST = 2000

# Parameters that tell the site where the visitor came from, never which page is wanted.
TRACKING = {
    "fbclid": "Facebook",
    "gclid": "Google Ads",
    "gclsrc": "Google Ads",
    "gbraid": "Google Ads",
    "wbraid": "Google Ads",
    "dclid": "Google Display",
    "srsltid": "Google search results",
    "_ga": "Google Analytics",
    "_gl": "Google Analytics",
    "msclkid": "Microsoft Ads",
    "yclid": "Yandex",
    "ysclid": "Yandex",
    "ttclid": "TikTok",
    "twclid": "Twitter",
    "igshid": "Instagram",
    "igsh": "Instagram",
    "li_fat_id": "LinkedIn",
    "mc_cid": "Mailchimp campaign",
    "mc_eid": "Mailchimp reader",
    "mkt_tok": "Marketo reader",
    "_hsenc": "HubSpot reader",
    "_hsmi": "HubSpot mailing",
    "vero_id": "Vero reader",
    "oly_enc_id": "Omeda reader",
    "oly_anon_id": "Omeda reader",
    "wickedid": "Wicked Reports",
    "_openstat": "OpenStat",
}
TRACKING_FAMILIES = ("utm_", "mtm_", "pk_campaign", "pk_kwd", "hsa_")  # Urchin and all since, Matomo, HubSpot ads

# Ids of a visit, not of a page. A bare "sid" or "session" stays: it may be a section or a conference session.
SESSIONS = frozenset({"phpsessid", "jsessionid", "cfid", "cftoken"})

_PATH_SESSION = re.compile(r";jsessionid=[^/;]*", re.IGNORECASE)
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})?")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_IGNORED_BY_BROWSERS = str.maketrans("", "", "\t\n\r")


def canonical_url(url: str) -> str:
    """Return the canonical form of an absolute web address, without fragment; InvalidUrl says why there is none."""
    text = url.strip().translate(_IGNORED_BY_BROWSERS)
    parts = _parsed(text)
    path = _PATH_SESSION.sub("", _escaped_once(parts["pathname"]))
    query = _without_noise(_escaped_once(parts["search"].removeprefix("?")))
    host = _host(parts["hostname"], url)
    port = f":{parts['port']}" if parts["port"] else ""
    # Cutting out a session can leave a dot segment; parsing once more resolves it.
    canonical = ada_url.normalize_url(f"{parts['protocol']}//{host}{port}{path}{query and '?' + query}")
    if len(canonical) > LONGEST:
        raise _invalid(url, f"is longer than {LONGEST} characters")
    return canonical


def _parsed(text: str) -> ada_url.ada_adapter.ParseAttributes:
    if len(text) > LONGEST:
        raise _invalid(text, f"is longer than {LONGEST} characters")
    address = split_address(text)
    if not address.scheme:
        raise _invalid(text, "is not a full web address: it must begin with http:// or https://")
    reason = objection(address)
    if reason:
        raise _invalid(text, reason)
    try:
        return ada_url.parse_url(text, ("protocol", "hostname", "port", "pathname", "search"))
    except ValueError:
        raise _invalid(text, "is not a web address") from None


def _host(hostname: str, url: str) -> str:
    """Return the host without a final dot, which DNS ignores but certificates and sites do not expect."""
    host = hostname.removesuffix(".")
    if not all(host.split(".")):
        raise _invalid(url, "has two dots in a row")
    return host


def _escaped_once(text: str) -> str:
    """Return the text with upper-case escapes, only where needed, and without bare percent signs."""
    return _ESCAPE.sub(_escape, text) if "%" in text else text


def _escape(found: re.Match[str]) -> str:
    if not found[1]:
        return "%25"
    character = chr(int(found[1], 16))
    return character if character in _UNRESERVED else found[0].upper()


def _without_noise(query: str) -> str:
    """Return the parameters without noise, sorted by name; equal names keep their order, which may matter."""
    pairs = [(pair.partition("=")[0], pair) for pair in query.split("&") if pair]
    kept = [(name, pair) for name, pair in pairs if not _is_noise(name.lower())]
    return "&".join(pair for _, pair in sorted(kept, key=lambda each: each[0]))


def _is_noise(name: str) -> bool:
    return name in TRACKING or name in SESSIONS or name.startswith(TRACKING_FAMILIES)


def _invalid(given: str, reason: str) -> InvalidUrl:
    return InvalidUrl(f"“{clean_text(given, limit=60)}” {reason}.")

"""Settings from environment variables, read once; an invalid value is reported in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal
from pathlib import Path
from typing import TypeVar

from gleanery.errors import BadSetting
from gleanery.setting_values import (
    addresses,
    browser,
    database_url,
    directory,
    fraction,
    hosts,
    mail_server,
    mailbox,
    page,
    provider_urls,
    some_directory,
    suffixes,
    text,
    web_url,
    whole,
)

T = TypeVar("T")


def setting(name: str, parse: Callable[[str], T], default: str, help: str, *, secret: bool = False) -> T:  # noqa: A002
    """Declare one setting: variable name, parser, default as text, and help."""
    return field(
        default_factory=lambda: parse(default),
        metadata={"name": name, "parse": parse, "default": default, "help": help, "secret": secret},
        repr=not secret,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """All settings of the operator; docs/settings.md is generated from this class."""

    database_url: str = setting(
        "GLEANERY_DATABASE_URL",
        database_url,
        "",
        "PostgreSQL server (15 or newer) to use. Unset: Gleanery runs its own in the data directory.",
        secret=True,
    )
    data_dir: Path = setting(
        "GLEANERY_DATA_DIR",
        directory,
        "",
        "Directory for all data. Unset: the platform's data directory; for root /var/lib/gleanery.",
    )
    backup_dir: Path | None = setting(
        "GLEANERY_BACKUP_DIR",
        some_directory,
        "",
        "Directory for nightly backups, preferably on another disk. Unset: no backups are written.",
    )
    backup_keep: int = setting("GLEANERY_BACKUP_KEEP", whole(1, 1000), "7", "Number of nightly backups to keep.")
    secret_key: str = setting(
        "GLEANERY_SECRET_KEY",
        text,
        "",
        "Signs sessions. Unset: generated once and kept in the data directory.",
        secret=True,
    )
    allowed_hosts: tuple[str, ...] = setting(
        "GLEANERY_ALLOWED_HOSTS",
        hosts,
        "localhost,127.0.0.1,[::1]",
        "Host names under which people reach Gleanery.",
    )
    public_url: str = setting(
        "GLEANERY_PUBLIC_URL",
        web_url,
        "",
        "Address under which people reach Gleanery through your web server, e.g. https://gleanery.example.org. "
        "X-Forwarded-For counts only if this is set.",
    )
    port: int = setting("GLEANERY_PORT", whole(1, 65535), "8000", "Port of the web server.")
    contact: str = setting(
        "GLEANERY_CONTACT",
        text,
        "",
        "E-mail address or web page where owners of crawled sites can reach you; part of the user agent.",
    )
    data_licence: str = setting(
        "GLEANERY_DATA_LICENCE",
        page,
        "https://creativecommons.org/licenses/by/4.0/",
        "The licence under which others may use what you publish; part of feeds that must name one.",
    )
    trusted_suffixes: tuple[str, ...] = setting(
        "GLEANERY_TRUSTED_SUFFIXES",
        suffixes,
        "",
        "Domains under these suffixes need no approval, e.g. gov,gov.bg.",
    )
    preview_pages: int = setting(
        "GLEANERY_PREVIEW_PAGES",
        whole(0, 100),
        "10",
        "Number of pages fetched to preview a proposed source; 0 for none.",
    )
    browser: str = setting(
        "GLEANERY_BROWSER",
        browser,
        "",
        "Renders pages that consist mainly of scripts: on, or the path of a Chromium. Off by default. "
        "Needs the extra `browser`.",
    )
    confidence_threshold: Decimal = setting(
        "GLEANERY_CONFIDENCE_THRESHOLD", fraction, "0.60", "Confidence from which a domain is proposed as a source."
    )
    net_resolve: dict[str, tuple[str, int]] = setting(
        "GLEANERY_NET_RESOLVE",
        addresses,
        "",
        "Fixed addresses, name=ip:port,..., exempt from the guard: for tests, demos and intranets.",
    )
    llm_model: str = setting("GLEANERY_LLM_MODEL", text, "", "Optional language model that helps with extraction.")
    llm_base_url: str = setting("GLEANERY_LLM_BASE_URL", web_url, "", "Address of the language model.")
    llm_api_key: str = setting("GLEANERY_LLM_API_KEY", text, "", "API key for the language model.", secret=True)
    smtp_url: str = setting(
        "GLEANERY_SMTP_URL",
        mail_server,
        "",
        "Your mail server, smtp://user:password@host:587 or smtps://...: turns on e-mails about saved searches.",
        secret=True,
    )
    smtp_from: str = setting(
        "GLEANERY_SMTP_FROM", mailbox, "", "The sender of these e-mails, e.g. Gleanery <news@example.org>."
    )
    brave_api_key: str = setting("BRAVE_API_KEY", text, "", "Turns on Brave Search.", secret=True)
    serper_api_key: str = setting("SERPER_API_KEY", text, "", "Turns on Serper.", secret=True)
    tavily_api_key: str = setting("TAVILY_API_KEY", text, "", "Turns on Tavily.", secret=True)
    perplexity_api_key: str = setting("PERPLEXITY_API_KEY", text, "", "Turns on Perplexity.", secret=True)
    searxng_url: str = setting(
        "SEARXNG_URL", web_url, "", "Turns on SearXNG at this address, e.g. http://localhost:8080."
    )
    provider_urls: dict[str, str] = setting(
        "GLEANERY_PROVIDER_URLS",
        provider_urls,
        "",
        "Other addresses for search providers, name=url,...: for tests, demos and gateways of your own.",
    )
    near_duplicate_threshold: Decimal = setting(
        "DEDUP_NEAR_DUPLICATE_THRESHOLD",
        fraction,
        "0.4",
        "Trigram similarity of names above which two events at the same venue with overlapping dates are flagged.",
    )
    place_review_threshold: Decimal = setting(
        "DEDUP_PLACE_REVIEW_THRESHOLD", fraction, "0.6", "Match probability from which two places are flagged."
    )
    place_auto_merge_threshold: Decimal = setting(
        "DEDUP_PLACE_AUTO_MERGE_THRESHOLD", fraction, "0.95", "Match probability from which two places are merged."
    )
    org_review_threshold: Decimal = setting(
        "DEDUP_ORG_REVIEW_THRESHOLD", fraction, "0.6", "Match probability from which two organisations are flagged."
    )
    org_auto_merge_threshold: Decimal = setting(
        "DEDUP_ORG_AUTO_MERGE_THRESHOLD", fraction, "0.95", "Match probability from which two organisations are merged."
    )

    def __post_init__(self) -> None:
        if self.smtp_url and not self.smtp_from:
            raise BadSetting("GLEANERY_SMTP_URL needs a sender: set GLEANERY_SMTP_FROM to the address to send from.")
        for review, merge in (
            ("place_review_threshold", "place_auto_merge_threshold"),
            ("org_review_threshold", "org_auto_merge_threshold"),
        ):
            if getattr(self, merge) < getattr(self, review):
                raise BadSetting(
                    f"{variable_of(merge)} ({getattr(self, merge)}) is below {variable_of(review)} "
                    f"({getattr(self, review)}): set it to at least {getattr(self, review)}."
                )


def variable_of(attribute: str) -> str:
    return next(str(each.metadata["name"]) for each in fields(Environment) if each.name == attribute)


def read(environ: Mapping[str, str]) -> Environment:
    """Read all settings; an empty variable counts as unset, as compose files and units write it."""
    values = {}
    for each in fields(Environment):
        name, secret = each.metadata["name"], each.metadata["secret"]
        given = environ.get(name, "")
        if not given.strip():
            given = each.metadata["default"]
        try:
            values[each.name] = each.metadata["parse"](given)
        except ValueError as problem:
            shown = "has an invalid value" if secret else f"cannot be {given!r}"
            raise BadSetting(f"{name} {shown}: set it to {problem}.") from None
    return Environment(**values)

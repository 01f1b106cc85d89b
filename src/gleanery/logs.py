"""Logging: JSON in production, readable on a terminal, and without secrets in both."""

from __future__ import annotations

import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from gleanery.text import for_a_terminal

SECRET_NAMES = re.compile(r"password|passwd|secret|token|authorization|cookie|api[-_]?key|credential", re.IGNORECASE)
# API keys, authorization headers, passwords in addresses, login links, and `password=...` anywhere in a text.
SECRET_TEXTS = re.compile(
    r"(glean_)\w+|((?:Bearer|Basic)\s+)\S+|(://[^\s:/@]*:)[^\s@]+(?=@)|(/login/)[\w-]+"
    r"|((?:password|secret|token|api[-_]?key)['\"]?\s*[=:]\s*)[^\s&,;]+",
    re.IGNORECASE,
)
PLAIN = (int, float, type(None))
HIDDEN = "[hidden]"

Event = MutableMapping[str, Any]


def hide_secrets(_logger: object, _method: str, event: Event) -> Event:
    """Hide values of fields with secret names, and secrets within any text (structlog processor)."""
    for name, value in event.items():
        if SECRET_NAMES.search(name) and value is not None:
            event[name] = HIDDEN
        else:
            event[name] = without_secrets(value)
    return event


def clean(_logger: object, _method: str, event: Event) -> Event:
    """Remove control characters before output to a terminal (structlog processor); JSON escapes them anyway."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = for_a_terminal(value)
    return event


def without_secrets(value: Any) -> Any:
    if isinstance(value, str):
        return SECRET_TEXTS.sub(lambda hit: "".join(group or "" for group in hit.groups()) + HIDDEN, value)
    if isinstance(value, dict):
        return {
            key: HIDDEN if isinstance(key, str) and SECRET_NAMES.search(key) else without_secrets(inner)
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [without_secrets(inner) for inner in value]
    # Other values, such as requests or errors, would be converted to text later.
    return value if isinstance(value, PLAIN) else without_secrets(str(value))


def logging_settings(*, pretty: bool) -> dict[str, Any]:
    """Return Django's LOGGING, which formats structlog and the standard library alike."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    # Tracebacks may contain secrets, so they become text before secrets are hidden.
    last: list[Any] = [structlog.stdlib.ProcessorFormatter.remove_processors_meta, structlog.processors.format_exc_info]
    renderers: Any = [clean, structlog.dev.ConsoleRenderer()] if pretty else [structlog.processors.JSONRenderer()]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,  # a cached logger would keep the old configuration
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": [*shared, structlog.stdlib.ExtraAdder()],
                "processors": [*last, hide_secrets, *renderers],
            }
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines", "stream": "ext://sys.stderr"}},
        # On a terminal only what needs attention.
        "root": {"handlers": ["stderr"], "level": "WARNING" if pretty else "INFO"},
        "loggers": {
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
            "procrastinate": {"level": "WARNING"},
            "psycopg.pool": {"level": "ERROR"},  # it logs every attempt while the database is unavailable
            "axes": {"level": "WARNING"},
        },
    }


def on_a_terminal() -> bool:
    return sys.stderr.isatty()

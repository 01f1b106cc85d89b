"""Contacts of a source as commands show them."""

from __future__ import annotations

from typing import Any

from gleanery.interfaces.cli.terminal.output import say, table

COLUMNS = ("name", "role", "type", "authority", "email", "phone", "address", "validated_at")
SPARE = ("address", "validated_at", "authority", "type", "role")


def print_contacts(contacts: list[dict[str, Any]], empty: str = "") -> None:
    if contacts or empty:
        say("\nContacts:" if contacts else empty)
    if contacts:
        table([[each[name] for name in COLUMNS] for each in contacts], *COLUMNS, empty="", spare=SPARE)

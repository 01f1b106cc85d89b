"""Secrets that are shown once and stored only as digests: API keys and login links."""

from __future__ import annotations

import hashlib
import re
import secrets
import string
from dataclasses import dataclass

KEY_SHAPE = re.compile(r"glean_([a-z0-9]{8})_([A-Za-z0-9]{40})")
ALPHABET = string.ascii_letters + string.digits


@dataclass(frozen=True, slots=True)
class KeyText:
    """`glean_<prefix>_<secret>`: the prefix finds the row, the digest of the secret proves the key."""

    prefix: str
    secret: str

    @property
    def digest(self) -> str:
        return digest(self.secret)

    def __str__(self) -> str:
        return f"glean_{self.prefix}_{self.secret}"


def new_key() -> KeyText:
    prefix = "".join(secrets.choice(string.ascii_lowercase + string.digits) for _ in range(8))
    return KeyText(prefix, "".join(secrets.choice(ALPHABET) for _ in range(40)))


def read_key(text: str) -> KeyText | None:
    shape = KEY_SHAPE.fullmatch(text.strip())
    return KeyText(*shape.groups()) if shape else None


def digest(secret: str) -> str:
    """Return a SHA-256 digest; a slow hash is not needed for secrets of over 200 random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()

"""Signatures of Standard Webhooks: an HMAC over the id, the time and the body of a message. Pure."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from datetime import datetime

PREFIX = "whsec_"
SIZE = 32


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(SIZE)).decode()


def signature(secret: str, message_id: str, at: int, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = f"{message_id}.{at}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def headers(secret: str, message_id: str, now: datetime, body: bytes) -> dict[str, str]:
    at = int(now.timestamp())
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(at),
        "webhook-signature": signature(secret, message_id, at, body),
        "Content-Type": "application/json",
    }

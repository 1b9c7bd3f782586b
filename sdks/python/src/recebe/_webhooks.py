from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable, Sequence
from typing import Protocol, cast

from ._errors import WebhookVerificationError
from .generated.resources import WebhookEvent

# The difference that Standard Webhooks allows between the clocks of sender and receiver.
_TOLERANCE_SECONDS = 300

_SECRET_PREFIX = "whsec_"

# Padded base64 of at least one byte. Other text after `whsec_` belongs to a secret that is plain text.
_BASE64 = re.compile(r"(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class Headers(Protocol):
    """The headers of a delivery, as every framework has them."""

    def items(self) -> Iterable[tuple[str, str]]: ...


def verify_webhook(
    raw_body: bytes | str,
    signature: Headers | str,
    secret: str | Sequence[str],
) -> WebhookEvent:
    """
    Verifies that a delivery was signed with your webhook's secret, and returns its event.

    :param raw_body: the bytes of the body as they arrived. JSON that was parsed and written again does not verify.
    :param signature: the request's headers, of which the three of Standard Webhooks are used. They also protect against
        a delivery that is sent again much later. A string is the value of `X-Webhook-Signature`, which does not.
    :param secret: the webhook's secret. While you change it, give both: a list of the new and the previous one.
    :returns: the event. Its name may be one that this release does not know, so ignore names that you do not handle.
    :raises WebhookVerificationError: if no secret signed it, or its time differs by more than five minutes.
    """
    secrets = [each for each in ([secret] if isinstance(secret, str) else secret) if each]
    if not secrets:
        raise WebhookVerificationError("The secret is missing")
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    genuine = (
        _is_signed(body, [signature], [each.encode() for each in secrets])
        if isinstance(signature, str)
        else _is_standard(body, signature, [_standard_key(each) for each in secrets])
    )
    if not genuine:
        raise WebhookVerificationError("No signature of the delivery was made with this secret")
    return cast(WebhookEvent, json.loads(body))


def _is_standard(body: bytes, headers: Headers, keys: Sequence[bytes]) -> bool:
    """Standard Webhooks signs `id.timestamp.body` (standardwebhooks.com)."""
    delivery_id, timestamp, signatures = (_only(headers, f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not re.fullmatch(r"[0-9]{1,15}", timestamp) or abs(time.time() - int(timestamp)) > _TOLERANCE_SECONDS:
        raise WebhookVerificationError(
            f"webhook-timestamp differs by more than {_TOLERANCE_SECONDS} seconds from this machine's clock"
        )
    v1 = [each.removeprefix("v1,") for each in signatures.split(" ") if each.startswith("v1,")]
    return _is_signed(f"{delivery_id}.{timestamp}.".encode() + body, v1, keys)


def _only(headers: Headers, name: str) -> str:
    values = [value for key, value in headers.items() if key.lower() == name]
    if len(values) != 1 or not values[0]:
        raise WebhookVerificationError(f"The header {name} is missing or repeated")
    return values[0]


def _is_signed(signed: bytes, signatures: Sequence[str], keys: Sequence[bytes]) -> bool:
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    received = [_decoded(signature) for signature in signatures]
    # Every pair is compared in constant time, so that the time says nothing about a secret.
    return any([hmac.compare_digest(one, other) for one in expected for other in received])


def _standard_key(secret: str) -> bytes:
    encoded = secret.removeprefix(_SECRET_PREFIX) if secret.startswith(_SECRET_PREFIX) else ""
    return base64.b64decode(encoded) if _BASE64.fullmatch(encoded) else secret.encode()


def _decoded(signature: str) -> bytes:
    try:
        return base64.b64decode(signature, validate=True)
    except (binascii.Error, ValueError):
        return b""

from __future__ import annotations

import builtins
import time
from collections.abc import Mapping, Sequence
from email.utils import parsedate_to_datetime
from typing import Any, NotRequired, TypedDict, cast


class Issue(TypedDict):
    """One field that is wrong."""

    path: str
    """Where in the body or the address, such as `data.amount`."""
    message: str
    rule: NotRequired[str]
    """For programs. Some issues have none."""


class RecebeError(Exception):
    """What this package raises."""


class ApiError(RecebeError):
    """The service refused the request, or could not carry it out."""

    def __init__(self, status: int, headers: Mapping[str, str], answer: object, text: str) -> None:
        failure = _failure_of(answer)
        excerpt = text.strip()[:200]
        super().__init__(failure.get("error") or f"HTTP {status}: {excerpt}")
        self.status = status
        """The HTTP status, such as 422."""
        self.code: str = failure.get("code") or "UNKNOWN"
        """For programs. `UNKNOWN` if the answer is not from Recebe, but from a proxy in front of it."""
        self.rule: str | None = failure.get("rule")
        """The rule that was broken, if the code covers several."""
        self.issues: Sequence[Issue] = failure.get("issues") or []
        """Each field that is wrong."""
        self.decline_reason: str | None = failure.get("declineReason")
        """Why a card was declined."""
        self.request_id: str | None = headers.get("x-request-id")
        """Give it to the operator of the service to find the request in the logs."""
        self.retry_after_seconds = _seconds_of(headers.get("retry-after"))
        """How long to wait before the next request, with a 429 or 503."""


class ConnectionError(RecebeError, builtins.ConnectionError):
    """No answer arrived. The service may have carried the request out."""


class TimeoutError(ConnectionError, builtins.TimeoutError):
    """No answer arrived in time. The service may have carried the request out."""


class WebhookVerificationError(RecebeError):
    """A delivery was not signed with your secret, or is too old. Respond with 400 and do not use it."""


def _failure_of(answer: object) -> dict[str, Any]:
    if not isinstance(answer, dict):
        return {}
    failure = cast("dict[str, Any]", answer)
    return failure if isinstance(failure.get("error"), str) else {}


def _seconds_of(header: str | None) -> float | None:
    """`Retry-After` in seconds; it may also be a date (RFC 9110, section 10.2.3)."""
    if header is None or header.strip() == "":
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None

from __future__ import annotations

import random

from ._errors import ApiError, ConnectionError

_FIRST_DELAY_SECONDS = 0.5
_LONGEST_DELAY_SECONDS = 8.0

# A caller should not be kept waiting longer than this: it gets the error with its `retry_after_seconds`.
_LONGEST_RETRY_AFTER_SECONDS = 60.0

# Answers after which the same request may succeed. Every POST has a key, so repeating it is safe.
_TEMPORARY = {429, 500, 502, 503, 504}


def retry_delay_seconds(error: Exception, attempt: int) -> float | None:
    """How long to wait before the next attempt, or None to give up. `attempt` counts those that failed, from 1."""
    if not _is_temporary(error):
        return None
    after = error.retry_after_seconds or 0.0 if isinstance(error, ApiError) else 0.0
    if after > _LONGEST_RETRY_AFTER_SECONDS:
        return None
    backoff = min(_FIRST_DELAY_SECONDS * 2.0 ** (attempt - 1), _LONGEST_DELAY_SECONDS)
    # Clients that failed together should not come back together.
    return max(after, backoff * random.uniform(0.5, 1.0))


def _is_temporary(error: Exception) -> bool:
    if isinstance(error, ConnectionError):
        return True
    if not isinstance(error, ApiError):
        return False
    # The first attempt may still be running when the second one arrives.
    return error.status in _TEMPORARY or error.code == "IDEMPOTENCY_KEY_IN_FLIGHT"

"""Take payments in Brazil with Recebe: PIX, boleto and card, subscriptions, payouts and signed webhooks."""

from ._errors import ApiError, ConnectionError, Issue, RecebeError, TimeoutError, WebhookVerificationError
from ._pages import Page, Pages
from ._recebe import Recebe
from ._webhooks import verify_webhook
from .generated import types
from .generated.resources import WebhookEvent
from .generated.version import VERSION as __version__

__all__ = [
    "ApiError",
    "ConnectionError",
    "Issue",
    "Page",
    "Pages",
    "Recebe",
    "RecebeError",
    "TimeoutError",
    "WebhookEvent",
    "WebhookVerificationError",
    "__version__",
    "types",
    "verify_webhook",
]

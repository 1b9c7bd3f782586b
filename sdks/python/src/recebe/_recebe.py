from __future__ import annotations

from types import TracebackType

import httpx

from ._http import HttpClient
from ._webhooks import verify_webhook
from .generated.resources import Resources, WebhooksResource


class VerifiedWebhooks(WebhooksResource):
    """Endpoints that receive events, the deliveries to them, and what verifies a delivery."""

    verify = staticmethod(verify_webhook)


class Recebe(Resources):
    """
    The API of a Recebe service. It may be shared by threads. Close it, or use it in a `with` statement.

    :param api_key: `abc_dev_…` or `abc_prod_…`. Keep it on your server.
    :param base_url: where the service runs, such as `https://pay.example.com`.
    :param timeout: how many seconds connecting, sending and each wait for an answer may take.
    :param max_retries: how often a request is repeated after its first attempt.
    :param transport: of httpx, for proxies and tests.
    """

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = 30.0,
        max_retries: int = 2,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http = HttpClient(api_key, base_url, timeout, max_retries, transport)
        super().__init__(self._http)
        self.webhooks: VerifiedWebhooks = VerifiedWebhooks(self._http)

    def close(self) -> None:
        """Closes the connections to the service."""
        self._http.close()

    def __enter__(self) -> Recebe:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx

from ._errors import ApiError, ConnectionError, TimeoutError
from ._pages import Pages
from ._retries import retry_delay_seconds
from .generated.version import VERSION

Query = Mapping[str, object]


class HttpClient:
    """Sends requests, repeats those that may succeed later, and raises typed errors."""

    def __init__(
        self,
        api_key: str,
        base_url: str,
        timeout: float,
        max_retries: int,
        transport: httpx.BaseTransport | None,
    ) -> None:
        if not api_key:
            raise ValueError("api_key is missing: give a key of your store, abc_dev_… or abc_prod_…")
        if urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError(
                "base_url must be the address of your Recebe service, such as https://pay.example.com"
            )
        self._timeout = timeout
        self._max_retries = max_retries
        self._client = httpx.Client(
            base_url=base_url.rstrip("/").removesuffix("/v2"),
            headers={
                "Authorization": f"Bearer {api_key}",
                "Accept": "application/json",
                "User-Agent": f"recebe-python/{VERSION}",
            },
            # A redirect would turn a POST into a GET, and may lead elsewhere.
            follow_redirects=False,
            transport=transport,
        )

    def close(self) -> None:
        self._client.close()

    def get(self, path: str, query: Query, timeout: float | None) -> Any:
        return self._read(path, query, timeout)["data"]

    def pages(self, path: str, query: Query, timeout: float | None) -> Pages[Any]:
        return Pages(query, lambda of: self._read(path, of, timeout))

    def post(self, path: str, body: object, idempotency_key: str | None, timeout: float | None) -> Any:
        """Sends the same `Idempotency-Key` with every attempt, so that the service carries it out once."""
        request = self._client.build_request(
            "POST",
            path,
            json={} if body is None else body,
            headers={"Idempotency-Key": idempotency_key or str(uuid.uuid4())},
            timeout=self._timeout if timeout is None else timeout,
        )
        return self._send(request)["data"]

    def _read(self, path: str, query: Query, timeout: float | None) -> Any:
        seconds = self._timeout if timeout is None else timeout
        return self._send(self._client.build_request("GET", path, params=_parameters(query), timeout=seconds))

    def _send(self, request: httpx.Request) -> Any:
        attempt = 1
        while True:
            try:
                return self._attempt(request)
            except (ApiError, ConnectionError) as error:
                delay = None if attempt > self._max_retries else retry_delay_seconds(error, attempt)
                if delay is None:
                    raise
            time.sleep(delay)
            attempt += 1

    def _attempt(self, request: httpx.Request) -> Any:
        try:
            response = self._client.send(request)
        except httpx.TimeoutException as error:
            raise TimeoutError("No answer in time") from error
        except httpx.RequestError as error:
            raise ConnectionError(f"The service could not be reached: {error}") from error
        answer = _parsed(response.text)
        if not response.is_success:
            raise ApiError(response.status_code, response.headers, answer, response.text)
        if not isinstance(answer, dict):
            raise ConnectionError("The answer is incomplete or not from Recebe")
        return answer


def _parameters(query: Query) -> httpx.QueryParams:
    """Parameters that are None are left out, and `metadata` becomes `metadata[key]=value`."""
    parameters: list[tuple[str, str]] = []
    for name, value in query.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            parameters += [(f"{name}[{key}]", str(of)) for key, of in value.items()]
        else:
            parameters.append((name, str(value)))
    return httpx.QueryParams(tuple(parameters))


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None

"""Tests of what does not depend on single operations. `npm run clients -- --sdks` runs them on the installed wheel."""

import base64
import hashlib
import hmac
import json
import time
import unittest
from collections.abc import Callable

import httpx
from recebe import ApiError, ConnectionError, Recebe, WebhookVerificationError, verify_webhook
from recebe._retries import retry_delay_seconds

BODY = json.dumps({"id": "log_1", "event": "transparent.teleported", "data": {"name": "João"}}).encode()


def client(*replies: Callable[[httpx.Request], httpx.Response]) -> tuple[Recebe, list[httpx.Request]]:
    received: list[httpx.Request] = []
    left = list(replies)

    def reply(request: httpx.Request) -> httpx.Response:
        received.append(request)
        return left.pop(0)(request)

    recebe = Recebe(
        api_key="abc_dev_key", base_url="https://pay.example.com/", transport=httpx.MockTransport(reply)
    )
    return recebe, received


def answer(status: int, body: object, **headers: str) -> Callable[[httpx.Request], httpx.Response]:
    return lambda _: httpx.Response(status, json=body, headers={k.replace("_", "-"): v for k, v in headers.items()})


def lost(request: httpx.Request) -> httpx.Response:
    raise httpx.RemoteProtocolError("closed", request=request)


def charged(_: httpx.Request) -> httpx.Response:
    return httpx.Response(200, json={"data": {"id": "pix_char_1"}, "success": True, "error": None})


def page(ids: list[str], after: str | None) -> Callable[[httpx.Request], httpx.Response]:
    pagination = {"hasMore": after is not None, "next": after, "before": None}
    return answer(200, {"data": [{"id": each} for each in ids], "pagination": pagination})


class Requests(unittest.TestCase):
    def test_retries_with_the_same_idempotency_key(self) -> None:
        recebe, received = client(lost, answer(503, {"error": "busy", "code": "TEMPORARILY_UNAVAILABLE"}), charged)
        charge = recebe.transparents.create({"method": "PIX", "data": {"amount": 2500}})
        self.assertEqual(charge["id"], "pix_char_1")
        keys = [request.headers["idempotency-key"] for request in received]
        self.assertEqual((len(keys), len(set(keys))), (3, 1))

    def test_waits_for_an_attempt_that_still_runs(self) -> None:
        recebe, received = client(answer(409, {"error": "runs", "code": "IDEMPOTENCY_KEY_IN_FLIGHT"}), charged)
        recebe.transparents.create({"method": "PIX", "data": {"amount": 2500}})
        self.assertEqual(len(received), 2)

    def test_gives_up_after_the_retries(self) -> None:
        recebe, received = client(lost, lost, lost)
        with self.assertRaises(ConnectionError):
            recebe.transparents.get(id="pix_char_1")
        self.assertEqual(len(received), 3)

    def test_names_what_is_wrong_without_a_retry(self) -> None:
        issues = [{"path": "data.amount", "message": "must be an integer"}]
        failure = {"error": "data.amount: must be", "code": "VALIDATION_ERROR", "issues": issues}
        recebe, received = client(answer(400, failure, x_request_id="req_1"))
        with self.assertRaises(ApiError) as raised:
            recebe.transparents.create({"method": "PIX", "data": {"amount": 0}})
        error = raised.exception
        self.assertEqual((error.status, error.code, error.request_id), (400, "VALIDATION_ERROR", "req_1"))
        self.assertEqual(error.issues, issues)
        self.assertEqual(len(received), 1)

    def test_follows_no_redirect(self) -> None:
        recebe, received = client(answer(302, {}, location="https://elsewhere.example.com"))
        with self.assertRaises(ApiError) as raised:
            recebe.transparents.get(id="pix_char_1")
        self.assertEqual((raised.exception.status, len(received)), (302, 1))

    def test_reads_every_page_when_needed(self) -> None:
        recebe, received = client(page(["a", "b"], "cursor"), page(["c"], None))
        ids = [each["id"] for each in recebe.transparents.list(metadata={"orderId": "A 1"})]
        self.assertEqual(ids, ["a", "b", "c"])
        queries = [dict(request.url.params) for request in received]
        self.assertEqual(queries, [{"metadata[orderId]": "A 1"}, {"metadata[orderId]": "A 1", "after": "cursor"}])

    def test_waits_as_long_as_retry_after_asks(self) -> None:
        refused = ApiError(429, {"retry-after": "20"}, None, "")
        self.assertEqual(retry_delay_seconds(refused, 1), 20)
        self.assertIsNone(retry_delay_seconds(ApiError(429, {"retry-after": "3600"}, None, ""), 1))
        self.assertIsNone(retry_delay_seconds(ApiError(422, {}, None, ""), 1))


def signed(secret: bytes, age: int = 0, body: bytes = BODY) -> dict[str, str]:
    at = int(time.time()) - age
    digest = hmac.new(secret, f"log_1.{at}.".encode() + body, hashlib.sha256).digest()
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {"Webhook-Id": "log_1", "Webhook-Timestamp": str(at), "Webhook-Signature": signature}


class Webhooks(unittest.TestCase):
    def test_returns_the_event_of_a_genuine_delivery(self) -> None:
        event = json.loads(BODY)
        self.assertEqual(verify_webhook(BODY, signed(b"secret"), "secret"), event)
        self.assertEqual(verify_webhook(BODY.decode(), signed(b"old"), ["new", "old"]), event)
        encoded = "whsec_" + base64.b64encode(b"twenty-four random bytes").decode()
        self.assertEqual(verify_webhook(BODY, signed(b"twenty-four random bytes"), encoded), event)
        self.assertEqual(verify_webhook(BODY, signed(b"whsec_no base64"), "whsec_no base64"), event)
        plain = base64.b64encode(hmac.new(b"secret", BODY, hashlib.sha256).digest()).decode()
        self.assertEqual(verify_webhook(BODY, plain, "secret"), event)

    def test_refuses_every_other_delivery(self) -> None:
        genuine = signed(b"secret")
        refused: list[tuple[bytes, dict[str, str] | str, str]] = [
            (BODY, genuine, "other"),
            (BODY + b" ", genuine, "secret"),
            (BODY, {**genuine, "Webhook-Id": "log_2"}, "secret"),
            (BODY, {**genuine, "webhook-id": "log_1"}, "secret"),
            (BODY, {**genuine, "Webhook-Signature": "v1,%%%"}, "secret"),
            (BODY, {**genuine, "Webhook-Timestamp": "now"}, "secret"),
            (BODY, signed(b"secret", 600), "secret"),
            (BODY, signed(b"secret", -600), "secret"),
            (BODY, {}, "secret"),
            (BODY, "", "secret"),
            (BODY, signed(b""), ""),
        ]
        for body, signature, secret in refused:
            with self.subTest(signature=signature), self.assertRaises(WebhookVerificationError):
                verify_webhook(body, signature, secret)


if __name__ == "__main__":
    unittest.main()

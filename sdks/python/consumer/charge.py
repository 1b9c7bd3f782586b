"""
Uses the installed package as a shop would: charges, is paid in dev mode, and verifies the webhook. `npm run clients`
runs it in an environment that has nothing else.
"""

import os
from http.server import BaseHTTPRequestHandler, HTTPServer
from queue import Queue
from threading import Thread

from recebe import ApiError, Recebe, WebhookEvent, WebhookVerificationError, types

CLIENT = os.environ["RECEBE_CLIENT"]
SECRET = "a secret of the consumer"

recebe = Recebe(api_key=os.environ["RECEBE_KEY"], base_url=os.environ["RECEBE_URL"])
delivered: Queue[WebhookEvent | WebhookVerificationError] = Queue()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        raw_body = self.rfile.read(int(self.headers["content-length"]))
        try:
            delivered.put(recebe.webhooks.verify(raw_body, self.headers, SECRET))
            self.send_response(200)
        except WebhookVerificationError as error:
            delivered.put(error)
            self.send_response(400)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
Thread(target=receiver.serve_forever, daemon=True).start()

webhook = recebe.webhooks.create(
    {
        "name": CLIENT,
        "endpoint": f"http://127.0.0.1:{receiver.server_port}/hooks",
        "secret": SECRET,
        "events": ["transparent.completed"],
    }
)
request: types.TransparentsCreateRequest = {
    "method": "PIX",
    "data": {"amount": 1500, "metadata": {"client": CLIENT}},
}
charge = recebe.transparents.create(request, idempotency_key=f"charge-of-{CLIENT}")
again = recebe.transparents.create(request, idempotency_key=f"charge-of-{CLIENT}")
assert charge["status"] == "PENDING" and again["id"] == charge["id"], (charge, again)
recebe.transparents.simulate_payment({"id": charge["id"]})

while True:
    event = delivered.get(timeout=30)
    assert not isinstance(event, WebhookVerificationError), event
    assert event["event"] == "transparent.completed", event
    # Other programs are paid in the same store.
    if event["data"]["transparent"]["id"] == charge["id"]:
        break
recebe.webhooks.delete({"id": webhook["id"]})

ids = [each["id"] for each in recebe.transparents.list(limit=1, metadata={"client": CLIENT})]
assert ids == [charge["id"]], ids
try:
    recebe.transparents.create({"method": "PIX", "data": {"amount": 0}})
    raise AssertionError("a charge of nothing was made")
except ApiError as error:
    assert error.code == "VALIDATION_ERROR" and error.request_id, error
    assert error.issues[0]["path"] == "data.amount", error.issues
recebe.close()
receiver.shutdown()

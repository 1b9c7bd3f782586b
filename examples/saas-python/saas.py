"""
A small SaaS in Python: a trial, monthly and yearly plans, usage, coupons, an upgrade with proration, the customer portal, and
cancellation at the end of the period. Who may come in follows from webhooks alone. How to run it: README.md beside it.
"""

import os
from dataclasses import dataclass, field
from threading import Lock

import uvicorn
from fastapi import FastAPI, Form, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from recebe import ApiError, Recebe, WebhookVerificationError

PORT = int(os.environ.get("PORT", "4000"))
WEBHOOK_SECRET = os.environ["WEBHOOK_SECRET"]
recebe = Recebe(
    api_key=os.environ["RECEBE_API_KEY"],
    base_url=os.environ.get("RECEBE_API_URL", "http://localhost:3000"),
)

# Prices are in cents. `team` is what `pro` is upgraded to.
PLANS = {
    "basic": {"name": "Plano mensal", "price": 4_900, "cycle": "MONTHLY"},
    "pro": {"name": "Plano anual", "price": 120_000, "cycle": "ANNUALLY", "trialDays": 14},
    "team": {"name": "Plano anual da equipe", "price": 240_000, "cycle": "ANNUALLY"},
}
MESSAGE = {"name": "Mensagem", "price": 25}

# An account that is behind with a payment still comes in, while its card is tried again.
LETS_IN = {"TRIALING", "ACTIVE", "PAST_DUE", "CANCELLING"}


@dataclass
class Account:
    """One customer of ours."""

    customer_id: str
    subscription_id: str | None = None
    state: str = "NONE"
    updated_at: str = ""
    portal_url: str | None = None
    events: list[str] = field(default_factory=list)


# By name. A real SaaS has these in a database.
accounts: dict[str, Account] = {}
handled: set[str] = set()
lock = Lock()
app = FastAPI()


def product_id(external_id: str, product: dict[str, object]) -> str:
    """The id of a product; it is created the first time."""
    try:
        return recebe.products.create({"externalId": external_id, "currency": "BRL", **product})["id"]
    except ApiError as error:
        if error.code != "EXTERNAL_ID_CONFLICT":
            raise
        return recebe.products.get(external_id=external_id)["id"]


def account_of(name: str) -> Account:
    """The account of that name. Answers 404 if there is none."""
    if name not in accounts:
        raise HTTPException(404, "There is no such account.")
    return accounts[name]


def subscription_of(name: str) -> str:
    """The subscription of an account. Answers 409 if it has none yet."""
    subscription_id = account_of(name).subscription_id
    if subscription_id is None:
        raise HTTPException(409, "The account has no subscription yet.")
    return subscription_id


@app.post("/sign-up/{name}")
def sign_up(name: str, email: str = Form(), plan: str = Form("basic"), coupon: str = Form("")) -> Response:
    """Sends the customer to a page of Recebe, where they leave a card."""
    if plan not in ("basic", "pro"):
        raise HTTPException(422, "plan: choose basic or pro")
    if name not in accounts:
        accounts[name] = Account(recebe.customers.create({"name": name.title(), "email": email})["id"])
    checkout = recebe.subscriptions.create({
        "items": [{"id": product_id(f"saas-{plan}", PLANS[plan]), "quantity": 1}],
        "methods": ["CARD"],
        # Webhooks carry it, so we know whose subscription it is.
        "externalId": name,
        "customerId": accounts[name].customer_id,
        "coupons": [coupon] if coupon else [],
        "completionUrl": f"http://localhost:{PORT}/app/{name}",
    })
    return RedirectResponse(checkout["url"], 303)


@app.post("/usage/{name}")
def record_usage(name: str, messages: int = Form(), key: str = Form()) -> dict[str, str]:
    """Charges messages with the next cycle. The same key counts once, however often it is sent."""
    recebe.subscriptions.record_usage(
        {"id": subscription_of(name), "productId": product_id("saas-message", MESSAGE), "units": messages, "action": "add"},
        idempotency_key=f"usage-{name}-{key}",
    )
    return {"recorded": key}


@app.get("/upgrade/{name}")
def preview_upgrade(name: str) -> dict[str, object]:
    """What the upgrade would cost right now."""
    change = {"productId": product_id("saas-team", PLANS["team"]), "quantity": 1, "when": "now", "proration": "difference"}
    return {"charges": recebe.subscriptions.preview({"id": subscription_of(name), "changePlan": change})["charges"]}


@app.post("/upgrade/{name}")
def upgrade(name: str) -> dict[str, object]:
    """Changes to the plan for teams at once. The rest of the year is charged at the new price, less what was paid for it."""
    team = product_id("saas-team", PLANS["team"])
    change = {"id": subscription_of(name), "productId": team, "quantity": 1, "when": "now", "proration": "difference"}
    return {"changedAt": recebe.subscriptions.change_plan(change)["requestedAt"]}


@app.post("/cancel/{name}")
def cancel(name: str) -> dict[str, object]:
    """Ends the subscription with the period that is paid."""
    ended = recebe.subscriptions.cancel({"id": subscription_of(name), "atPeriodEnd": True})
    return {"cancelAt": ended["cancelAt"]}


@app.post("/hooks")
async def receive(request: Request) -> Response:
    """Takes a webhook, and believes it only if its signature is right."""
    try:
        event = recebe.webhooks.verify(await request.body(), request.headers, WEBHOOK_SECRET)
    except WebhookVerificationError as error:
        raise HTTPException(401, "The signature is wrong.") from error
    await run_in_threadpool(handle, event)
    return Response(status_code=204)


def handle(event: dict[str, dict[str, dict[str, str]]]) -> None:
    """Events may come twice, and a later one may come first: each is handled once, and only a newer state counts."""
    subscription = event["data"].get("subscription")
    with lock:
        if event["id"] in handled or subscription is None or subscription["externalId"] not in accounts:
            return
        handled.add(event["id"])
        account = accounts[subscription["externalId"]]
        account.events.append(event["event"])
        if subscription["updatedAt"] < account.updated_at:
            return
        account.subscription_id = subscription["id"]
        account.state = subscription["state"]
        account.updated_at = subscription["updatedAt"]
        account.portal_url = subscription["portalUrl"]


@app.get("/app/{name}", response_class=HTMLResponse)
def enter(name: str) -> Response:
    """The product itself, for those who may come in."""
    account = accounts.get(name)
    if account is None or account.state not in LETS_IN:
        return page(402, "Your account is not paid for.")
    notice = ""
    if account.state == "PAST_DUE":
        notice = f' Your card was declined. <a href="{account.portal_url}">Use another card</a>'
    return page(200, f"Welcome, {name}. ({account.state}){notice}")


@app.get("/accounts/{name}")
def show(name: str) -> dict[str, object]:
    """What we know of an account, and the invoices of its subscription, oldest first."""
    account = account_of(name)
    invoices = recebe.invoices.list(subscription_id=account.subscription_id, limit=100) if account.subscription_id else []
    charged = [{"number": each["number"], "status": each["status"], "amount": each["amount"], "period": each["period"]} for each in invoices]
    return {**account.__dict__, "invoices": charged[::-1]}


@app.get("/", response_class=HTMLResponse)
def front() -> Response:
    """Where customers sign up."""
    fields = '<input name="email" value="ana@example.com"> <select name="plan"><option>pro<option>basic</select>'
    return page(200, f'<form method="post" action="/sign-up/ana">{fields} <button>Sign up as Ana</button></form>')


def page(status: int, body: str) -> HTMLResponse:
    """A page of ours."""
    return HTMLResponse(f"<!doctype html><title>SaaS</title><h1>SaaS</h1><p>{body}</p>", status)


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="warning")

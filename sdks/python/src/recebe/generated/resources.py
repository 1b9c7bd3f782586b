# Made by `npm run sdks` from the API's document. Do not edit.

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from .._http import HttpClient
from .._pages import Pages
from . import types

WebhookEvent: TypeAlias = (
    types.CheckoutCompletedEvent
    | types.CheckoutRefundedEvent
    | types.CheckoutDisputedEvent
    | types.CheckoutLostEvent
    | types.TransparentCompletedEvent
    | types.TransparentRefundedEvent
    | types.TransparentDisputedEvent
    | types.TransparentLostEvent
    | types.SubscriptionCompletedEvent
    | types.SubscriptionCancelledEvent
    | types.SubscriptionRenewedEvent
    | types.SubscriptionTrialStartedEvent
    | types.SubscriptionPlanChangedEvent
    | types.SubscriptionPaymentFailedEvent
    | types.PayoutCompletedEvent
    | types.PayoutFailedEvent
    | types.TransferCompletedEvent
    | types.TransferFailedEvent
    | types.TransparentExpiredEvent
    | types.TransparentCancelledEvent
    | types.TransparentWonEvent
    | types.CheckoutExpiredEvent
    | types.CheckoutPaymentFailedEvent
    | types.CheckoutWonEvent
    | types.SubscriptionTrialEndingEvent
    | types.SubscriptionUpcomingEvent
    | types.SubscriptionCardExpiringEvent
    | types.SubscriptionCardUpdatedEvent
    | types.SubscriptionCancellationScheduledEvent
    | types.SubscriptionPastDueEvent
    | types.SubscriptionTrialChangedEvent
    | types.SubscriptionPausedEvent
    | types.SubscriptionResumedEvent
    | types.SubscriptionPaymentMethodChangedEvent
    | types.SubscriptionAuthorizationRequestedEvent
    | types.SubscriptionAuthorizedEvent
    | types.SubscriptionAuthorizationRefusedEvent
    | types.SubscriptionAuthorizationCancelledEvent
    | types.InvoiceCreatedEvent
    | types.InvoicePaidEvent
    | types.InvoiceVoidEvent
    | types.CustomerUpdatedEvent
    | types.ReminderDueEvent
    | types.NfsePendingEvent
    | types.NfseAuthorizedEvent
    | types.NfseRejectedEvent
    | types.NfseCancellationRequestedEvent
    | types.NfseCancelledEvent
    | types.RefundFailedEvent
    | types.RefundRequestedEvent
    | types.PaymentReturnedEvent
    | types.PayoutReturnedEvent
    | types.TransferReturnedEvent
    | types.WebhookDisabledEvent
)
"""A delivery of a webhook. A later release of the service may send events that are not in this union."""


class TransparentsResource:
    """PIX charges, boletos and card charges on pages of your own."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def create(
        self,
        body: types.TransparentsCreateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Charge:
        """
        Create a PIX charge, a boleto or a card charge.

        A card is charged at once: the answer is `PAID`, or a 422 `CARD_DECLINED`. With an `actionUrl` the
        charge is `PENDING` until the payer has confirmed it there, and you receive `transparent.completed`.

        Needs the permission `TRANSPARENT:CREATE` or `CHECKOUT:READ` or `CHECKOUT:CREATE`.
        """
        answer: types.Charge = self._http.post("/v2/transparents/create", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.Charge:
        """
        Get a charge.

        Also returns PIX charges that payers started on a hosted page.

        Needs the permission `CHECKOUT:READ`.
        """
        answer: types.Charge = self._http.get("/v2/transparents/get", {
            "id": id,
        }, timeout=timeout)
        return answer

    def list(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        method: Literal["PIX", "CARD", "BOLETO"] | None = None,
        status: Literal["PENDING", "PAID", "EXPIRED", "CANCELLED", "UNDER_DISPUTE", "REFUNDED", "FAILED"] | None = None,
        customer_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        metadata: Mapping[str, str] | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Charge]:
        """
        List charges, newest first.

        Needs the permission `CHECKOUT:READ`.
        """
        answer: Pages[types.Charge] = self._http.pages("/v2/transparents/list", {
            "id": id,
            "externalId": external_id,
            "method": method,
            "status": status,
            "customerId": customer_id,
            "createdFrom": created_from,
            "createdTo": created_to,
            "metadata": metadata,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def check(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.ChargeCheck:
        """
        Check the status of a charge.

        Needs the permission `CHECKOUT:READ`.
        """
        answer: types.ChargeCheck = self._http.get("/v2/transparents/check", {
            "id": id,
        }, timeout=timeout)
        return answer

    def simulate_payment(
        self,
        body: types.TransparentsSimulatePaymentRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Charge:
        """
        Pay a charge in dev mode.

        The sandbox bank pays the amount due now and notifies the service. A charge that is already paid is
        returned unchanged. A lower `amount` is returned to the payer: the charge stays unpaid, and you
        receive `payment.returned`. `metadata` is stored with the payment; events with a payment include it as
        `payment.metadata`.

        Needs the permission `CHECKOUT:READ`.
        """
        answer: types.Charge = self._http.post("/v2/transparents/simulate-payment", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def cancel(
        self,
        body: types.TransparentsCancelRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Charge:
        """
        Cancel an unpaid charge.

        A charge that is already cancelled is returned unchanged. If it was paid first, you get a 422.

        Needs the permission `CHECKOUT:DELETE`.
        """
        answer: types.Charge = self._http.post("/v2/transparents/cancel", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def refund(
        self,
        body: types.TransparentsRefundRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Refund:
        """
        Refund a PIX or card charge.

        `id` is the id of a paid charge. Refunds everything that remains of the payment, or `amount`, and
        returns your fee in proportion. Your balance must cover what you received, unless the payment has not
        settled yet. Repeating a request without `amount` returns the same `refundPublicId` and refunds
        nothing twice. A repeated request with `amount` is another refund, so send an `Idempotency-Key`. After
        a 503 the refund is made as soon as possible: repeat the request to get the result.

        Needs the permission `REFUND:CREATE`.
        """
        answer: types.Refund = self._http.post("/v2/transparents/refund", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class CheckoutsResource:
    """Hosted pages on which a payer pays once, by PIX, boleto or card."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def create(
        self,
        body: types.CheckoutsCreateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Checkout:
        """
        Create a checkout.

        Send the payer to `url`. A checkout can be paid once and expires after 30 days; with
        `MULTIPLE_PAYMENTS` it is a payment link. Products keep their current price. `interest` and `fine`
        apply to its boletos.

        Needs the permission `CHECKOUT:CREATE`.
        """
        answer: types.Checkout = self._http.post("/v2/checkouts/create", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.Checkout:
        """
        Get a checkout or payment link.

        Needs the permission `CHECKOUT:READ`.
        """
        answer: types.Checkout = self._http.get("/v2/checkouts/get", {
            "id": id,
        }, timeout=timeout)
        return answer

    def list(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        status: Literal["PENDING", "PAID", "EXPIRED", "CANCELLED", "REFUNDED"] | None = None,
        email: str | None = None,
        tax_id: str | None = None,
        customer_id: str | None = None,
        method: Literal["PIX", "CARD", "BOLETO", "APPLE_PAY", "GOOGLE_PAY"] | None = None,
        keyword: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        metadata: Mapping[str, str] | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Checkout]:
        """
        List checkouts and payment links, newest first.

        Needs the permission `CHECKOUT:READ`.
        """
        answer: Pages[types.Checkout] = self._http.pages("/v2/checkouts/list", {
            "id": id,
            "externalId": external_id,
            "status": status,
            "email": email,
            "taxId": tax_id,
            "customerId": customer_id,
            "method": method,
            "keyword": keyword,
            "createdFrom": created_from,
            "createdTo": created_to,
            "metadata": metadata,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def cancel(
        self,
        body: types.CheckoutsCancelRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Checkout:
        """
        Cancel an unpaid checkout or a payment link.

        Nobody can pay through it any more, and started payments are closed. A checkout that is already
        cancelled is returned unchanged. If it was paid first, the API returns 422.

        Needs the permission `CHECKOUT:DELETE`.
        """
        answer: types.Checkout = self._http.post("/v2/checkouts/cancel", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def simulate_payment(
        self,
        body: types.CheckoutsSimulatePaymentRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.SimulatedCheckout:
        """
        Pay a checkout or payment link in dev mode.

        Does what a payer does on the page, so that you can test without a browser. A checkout that is already
        paid is returned unchanged; a request with another card, method, coupon or payer than its payment is
        refused. Test cards: 4242 4242 4242 4242 is approved; 4000 0000 0000 0002, 4000 0000 0000 9995, 4000
        0000 0000 0127, 4000 0000 0000 0069 and 4000 0000 0000 0101 are declined.

        Needs the permission `CHECKOUT:READ`.
        """
        answer: types.SimulatedCheckout = self._http.post("/v2/checkouts/simulate-payment", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def one_click(
        self,
        body: types.CheckoutsOneClickRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.OneClick:
        """
        Make a link to pay a checkout with a saved card.

        For a customer who is signed in at your shop. The page shows the order and the card, and one click
        pays. The link works for 15 minutes and makes one payment at most. The `url` of the checkout itself
        never shows the card.

        Needs the permission `TRANSPARENT:CREATE`.
        """
        answer: types.OneClick = self._http.post("/v2/checkouts/one-click", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def refund(
        self,
        body: types.CheckoutsRefundRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Refund:
        """
        Refund a payment of a checkout.

        `id` is the id of the checkout, for its own payment (for a subscription, the first one), or the id of
        a charge, such as an upsell or a subscription's renewal. Refunding a checkout's own payment makes it
        `REFUNDED`; a subscription continues. Refunds everything that remains of the payment, or `amount`, and
        returns your fee in proportion. Your balance must cover what you received, unless the payment has not
        settled yet. Repeating a request without `amount` returns the same `refundPublicId` and refunds
        nothing twice. A repeated request with `amount` is another refund, so send an `Idempotency-Key`. After
        a 503 the refund is made as soon as possible: repeat the request to get the result.

        Needs the permission `REFUND:CREATE`.
        """
        answer: types.Refund = self._http.post("/v2/checkouts/refund", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class PaymentLinksResource:
    """Hosted pages that any number of payers pay through."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def create(
        self,
        body: types.PaymentLinksCreateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Checkout:
        """
        Create a payment link.

        The same as `checkouts/create` with `MULTIPLE_PAYMENTS`: it does not expire, stays `PENDING`, and
        creates a charge for each payment.

        Needs the permission `CHECKOUT:CREATE`.
        """
        answer: types.Checkout = self._http.post("/v2/payment-links/create", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.Checkout:
        """
        Get a payment link.

        Needs the permission `CHECKOUT:READ`.
        """
        answer: types.Checkout = self._http.get("/v2/payment-links/get", {
            "id": id,
        }, timeout=timeout)
        return answer

    def list(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        status: Literal["PENDING", "PAID", "EXPIRED", "CANCELLED", "REFUNDED"] | None = None,
        email: str | None = None,
        tax_id: str | None = None,
        customer_id: str | None = None,
        method: Literal["PIX", "CARD", "BOLETO", "APPLE_PAY", "GOOGLE_PAY"] | None = None,
        keyword: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        metadata: Mapping[str, str] | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Checkout]:
        """
        List payment links, newest first.

        Needs the permission `CHECKOUT:READ`.
        """
        answer: Pages[types.Checkout] = self._http.pages("/v2/payment-links/list", {
            "id": id,
            "externalId": external_id,
            "status": status,
            "email": email,
            "taxId": tax_id,
            "customerId": customer_id,
            "method": method,
            "keyword": keyword,
            "createdFrom": created_from,
            "createdTo": created_to,
            "metadata": metadata,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def cancel(
        self,
        body: types.PaymentLinksCancelRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Checkout:
        """
        Cancel a payment link.

        Nobody can pay through it any more. A link that is already cancelled is returned unchanged.

        Needs the permission `CHECKOUT:DELETE`.
        """
        answer: types.Checkout = self._http.post("/v2/payment-links/cancel", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def refund(
        self,
        body: types.PaymentLinksRefundRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Refund:
        """
        Refund a payment of a payment link.

        `id` is the id of one payment of the link. Each payment is refunded separately. Refunds everything
        that remains of the payment, or `amount`, and returns your fee in proportion. Your balance must cover
        what you received, unless the payment has not settled yet. Repeating a request without `amount`
        returns the same `refundPublicId` and refunds nothing twice. A repeated request with `amount` is
        another refund, so send an `Idempotency-Key`. After a 503 the refund is made as soon as possible:
        repeat the request to get the result.

        Needs the permission `REFUND:CREATE`.
        """
        answer: types.Refund = self._http.post("/v2/payment-links/refund", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class PaymentsResource:
    """Every payment, of every kind."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def list(
        self,
        *,
        checkout_id: str | None = None,
        subscription_id: str | None = None,
        customer_id: str | None = None,
        external_id: str | None = None,
        method: Literal["PIX", "BOLETO", "CARD", "FREE"] | None = None,
        status: Literal["PENDING", "PAID", "EXPIRED", "CANCELLED", "UNDER_DISPUTE", "REFUNDED", "FAILED"] | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        paid_from: str | None = None,
        paid_to: str | None = None,
        metadata: Mapping[str, str] | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Payment]:
        """
        List payments of every kind, newest first.

        Payments of every kind: transparent charges, checkouts, payment links, subscriptions and upsells.
        Includes open, expired and declined payments. With `paidFrom` or `paidTo`, and without a filter by
        checkout,
        subscription, customer or `externalId`, the list is ordered by payment time and has cursors of its
        own. The payer is shown only to keys with `CUSTOMER:READ`.

        Needs the permission `CHECKOUT:READ`.
        """
        answer: Pages[types.Payment] = self._http.pages("/v2/payments/list", {
            "checkoutId": checkout_id,
            "subscriptionId": subscription_id,
            "customerId": customer_id,
            "externalId": external_id,
            "method": method,
            "status": status,
            "createdFrom": created_from,
            "createdTo": created_to,
            "paidFrom": paid_from,
            "paidTo": paid_to,
            "metadata": metadata,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.Payment:
        """
        Get a payment of any kind.

        Payments of every kind: transparent charges, checkouts, payment links, subscriptions and upsells. The
        payer is shown only to keys with `CUSTOMER:READ`.

        Needs the permission `CHECKOUT:READ`.
        """
        answer: types.Payment = self._http.get("/v2/payments/get", {
            "id": id,
        }, timeout=timeout)
        return answer


class CustomersResource:
    """Who pays."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def create(
        self,
        body: types.CustomersCreateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Customer:
        """
        Create a customer.

        There is one customer per tax id: if it is already registered, the existing customer is returned. Its
        fields
        do not change, except that missing ones are filled in. If a payer entered the data on a hosted page
        (`typedByPayer`), your values
        replace it. Without `taxId` a new customer is created each time.

        Needs the permission `CUSTOMER:CREATE`.
        """
        answer: types.Customer = self._http.post("/v2/customers/create", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def update(
        self,
        body: types.CustomersUpdateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Customer:
        """
        Update a customer.

        Given fields replace stored ones; omitted, null and empty fields stay unchanged. `metadata` is
        replaced as a whole.
        Existing charges and boletos keep the payer's data they were created with. If a payer typed the e-mail
        address, the customer stays
        `typedByPayer` until you give an `email`.

        Needs the permission `CUSTOMER:CREATE`.
        """
        answer: types.Customer = self._http.post("/v2/customers/update", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list(
        self,
        *,
        id: str | None = None,
        email: str | None = None,
        tax_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        metadata: Mapping[str, str] | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Customer]:
        """
        List customers.

        Needs the permission `CUSTOMER:READ`.
        """
        answer: Pages[types.Customer] = self._http.pages("/v2/customers/list", {
            "id": id,
            "email": email,
            "taxId": tax_id,
            "createdFrom": created_from,
            "createdTo": created_to,
            "metadata": metadata,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.Customer:
        """
        Get a customer.

        Needs the permission `CUSTOMER:READ`.
        """
        answer: types.Customer = self._http.get("/v2/customers/get", {
            "id": id,
        }, timeout=timeout)
        return answer

    def delete(
        self,
        body: types.CustomersDeleteRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Customer:
        """
        Delete a customer.

        Erases the personal data permanently, and returns the customer without it. Charges, checkouts and
        events stay and keep
        the customer's id, but no longer identify the customer or the payer. The tax id is free for a new
        customer.

        Needs the permission `CUSTOMER:DELETE`.
        """
        answer: types.Customer = self._http.post("/v2/customers/delete", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class CustomerPortalResource:
    """Links with which customers see their payments, and manage their subscriptions."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def create(
        self,
        body: types.CustomerPortalCreateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.CustomerPortal:
        """
        Create a link to the customer portal.

        On its page the customer proves their e-mail address with a code of six digits, and then sees their
        payments and
        subscriptions. The link itself shows nothing, and does not expire. The customer needs an `email`.

        Needs the permission `CUSTOMER:CREATE`.
        """
        answer: types.CustomerPortal = self._http.post("/v2/customer-portal/create", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class SavedCardsResource:
    """Cards that a customer has agreed to keep for later payments."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def list(
        self,
        *,
        customer_id: str,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.SavedCard]:
        """
        List a customer's saved cards, newest first.

        Those that can be charged: their first payment was made, and nobody has removed them.

        Needs the permission `CUSTOMER:READ`.
        """
        answer: Pages[types.SavedCard] = self._http.pages("/v2/saved-cards/list", {
            "customerId": customer_id,
            "limit": limit,
            "after": after,
            "before": before,
        }, timeout=timeout)
        return answer

    def delete(
        self,
        body: types.SavedCardsDeleteRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.SavedCard:
        """
        Remove a saved card.

        It is charged no more, and its provider erases it, unless an active subscription still pays with it.
        Its payments can still be refunded.

        Needs the permission `CUSTOMER:DELETE`.
        """
        answer: types.SavedCard = self._http.post("/v2/saved-cards/delete", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class ProductsResource:
    """Goods and services that you sell, once or every cycle."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def create(
        self,
        body: types.ProductsCreateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Product:
        """
        Create a product.

        A product with a `cycle` is sold as a subscription, one without as a one-off. `YEARLY` is accepted for
        `ANNUALLY`. Checkouts keep the name and price from their creation. `usagePrice` gives recorded usage
        included units, tiers or packages.

        Needs the permission `PRODUCT:CREATE`.
        """
        answer: types.Product = self._http.post("/v2/products/create", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def update(
        self,
        body: types.ProductsUpdateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Product:
        """
        Update a product.

        Given fields replace stored ones: `name`, `description`, `imageUrl` and `fileUrl`, of which null
        removes the last three, and
        `billUsageOnCancel`. Omitted fields stay unchanged. All others can never change. Existing checkouts,
        payment links and subscriptions keep name and
        picture; a file is downloaded from the product's current address.

        Needs the permission `PRODUCT:CREATE`.
        """
        answer: types.Product = self._http.post("/v2/products/update", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        status: Literal["ACTIVE", "ARCHIVED"] | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Product]:
        """
        List products.

        Needs the permission `PRODUCT:READ`.
        """
        answer: Pages[types.Product] = self._http.pages("/v2/products/list", {
            "id": id,
            "externalId": external_id,
            "status": status,
            "createdFrom": created_from,
            "createdTo": created_to,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        timeout: float | None = None,
    ) -> types.Product:
        """
        Get a product.

        By exactly one of `id` and `externalId`.

        Needs the permission `PRODUCT:READ`.
        """
        answer: types.Product = self._http.get("/v2/products/get", {
            "id": id,
            "externalId": external_id,
        }, timeout=timeout)
        return answer

    def archive(
        self,
        body: types.ProductsArchiveRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Product:
        """
        Archive a product.

        It can no longer be sold in new checkouts, payment links and subscriptions, or offered as an upsell,
        until it is restored.
        Existing ones continue, and the product keeps its `externalId`. An archived product is returned
        unchanged.

        Needs the permission `PRODUCT:CREATE`.
        """
        answer: types.Product = self._http.post("/v2/products/archive", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def restore(
        self,
        body: types.ProductsRestoreRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Product:
        """
        Restore an archived product.

        The product can be sold again. A product that is not archived is returned unchanged.

        Needs the permission `PRODUCT:CREATE`.
        """
        answer: types.Product = self._http.post("/v2/products/restore", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def delete(
        self,
        body: types.ProductsDeleteRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Product:
        """
        Delete a product.

        It can no longer be sold, and its `externalId` is free for a new product. Objects created with it stay
        readable.

        Needs the permission `PRODUCT:DELETE`.
        """
        answer: types.Product = self._http.post("/v2/products/delete", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class CouponsResource:
    """Discounts, with limits on customers and uses."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def create(
        self,
        body: types.CouponsCreateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Coupon:
        """
        Create a coupon.

        A checkout names the coupons that its payer may use. A use counts when the payment is made.

        Needs the permission `COUPON:CREATE`.
        """
        answer: types.Coupon = self._http.post("/v2/coupons/create", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def update(
        self,
        body: types.CouponsUpdateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Coupon:
        """
        Update a coupon.

        Given fields replace stored ones; omitted fields stay unchanged. `metadata` is replaced as a whole;
        null empties it and
        `notes`, `validFrom` and `validUntil`. An `EXPIRED` coupon becomes `ACTIVE` again with a higher
        `maxRedeems` or a later `validUntil`. Code and discount cannot change, because payers rely
        on them.

        Needs the permission `COUPON:UPDATE`.
        """
        answer: types.Coupon = self._http.post("/v2/coupons/update", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list(
        self,
        *,
        id: str | None = None,
        status: Literal["ACTIVE", "INACTIVE", "EXPIRED"] | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Coupon]:
        """
        List coupons.

        Needs the permission `COUPON:READ`.
        """
        answer: Pages[types.Coupon] = self._http.pages("/v2/coupons/list", {
            "id": id,
            "status": status,
            "createdFrom": created_from,
            "createdTo": created_to,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.Coupon:
        """
        Get a coupon.

        Needs the permission `COUPON:READ`.
        """
        answer: types.Coupon = self._http.get("/v2/coupons/get", {
            "id": id,
        }, timeout=timeout)
        return answer

    def toggle(
        self,
        body: types.CouponsToggleRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Coupon:
        """
        Turn a coupon on or off.

        `ACTIVE` becomes `INACTIVE` and the reverse. An `EXPIRED` coupon stays unchanged.

        Needs the permission `COUPON:UPDATE`.
        """
        answer: types.Coupon = self._http.post("/v2/coupons/toggle", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def delete(
        self,
        body: types.CouponsDeleteRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Coupon:
        """
        Delete a coupon.

        The coupon can no longer be used, and its code is free for a new coupon. Payments made with it stay
        unchanged.

        Needs the permission `COUPON:DELETE`.
        """
        answer: types.Coupon = self._http.post("/v2/coupons/delete", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class WebhooksDeliveriesResource:
    """The operations below `/v2/webhooks/deliveries`."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def list(
        self,
        *,
        webhook_id: str | None = None,
        event: Literal["checkout.completed", "checkout.refunded", "checkout.disputed", "checkout.lost", "transparent.completed", "transparent.refunded", "transparent.disputed", "transparent.lost", "subscription.completed", "subscription.cancelled", "subscription.renewed", "subscription.trial_started", "subscription.plan_changed", "subscription.payment_failed", "payout.completed", "payout.failed", "transfer.completed", "transfer.failed", "transparent.expired", "transparent.cancelled", "transparent.won", "checkout.expired", "checkout.payment_failed", "checkout.won", "subscription.trial_ending", "subscription.upcoming", "subscription.card_expiring", "subscription.card_updated", "subscription.cancellation_scheduled", "subscription.past_due", "subscription.trial_changed", "subscription.paused", "subscription.resumed", "subscription.payment_method_changed", "subscription.authorization_requested", "subscription.authorized", "subscription.authorization_refused", "subscription.authorization_cancelled", "invoice.created", "invoice.paid", "invoice.void", "customer.updated", "reminder.due", "nfse.pending", "nfse.authorized", "nfse.rejected", "nfse.cancellation_requested", "nfse.cancelled", "refund.failed", "refund.requested", "payment.returned", "payout.returned", "transfer.returned", "webhook.disabled", "billing.created", "billing.failed"] | None = None,
        event_id: str | None = None,
        status: Literal["PENDING", "DELIVERED", "FAILED"] | None = None,
        subject_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Delivery]:
        """
        List deliveries.

        One delivery per event and endpoint: delivered, in progress or failed, with every attempt.

        Needs the permission `WEBHOOK:READ`.
        """
        answer: Pages[types.Delivery] = self._http.pages("/v2/webhooks/deliveries", {
            "webhookId": webhook_id,
            "event": event,
            "eventId": event_id,
            "status": status,
            "subjectId": subject_id,
            "from": from_,
            "to": to,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.DeliveryWithPayload:
        """
        Get a delivery.

        With every attempt, and the payload as sent to the endpoint.

        Needs the permission `WEBHOOK:READ`.
        """
        answer: types.DeliveryWithPayload = self._http.get("/v2/webhooks/deliveries/get", {
            "id": id,
        }, timeout=timeout)
        return answer


class WebhooksResendResource:
    """The operations below `/v2/webhooks/resend`."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def create(
        self,
        body: types.WebhooksResendRequest | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Delivery | types.Resend:
        """
        Resend deliveries.

        With `id`: resends one delivery now, with the same id and payload, whether it waits for a retry, was
        delivered or
        has failed. Returns the delivery in its current state; the attempt follows.

        With `webhookId`, `from` and `to`: resends a range in the order of creation, at most 20 deliveries a
        second. Returns the bulk
        resend; `webhooks/resend/get` shows its progress and `webhooks/resend/stop` ends it. Each webhook can
        run one bulk resend at a
        time. Requesting the same range again while it runs returns the same one.

        Needs the permission `WEBHOOK:CREATE`.
        """
        answer: types.Delivery | types.Resend = self._http.post("/v2/webhooks/resend", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.Resend:
        """
        Get a bulk resend.

        Needs the permission `WEBHOOK:READ`.
        """
        answer: types.Resend = self._http.get("/v2/webhooks/resend/get", {
            "id": id,
        }, timeout=timeout)
        return answer

    def stop(
        self,
        body: types.WebhooksResendStopRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Resend:
        """
        Stop a bulk resend.

        Deliveries that were already requested are still sent. A resend that has ended stays unchanged.

        Needs the permission `WEBHOOK:CREATE`.
        """
        answer: types.Resend = self._http.post("/v2/webhooks/resend/stop", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class WebhooksResource:
    """Endpoints that receive events, and the deliveries to them."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http
        self.deliveries = WebhooksDeliveriesResource(http)
        """The operations below `/v2/webhooks/deliveries`."""
        self.resend = WebhooksResendResource(http)
        """The operations below `/v2/webhooks/resend`."""

    def create(
        self,
        body: types.WebhooksCreateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Webhook:
        """
        Create a webhook.

        The endpoint receives events from now on, signed with the secret.

        Needs the permission `WEBHOOK:CREATE`.
        """
        answer: types.Webhook = self._http.post("/v2/webhooks/create", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def update(
        self,
        body: types.WebhooksUpdateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Webhook:
        """
        Update a webhook.

        Omitted fields stay unchanged. Deliveries in progress go to the new endpoint with their next attempt.
        You can resend
        deliveries that failed while it was disabled once it is enabled; events of that time are in
        `events/list`.

        Needs the permission `WEBHOOK:CREATE`.
        """
        answer: types.Webhook = self._http.post("/v2/webhooks/update", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def rotate_secret(
        self,
        body: types.WebhooksRotateSecretRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Webhook:
        """
        Change the secret of a webhook.

        The new secret signs from now on. For 24 hours the previous one signs too: `webhook-signature` then
        has two
        signatures, the new secret's first. `X-Webhook-Signature` has one signature only, made with the new
        secret. Repeating the request
        with the same secret changes nothing.

        Needs the permission `WEBHOOK:CREATE`.
        """
        answer: types.Webhook = self._http.post("/v2/webhooks/rotate-secret", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def test(
        self,
        body: types.WebhooksTestRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Delivery:
        """
        Test a webhook.

        Sends the example event of the API reference as a real delivery. Its payload has `sample: true`, and
        lists of
        events do not include it. Returns the delivery; its attempts follow.

        Needs the permission `WEBHOOK:CREATE`.
        """
        answer: types.Delivery = self._http.post("/v2/webhooks/test", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list(
        self,
        *,
        search: str | None = None,
        id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Webhook]:
        """
        List webhooks.

        Needs the permission `WEBHOOK:READ`.
        """
        answer: Pages[types.Webhook] = self._http.pages("/v2/webhooks/list", {
            "search": search,
            "id": id,
            "createdFrom": created_from,
            "createdTo": created_to,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.Webhook:
        """
        Get a webhook.

        Needs the permission `WEBHOOK:READ`.
        """
        answer: types.Webhook = self._http.get("/v2/webhooks/get", {
            "id": id,
        }, timeout=timeout)
        return answer

    def delete(
        self,
        body: types.WebhooksDeleteRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Webhook:
        """
        Delete a webhook.

        Its endpoint receives nothing any more. Past deliveries stay readable.

        Needs the permission `WEBHOOK:DELETE`.
        """
        answer: types.Webhook = self._http.post("/v2/webhooks/delete", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class EventsResource:
    """Events of the store, one by one."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def list(
        self,
        *,
        name: Literal["checkout.completed", "checkout.refunded", "checkout.disputed", "checkout.lost", "transparent.completed", "transparent.refunded", "transparent.disputed", "transparent.lost", "subscription.completed", "subscription.cancelled", "subscription.renewed", "subscription.trial_started", "subscription.plan_changed", "subscription.payment_failed", "payout.completed", "payout.failed", "transfer.completed", "transfer.failed", "transparent.expired", "transparent.cancelled", "transparent.won", "checkout.expired", "checkout.payment_failed", "checkout.won", "subscription.trial_ending", "subscription.upcoming", "subscription.card_expiring", "subscription.card_updated", "subscription.cancellation_scheduled", "subscription.past_due", "subscription.trial_changed", "subscription.paused", "subscription.resumed", "subscription.payment_method_changed", "subscription.authorization_requested", "subscription.authorized", "subscription.authorization_refused", "subscription.authorization_cancelled", "invoice.created", "invoice.paid", "invoice.void", "customer.updated", "reminder.due", "nfse.pending", "nfse.authorized", "nfse.rejected", "nfse.cancellation_requested", "nfse.cancelled", "refund.failed", "refund.requested", "payment.returned", "payout.returned", "transfer.returned", "webhook.disabled", "billing.created", "billing.failed"] | None = None,
        subject_id: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Event]:
        """
        List events.

        Past events, newest first, with the data sent to endpoints. Use it if you missed a delivery or have no
        endpoint.

        Needs the permission `WEBHOOK:READ`.
        """
        answer: Pages[types.Event] = self._http.pages("/v2/events/list", {
            "name": name,
            "subjectId": subject_id,
            "from": from_,
            "to": to,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.Event:
        """
        Get an event.

        Needs the permission `WEBHOOK:READ`.
        """
        answer: types.Event = self._http.get("/v2/events/get", {
            "id": id,
        }, timeout=timeout)
        return answer


class SubscriptionsCheckoutsResource:
    """The operations below `/v2/subscriptions/checkouts`."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def list(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        status: Literal["PENDING", "PAID", "EXPIRED", "CANCELLED", "REFUNDED"] | None = None,
        email: str | None = None,
        tax_id: str | None = None,
        customer_id: str | None = None,
        method: Literal["PIX", "CARD", "BOLETO", "APPLE_PAY", "GOOGLE_PAY"] | None = None,
        keyword: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        metadata: Mapping[str, str] | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.SubscriptionCheckout]:
        """
        List the checkouts of subscriptions, newest first.

        Paid or not, without deleted ones. `subscriptionId` is set once a subscription has started.

        Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
        """
        answer: Pages[types.SubscriptionCheckout] = self._http.pages("/v2/subscriptions/checkouts/list", {
            "id": id,
            "externalId": external_id,
            "status": status,
            "email": email,
            "taxId": tax_id,
            "customerId": customer_id,
            "method": method,
            "keyword": keyword,
            "createdFrom": created_from,
            "createdTo": created_to,
            "metadata": metadata,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        customer_id: str | None = None,
        timeout: float | None = None,
    ) -> types.SubscriptionCheckout:
        """
        Get the checkout of a subscription.

        By `id`, `externalId` or `customerId`. If several match, it is the newest.

        Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
        """
        answer: types.SubscriptionCheckout = self._http.get("/v2/subscriptions/checkouts/get", {
            "id": id,
            "externalId": external_id,
            "customerId": customer_id,
        }, timeout=timeout)
        return answer

    def delete(
        self,
        body: types.SubscriptionsCheckoutsDeleteRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.SubscriptionCheckout:
        """
        Delete the checkout of a subscription.

        Nobody can pay through it any more, and no list shows it. The subscription that it has started
        continues: end it with `subscriptions/cancel`.

        Needs the permission `SUBSCRIPTION:DELETE`.
        """
        answer: types.SubscriptionCheckout = self._http.post("/v2/subscriptions/checkouts/delete", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class SubscriptionsResource:
    """Recurring charges, with trials, usage and plan changes."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http
        self.checkouts = SubscriptionsCheckoutsResource(http)
        """The operations below `/v2/subscriptions/checkouts`."""

    def create(
        self,
        body: types.SubscriptionsCreateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.SubscriptionCheckout:
        """
        Create a subscription.

        Send the payer to `url`. The first payment (or, with a trial, saving a card) starts the subscription;
        its id is then in `subscriptionId`. The checkout expires after 30 days. The subscription keeps the
        current price of the product.

        Needs the permission `SUBSCRIPTION:CREATE`.
        """
        answer: types.SubscriptionCheckout = self._http.post("/v2/subscriptions/create", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        status: Literal["PENDING", "PAID", "EXPIRED", "CANCELLED", "REFUNDED"] | None = None,
        email: str | None = None,
        tax_id: str | None = None,
        customer_id: str | None = None,
        method: Literal["PIX", "CARD", "BOLETO", "APPLE_PAY", "GOOGLE_PAY"] | None = None,
        keyword: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        metadata: Mapping[str, str] | None = None,
        checkout_id: str | None = None,
        subscription_status: Literal["ACTIVE", "CANCELLED"] | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.SubscriptionCheckout]:
        """
        List the checkouts of subscriptions, newest first.

        With `subscriptionStatus`, and without a filter by id, `externalId` or customer, they are ordered by
        the start of their subscriptions, `createdFrom` and `createdTo` refer to that start, and the cursors
        are valid for this order only.

        Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
        """
        answer: Pages[types.SubscriptionCheckout] = self._http.pages("/v2/subscriptions/list", {
            "id": id,
            "externalId": external_id,
            "status": status,
            "email": email,
            "taxId": tax_id,
            "customerId": customer_id,
            "method": method,
            "keyword": keyword,
            "createdFrom": created_from,
            "createdTo": created_to,
            "metadata": metadata,
            "checkoutId": checkout_id,
            "subscriptionStatus": subscription_status,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        customer_id: str | None = None,
        timeout: float | None = None,
    ) -> types.Subscription:
        """
        Get a subscription.

        By `id`, by the `externalId` of its checkout, or by `customerId`. If several match, it is the newest.

        Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
        """
        answer: types.Subscription = self._http.get("/v2/subscriptions/get", {
            "id": id,
            "externalId": external_id,
            "customerId": customer_id,
        }, timeout=timeout)
        return answer

    def cancel(
        self,
        body: types.SubscriptionsCancelRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Subscription:
        """
        Cancel a subscription.

        At once: nothing is charged any more, and a payment in progress is returned to its payer. With
        `atPeriodEnd`, it ends with its current cycle, at `cancelAt`: an unpaid cycle is still collected until
        then. If it is not active, you get a 404. Send an `Idempotency-Key`, so that a retry after a 503 or a
        lost response returns the subscription; without one, the retry gets a 404 once it is cancelled.

        Needs the permission `SUBSCRIPTION:DELETE`.
        """
        answer: types.Subscription = self._http.post("/v2/subscriptions/cancel", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def pause(
        self,
        body: types.SubscriptionsPauseRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Subscription:
        """
        Pause a subscription.

        At once: nothing is charged until it is resumed, by `subscriptions/resume` or at `until`. A cycle that
        is not paid yet is given up. Cycles missed in the pause are never charged. While it is paused, another
        request changes the pause.

        Needs the permission `SUBSCRIPTION:CREATE`.
        """
        answer: types.Subscription = self._http.post("/v2/subscriptions/pause", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def resume(
        self,
        body: types.SubscriptionsResumeRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Subscription:
        """
        Resume a subscription.

        Ends a pause, and undoes a cancellation that is scheduled for the end of the cycle. Otherwise it is
        returned unchanged, so a retry is safe. If it is not active, you get a 404.

        Needs the permission `SUBSCRIPTION:CREATE`.
        """
        answer: types.Subscription = self._http.post("/v2/subscriptions/resume", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def pay(
        self,
        body: types.SubscriptionsPayRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Subscription:
        """
        Charge a subscription's overdue cycle now.

        If the current cycle is past due, it is charged at once: to the card on file, or by a new PIX code,
        which is then in `currentCharge`. The attempt does not count as one of `retryPolicy`. If an attempt is
        under way, or nothing is past due, the subscription is returned unchanged, so a retry is safe. The
        response waits up to three seconds for the result: the cycle is paid once `state` is no longer
        `PAST_DUE`. At most 10 such attempts can be made for a cycle. If it is not active, you get a 404.

        Needs the permission `SUBSCRIPTION:CREATE`.
        """
        answer: types.Subscription = self._http.post("/v2/subscriptions/pay", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def update(
        self,
        body: types.SubscriptionsUpdateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Subscription:
        """
        Change a subscription's card, method, quantity, trial or metadata.

        One of the four per request. `metadata` replaces the old metadata. `quantity` applies from the next
        cycle on, for the present price per unit, and `subscription.plan_changed` is sent. `trialEnd` moves
        the end of a trial, or ends it: the first cycle is charged then, and `subscription.trial_changed` is
        sent. `card`: the issuer verifies the new card, which charges nothing. Then later cycles are charged
        to it, and the old one is erased at the provider. If an attempt at an unpaid cycle waits, it is made
        at once, with the new card. A declined card changes nothing. If the bank wants the payer to confirm,
        `declineReason` is `authentication_required`: the payer can do that in the customer portal. A retry
        with the same token returns the result.

        Needs the permission `SUBSCRIPTION:CREATE`.
        """
        answer: types.Subscription = self._http.post("/v2/subscriptions/update", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def change_plan(
        self,
        body: types.SubscriptionsChangePlanRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.PlanUpdate:
        """
        Change a subscription's plan.

        From the next cycle on the subscription costs `newAmount`. If the plan has another cycle, periods are
        counted from there. A newer change replaces one that is still scheduled. With `when: now` the plan
        changes at once, and `proration` says how the rest of the current cycle is charged.

        Needs the permission `SUBSCRIPTION:CREATE`.
        """
        answer: types.PlanUpdate = self._http.post("/v2/subscriptions/change-plan", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def preview(
        self,
        body: types.SubscriptionsPreviewRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.SubscriptionPreview:
        """
        Preview what a subscription will be charged.

        Shows every charge up to and including the next cycle, line by line, if nothing changes, after a
        change, or for a new subscription. Nothing is stored. The charge is equal to the cent; usage that is
        recorded meanwhile comes on top.

        Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
        """
        answer: types.SubscriptionPreview = self._http.post("/v2/subscriptions/preview", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def record_usage(
        self,
        body: types.SubscriptionsRecordUsageRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.UsageRecord:
        """
        Record usage of a pay-as-you-go product.

        It is charged with the next cycle, at the product's current price. Send an `Idempotency-Key`, so that
        a retry does not count twice. Units can be subtracted down to zero.

        Needs the permission `SUBSCRIPTION:CREATE`.
        """
        answer: types.UsageRecord = self._http.post("/v2/subscriptions/record-usage", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class MandatesResource:
    """Authorizations of debits by PIX (Pix Automático), which subscriptions ask for."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def list(
        self,
        *,
        status: Literal["PENDING", "ACTIVE", "REJECTED", "EXPIRED", "CANCELLED", "UNKNOWN"] | None = None,
        subscription_id: str | None = None,
        checkout_id: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Mandate]:
        """
        List authorizations of Pix Automático, newest first.

        Each was asked for with the first payment of a subscription that was created with `pixAutomatic`, or
        later by `mandates/create`.

        Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
        """
        answer: Pages[types.Mandate] = self._http.pages("/v2/mandates/list", {
            "status": status,
            "subscriptionId": subscription_id,
            "checkoutId": checkout_id,
            "limit": limit,
            "after": after,
            "before": before,
        }, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.Mandate:
        """
        Get an authorization of Pix Automático, with its debits.

        Its status is what the bank has answered last.

        Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
        """
        answer: types.Mandate = self._http.get("/v2/mandates/get", {
            "id": id,
        }, timeout=timeout)
        return answer

    def create(
        self,
        body: types.MandatesCreateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Mandate:
        """
        Ask the payer of a subscription to authorize debits by PIX.

        For a running subscription, whatever pays it now, without a payment. Show `brCode`, or send the payer
        to `url`. Once they have accepted, each later cycle is debited, a card or an earlier authorization is
        used no more, and `subscription.authorized` follows. Until then nothing changes. A repeated request
        returns the authorization that waits; if the payer has authorized the same before, it returns that
        one.

        Needs the permission `SUBSCRIPTION:CREATE`.
        """
        answer: types.Mandate = self._http.post("/v2/mandates/create", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def cancel(
        self,
        body: types.MandatesCancelRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Mandate:
        """
        End an authorization of Pix Automático.

        The subscription continues with a code per cycle. An ordered debit is cancelled; one whose due date
        has begun still pays its cycle. The bank is informed within minutes, and `status` changes then. A
        repeated request changes nothing.

        Needs the permission `SUBSCRIPTION:DELETE`.
        """
        answer: types.Mandate = self._http.post("/v2/mandates/cancel", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class DevMandatesResource:
    """The operations below `/v2/dev/mandates`."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def answer(
        self,
        body: types.DevMandatesAnswerRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Mandate:
        """
        Answer an authorization of Pix Automático for its payer in dev mode.

        Does what a payer does in their bank's app. An authorization that has ended stays as it is. Test CPFs
        make payers that answer by themselves.

        Needs the permission `SUBSCRIPTION:CREATE`.
        """
        answer: types.Mandate = self._http.post("/v2/dev/mandates/answer", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class DevDisputesResource:
    """The operations below `/v2/dev/disputes`."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def open(
        self,
        body: types.DevDisputesOpenRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.DisputedCharge:
        """
        Dispute a payment in dev mode.

        Does what a payer does at their bank: the charge becomes `UNDER_DISPUTE`, its amount is blocked, and
        Recebe sends `transparent.disputed` or `checkout.disputed`. A payment that is already disputed is
        returned unchanged.

        Needs the permission `REFUND:CREATE`.
        """
        answer: types.DisputedCharge = self._http.post("/v2/dev/disputes/open", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def win(
        self,
        body: types.DevDisputesWinRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.DisputedCharge:
        """
        Win a dispute in dev mode.

        The bank decides for the store: the charge is `PAID` again and its money is no longer blocked. Recebe
        sends `transparent.won` or `checkout.won`. A dispute that was already won stays unchanged.

        Needs the permission `REFUND:CREATE`.
        """
        answer: types.DisputedCharge = self._http.post("/v2/dev/disputes/win", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def lose(
        self,
        body: types.DevDisputesLoseRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.DisputedCharge:
        """
        Lose a dispute in dev mode.

        The bank decides for the payer, who gets the blocked amount: the charge becomes `REFUNDED`, and Recebe
        sends `transparent.lost` or `checkout.lost`. A dispute that was already lost stays unchanged.

        Needs the permission `REFUND:CREATE`.
        """
        answer: types.DisputedCharge = self._http.post("/v2/dev/disputes/lose", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class DevCardsResource:
    """The operations below `/v2/dev/cards`."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def replace(
        self,
        body: types.DevCardsReplaceRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.ReplacedCard:
        """
        Replace a subscription's card in dev mode.

        Does what a card's issuer does: the card gets other digits and another expiry, and the network
        notifies it. Recebe sends `subscription.card_updated`, and the next cycle is charged to the new card.
        The new card behaves like the old one. A subscription that is not active, or is paid by PIX, gets a
        404.

        Needs the permission `SUBSCRIPTION:CREATE`.
        """
        answer: types.ReplacedCard = self._http.post("/v2/dev/cards/replace", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def change(
        self,
        body: types.DevCardsChangeRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.ReplacedCard:
        """
        Enter another card for a subscription's payer in dev mode.

        Does what a payer does in the customer portal. The card of the subscription is replaced, or it is paid
        by card instead of PIX, `subscription.payment_method_changed` is sent, and an unpaid cycle is charged
        at once. A card that is declined, or that its payer would have to confirm, changes nothing. A
        subscription that is not active gets a 404.

        Needs the permission `SUBSCRIPTION:CREATE`.
        """
        answer: types.ReplacedCard = self._http.post("/v2/dev/cards/change", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class DevRemindersResource:
    """The operations below `/v2/dev/reminders`."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def publish(
        self,
        body: types.DevRemindersPublishRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.PublishedReminder:
        """
        Publish a reminder of a boleto in dev mode.

        Sends `reminder.due` about a boleto as of today, so that you can try the program that sends your
        messages. It changes no settings, and does not count as a step: due reminders follow on their days. A
        boleto that is paid or over gets a 404, and one whose customer is deleted or wants no reminders.

        Needs the permission `TRANSPARENT:CREATE` or `CHECKOUT:READ` or `CHECKOUT:CREATE`.
        """
        answer: types.PublishedReminder = self._http.post("/v2/dev/reminders/publish", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class DevRefundsResource:
    """The operations below `/v2/dev/refunds`."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def request(
        self,
        body: types.DevRefundsRequestRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.RequestedRefund:
        """
        Ask for a refund as a customer in dev mode.

        Does what a customer does in the customer portal, whatever the settings of the portal: the request
        appears on the dashboard, and Recebe sends `refund.requested`. Nothing is refunded. A payment that was
        asked for before stays unchanged, and one that is not `PAID` gets a 404.

        Needs the permission `REFUND:CREATE`.
        """
        answer: types.RequestedRefund = self._http.post("/v2/dev/refunds/request", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class DevClockResource:
    """The operations below `/v2/dev/clock`."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def get(
        self,
        *,
        timeout: float | None = None,
    ) -> types.Clock:
        """
        Get the clock.

        The clock of this store's dev environment: its current time and its target.

        Needs the permission `STORE:READ`.
        """
        answer: types.Clock = self._http.get("/v2/dev/clock", {}, timeout=timeout)
        return answer

    def advance(
        self,
        body: types.DevClockAdvanceRequest | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.ClockAdvance:
        """
        Move the clock forward.

        Everything in this store's dev environment follows the clock: expiry, recurring charges and
        settlement. Due events happen strictly in order, each at its own time. The response comes at once;
        `GET /v2/dev/clock` shows when the clock is `ready`. Webhooks are sent in real time, but contain times
        of the clock. While the clock advances, a request with another target gets a 409. It advances at most
        5 years and 2000 cycles of subscriptions at a time. If the target is further away, you get a 422 that
        names the latest possible target. `expected` lists what will happen; with `preview` nothing happens.

        Needs the permission `STORE:CREATE`.
        """
        answer: types.ClockAdvance = self._http.post("/v2/dev/clock/advance", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def cancel(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Clock:
        """
        Stop a clock that is being advanced.

        The clock stops at its current time and continues to run from there. Effects that already happened
        remain, and work due at that time still finishes. You can advance it again at once. A clock that is
        `ready` stays unchanged.

        Needs the permission `STORE:CREATE`.
        """
        answer: types.Clock = self._http.post("/v2/dev/clock/cancel", {}, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def reset(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Clock:
        """
        Reset the clock to real time.

        Works only while no object waits for a time of the clock; otherwise the 409 lists the open objects.
        Objects created in the future keep their dates, so they stay first in lists until then.

        Needs the permission `STORE:CREATE`.
        """
        answer: types.Clock = self._http.post("/v2/dev/clock/reset", {}, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class DevResource:
    """Simulates providers and payers in dev mode."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http
        self.mandates = DevMandatesResource(http)
        """The operations below `/v2/dev/mandates`."""
        self.disputes = DevDisputesResource(http)
        """The operations below `/v2/dev/disputes`."""
        self.cards = DevCardsResource(http)
        """The operations below `/v2/dev/cards`."""
        self.reminders = DevRemindersResource(http)
        """The operations below `/v2/dev/reminders`."""
        self.refunds = DevRefundsResource(http)
        """The operations below `/v2/dev/refunds`."""
        self.clock = DevClockResource(http)
        """The operations below `/v2/dev/clock`."""


class InvoicesNfseResource:
    """The operations below `/v2/invoices/nfse`."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def settings(
        self,
        *,
        timeout: float | None = None,
    ) -> types.NfseSettings:
        """
        The data of the store for NFS-e.

        Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
        """
        answer: types.NfseSettings = self._http.get("/v2/invoices/nfse/settings", {}, timeout=timeout)
        return answer

    def update_settings(
        self,
        body: types.InvoicesNfseUpdateSettingsRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.NfseSettings:
        """
        Change the data of the store for NFS-e.

        Replaces all of it, in the environment of the key. It counts for every DPS that is issued from then
        on, also again.

        Needs the permission `INVOICE:CREATE`.
        """
        answer: types.NfseSettings = self._http.post("/v2/invoices/nfse/update-settings", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def list(
        self,
        *,
        status: Literal["PENDING", "AUTHORIZED", "REJECTED", "CANCELLED"] | None = None,
        invoice_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Nfse]:
        """
        List NFS-e, newest first.

        With `status=PENDING`: every DPS that still waits to be transmitted, or for the answer.

        Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
        """
        answer: Pages[types.Nfse] = self._http.pages("/v2/invoices/nfse/list", {
            "status": status,
            "invoiceId": invoice_id,
            "createdFrom": created_from,
            "createdTo": created_to,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.Nfse:
        """
        Get an NFS-e.

        Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
        """
        answer: types.Nfse = self._http.get("/v2/invoices/nfse/get", {
            "id": id,
        }, timeout=timeout)
        return answer

    def issue(
        self,
        body: types.InvoicesNfseIssueRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Nfse:
        """
        Issue the DPS of an invoice.

        For an invoice that has none, again after a rejection, or another one after a cancellation. If one is
        `PENDING` or `AUTHORIZED`, it is returned as it is.

        Needs the permission `INVOICE:CREATE`.
        """
        answer: types.Nfse = self._http.post("/v2/invoices/nfse/issue", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def report(
        self,
        body: types.InvoicesNfseReportRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Nfse:
        """
        Report what the tax authority answered.

        For the program that transmits each DPS. Reports may be repeated, and may arrive in any order: the
        NFS-e is returned as it is
        afterwards. `AUTHORIZED` is accepted after `REJECTED`, and a rejection after `AUTHORIZED` changes
        nothing.

        Needs the permission `INVOICE:CREATE`.
        """
        answer: types.Nfse = self._http.post("/v2/invoices/nfse/report", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def cancel(
        self,
        body: types.InvoicesNfseCancelRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Nfse:
        """
        Ask for the cancellation of an NFS-e.

        Publishes `nfse.cancellation_requested`. Repeating it changes nothing, unless the authority has
        refused the last request.

        Needs the permission `INVOICE:CREATE`.
        """
        answer: types.Nfse = self._http.post("/v2/invoices/nfse/cancel", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class InvoicesResource:
    """Numbered invoices of cycles and of payments of checkouts."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http
        self.nfse = InvoicesNfseResource(http)
        """The operations below `/v2/invoices/nfse`."""

    def list(
        self,
        *,
        number: str | None = None,
        status: Literal["OPEN", "PAID", "VOID"] | None = None,
        customer_id: str | None = None,
        subscription_id: str | None = None,
        checkout_id: str | None = None,
        payment_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Invoice]:
        """
        List invoices, newest first.

        Lists the invoices of subscription cycles and of payments through checkouts and payment links, from
        the release that introduced invoices. The payer is shown only to keys with `CUSTOMER:READ`.

        Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
        """
        answer: Pages[types.Invoice] = self._http.pages("/v2/invoices/list", {
            "number": number,
            "status": status,
            "customerId": customer_id,
            "subscriptionId": subscription_id,
            "checkoutId": checkout_id,
            "paymentId": payment_id,
            "createdFrom": created_from,
            "createdTo": created_to,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.Invoice:
        """
        Get an invoice.

        The payer is shown only to keys with `CUSTOMER:READ`.

        Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
        """
        answer: types.Invoice = self._http.get("/v2/invoices/get", {
            "id": id,
        }, timeout=timeout)
        return answer


class RemindersResource:
    """When and how payers are reminded of boletos and subscriptions."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def get(
        self,
        *,
        timeout: float | None = None,
    ) -> types.Reminders:
        """
        How payers are reminded.

        In the environment of the key. A store sends no reminders until it turns them on.

        Needs the permission `REMINDER:READ`.
        """
        answer: types.Reminders = self._http.get("/v2/reminders/get", {}, timeout=timeout)
        return answer

    def update(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Reminders:
        """
        Change how payers are reminded.

        In the environment of the key, and only what is sent: a kind, its `channel` or `steps`, or `language`.
        Reminders of days before
        a store turns them on are not made up for. E-mails need a mail server.

        Needs the permission `REMINDER:UPDATE`.
        """
        answer: types.Reminders = self._http.post("/v2/reminders/update", {}, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class PublicMrrResource:
    """Revenue figures that a store may publish."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def mrr(
        self,
        *,
        timeout: float | None = None,
    ) -> types.RecurringRevenue:
        """
        Monthly recurring revenue.

        The monthly sum of active subscriptions out of trial, without usage: weekly × 52 ÷ 12, quarterly ÷ 3,
        and so on, rounded half up once for the total.

        Needs a valid API key with any permissions.
        """
        answer: types.RecurringRevenue = self._http.get("/v2/public-mrr/mrr", {}, timeout=timeout)
        return answer

    def merchant_info(
        self,
        *,
        timeout: float | None = None,
    ) -> types.Merchant:
        """
        The store behind the API key.

        Needs the permission `STORE:READ`.
        """
        answer: types.Merchant = self._http.get("/v2/public-mrr/merchant-info", {}, timeout=timeout)
        return answer

    def revenue(
        self,
        *,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> types.Revenue:
        """
        Revenue, in total and per day.

        Paid charges of every kind, by the São Paulo day of their payment, over at most 366 days. Refunded
        ones are not included.

        Needs the permission `STORE:READ`.
        """
        answer: types.Revenue = self._http.get("/v2/public-mrr/revenue", {
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer


class StoreResource:
    """The store behind the key, and its balance."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def get(
        self,
        *,
        timeout: float | None = None,
    ) -> types.Store:
        """
        The store and its balance.

        The current balance of the environment of the API key, from the ledger. PIX payments are available at
        once, boletos on the next business day, card payments after 30 days.

        Needs the permission `STORE:READ`.
        """
        answer: types.Store = self._http.get("/v2/store/get", {}, timeout=timeout)
        return answer


class BalanceResource:
    """Changes of the balance."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def movements(
        self,
        *,
        account: Literal["AVAILABLE", "PENDING", "BLOCKED"] | None = None,
        kind: Literal["PAYMENT", "SETTLEMENT", "REFUND_RESERVED", "REFUND_FAILED", "DISPUTE_OPENED", "DISPUTE_WON", "DISPUTE_LOST", "DISPUTE_FEE", "DISPUTE_FEE_RETURNED", "EXCESS_TAKEN", "EXCESS_RETURNED", "PAYOUT_RESERVED", "PAYOUT_FAILED", "REFUND_REVIVED", "PAYOUT_REVIVED", "PAYOUT_RETURNED", "SUB_ACCOUNT_CREDITED", "SUB_ACCOUNT_DEBITED"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Movement]:
        """
        List changes of the balance, newest first.

        The statement of the store, in the environment of the API key. Each movement of money has one entry
        per part of the
        balance that it changes, with the total of that part afterwards. A settled amount leaves `PENDING` in
        one entry and enters
        `AVAILABLE` in another. Amounts are after fees. `balance` has the balance at the start and end of the
        range.

        Needs the permission `STORE:READ`, and also `CHECKOUT:READ` and `WITHDRAW:READ`.
        """
        answer: Pages[types.Movement] = self._http.pages("/v2/balance/movements", {
            "account": account,
            "kind": kind,
            "from": from_,
            "to": to,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer


class BankStatementResource:
    """The same changes, in the words of bank statements."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def list(
        self,
        *,
        kind: Literal["DEPOSIT", "WITHDRAW", "REFUND", "CARD_APPROVED", "SWAP_INTERNAL_CREDIT_CARD_RECEIVED", "DISPUTE", "REVERSAL", "SUB_ACCOUNT"] | None = None,
        method: Literal["PIX", "PIX_QRCODE", "CARD", "BOLETO", "TED", "INTERNAL"] | None = None,
        status: Literal["COMPLETE", "APPROVED"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.BankTransaction]:
        """
        List the transactions of the balance, newest first.

        The sum of `amount` with `balanceEffect` `credit`, less those with `debit`, is the available balance
        of `store/get`. Money that is pending, such as of an approved card, has `none` and appears again when
        it settles.

        Needs the permission `BANK_STATEMENT:READ`.
        """
        answer: Pages[types.BankTransaction] = self._http.pages("/v2/bank-statement/list", {
            "kind": kind,
            "method": method,
            "status": status,
            "from": from_,
            "to": to,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer


class PayoutsResource:
    """Money from the balance to the store's own account."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def create(
        self,
        body: types.PayoutsCreateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Payout:
        """
        Send money to the store's own account.

        At least 350 cents, and one payout a minute. The amount leaves the available balance at once. If the
        payout completes you get
        `payout.completed`; if it fails, you get `payout.failed` and the amount returns to the balance. The
        same `externalId` with the same
        content returns the existing payout, whatever its status: to retry after a failure, use another one.
        In dev mode a payout
        of exactly 40404 cents (R$ 404,04) fails with `account_closed`, and one of 40505 cents
        (R$ 405,05) is returned by the bank, and you get `payout.returned`.

        Needs the permission `WITHDRAW:CREATE`.
        """
        answer: types.Payout = self._http.post("/v2/payouts/create", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        timeout: float | None = None,
    ) -> types.Payout:
        """
        Get a payout.

        By exactly one of `externalId` and `id`.

        Needs the permission `WITHDRAW:READ`.
        """
        answer: types.Payout = self._http.get("/v2/payouts/get", {
            "id": id,
            "externalId": external_id,
        }, timeout=timeout)
        return answer

    def list(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        status: Literal["PENDING", "COMPLETE", "FAILED", "REFUNDED"] | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Payout]:
        """
        List payouts, newest first.

        Needs the permission `WITHDRAW:READ`.
        """
        answer: Pages[types.Payout] = self._http.pages("/v2/payouts/list", {
            "id": id,
            "externalId": external_id,
            "status": status,
            "createdFrom": created_from,
            "createdTo": created_to,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def approve(
        self,
        body: types.PayoutsApproveRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Payout:
        """
        Approve a payout that waits.

        Sends the money. The creator cannot approve it, and neither can another key of the same person.
        Without an approval it
        fails after 72 hours. A payout that waits only because its PIX key is new is sent at
        `approval.releasesAt`.

        Needs the permission `WITHDRAW:APPROVE`.
        """
        answer: types.Payout = self._http.post("/v2/payouts/approve", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def reject(
        self,
        body: types.PayoutsRejectRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Payout:
        """
        Reject a payout that waits.

        It fails with `approval_rejected`, `payout.failed` is sent, and the money returns to the balance: in
        dev mode within
        seconds, otherwise within 20 minutes, once the bank has confirmed that it does not know it. If the
        bank sent it before a restore, it is COMPLETE instead.

        Needs the permission `WITHDRAW:APPROVE`.
        """
        answer: types.Payout = self._http.post("/v2/payouts/reject", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class PixResource:
    """Money from the balance to any PIX key."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def send(
        self,
        body: types.PixSendRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Transfer:
        """
        Send money to a PIX key.

        The amount leaves the available balance at once. If the transfer completes you get
        `transfer.completed`; if it fails, you get
        `transfer.failed` and the amount returns to the balance. Keys may have punctuation. A BR Code (PIX
        copy and paste) must contain its
        key and a valid checksum, and either no amount or exactly `amount`. The code's txid is sent along, so
        that its payee recognises the
        payment. If the store's provider cannot do that, or the txid is invalid, you get a 422.
        The same `externalId` with the same content returns the existing transfer, whatever its status: to
        retry after a failure, use another one. In dev mode these keys of type `EMAIL` fail:
        `chave-inexistente@example.com` (`key_not_found`), `conta-encerrada@example.com` (`account_closed`),
        `suspeita@example.com` (`suspected_fraud`); `demora@example.com` takes a few seconds,
        `devolve@example.com` returns the money (`transfer.returned`), and every other
        key receives at once.

        Needs the permission `WITHDRAW:CREATE`.
        """
        answer: types.Transfer = self._http.post("/v2/pix/send", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        timeout: float | None = None,
    ) -> types.Transfer:
        """
        Get a transfer.

        By exactly one of `externalId` and `id`.

        Needs the permission `WITHDRAW:READ`.
        """
        answer: types.Transfer = self._http.get("/v2/pix/get", {
            "id": id,
            "externalId": external_id,
        }, timeout=timeout)
        return answer

    def list(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        status: Literal["PENDING", "COMPLETE", "FAILED", "REFUNDED"] | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.Transfer]:
        """
        List transfers, newest first.

        Needs the permission `WITHDRAW:READ`.
        """
        answer: Pages[types.Transfer] = self._http.pages("/v2/pix/list", {
            "id": id,
            "externalId": external_id,
            "status": status,
            "createdFrom": created_from,
            "createdTo": created_to,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def approve(
        self,
        body: types.PixApproveRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Transfer:
        """
        Approve a transfer that waits.

        Sends the money. The creator cannot approve it, and neither can another key of the same person.
        Without an approval it
        fails after 72 hours. A payout that waits only because its PIX key is new is sent at
        `approval.releasesAt`.

        Needs the permission `WITHDRAW:APPROVE`.
        """
        answer: types.Transfer = self._http.post("/v2/pix/approve", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def reject(
        self,
        body: types.PixRejectRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Transfer:
        """
        Reject a transfer that waits.

        It fails with `approval_rejected`, `transfer.failed` is sent, and the money returns to the balance: in
        dev mode within
        seconds, otherwise within 20 minutes, once the bank has confirmed that it does not know it. If the
        bank sent it before a restore, it is COMPLETE instead.

        Needs the permission `WITHDRAW:APPROVE`.
        """
        answer: types.Transfer = self._http.post("/v2/pix/reject", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class SubAccountsResource:
    """Money of third parties, such as sellers, apart from the balance."""

    def __init__(self, http: HttpClient) -> None:
        self._http = http

    def create(
        self,
        body: types.SubAccountsCreateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.SubAccount:
        """
        Create a sub-account.

        A sub-account holds the money of a third party, such as a seller of your marketplace, apart from the
        store's balance. Parts of PIX
        payments reach it by `data.splits` of `transparents/create`, and leave it by `sub-accounts/withdraw`.
        There is one per tax id: if it
        exists, it is returned with its balance and the other fields are ignored.

        Needs the permission `SUB_ACCOUNT:CREATE`.
        """
        answer: types.SubAccount = self._http.post("/v2/sub-accounts/create", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def update(
        self,
        body: types.SubAccountsUpdateRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.SubAccount:
        """
        Update a sub-account.

        Given fields replace stored ones; omitted and null fields stay unchanged. `metadata` is replaced as a
        whole. The tax id
        never changes, because the money belongs to its holder: create another sub-account for another one.

        Needs the permission `SUB_ACCOUNT:CREATE`.
        """
        answer: types.SubAccount = self._http.post("/v2/sub-accounts/update", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer

    def get(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> types.SubAccount:
        """
        Get a sub-account.

        Needs the permission `SUB_ACCOUNT:READ`.
        """
        answer: types.SubAccount = self._http.get("/v2/sub-accounts/get", {
            "id": id,
        }, timeout=timeout)
        return answer

    def list(
        self,
        *,
        id: str | None = None,
        external_id: str | None = None,
        tax_id: str | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.SubAccount]:
        """
        List sub-accounts, newest first.

        Needs the permission `SUB_ACCOUNT:READ`.
        """
        answer: Pages[types.SubAccount] = self._http.pages("/v2/sub-accounts/list", {
            "id": id,
            "externalId": external_id,
            "taxId": tax_id,
            "createdFrom": created_from,
            "createdTo": created_to,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def movements(
        self,
        *,
        id: str,
        kind: Literal["PAYMENT", "REFUND_RESERVED", "REFUND_FAILED", "REFUND_REVIVED", "DISPUTE_OPENED", "DISPUTE_WON", "PAYOUT_RESERVED", "PAYOUT_FAILED", "PAYOUT_REVIVED", "PAYOUT_RETURNED"] | None = None,
        created_from: str | None = None,
        created_to: str | None = None,
        limit: int | None = None,
        after: str | None = None,
        before: str | None = None,
        start_date: str | None = None,
        end_date: str | None = None,
        timeout: float | None = None,
    ) -> Pages[types.SubAccountMovement]:
        """
        List changes of a sub-account's balance, newest first.

        Needs the permission `SUB_ACCOUNT:READ`.
        """
        answer: Pages[types.SubAccountMovement] = self._http.pages("/v2/sub-accounts/movements", {
            "id": id,
            "kind": kind,
            "createdFrom": created_from,
            "createdTo": created_to,
            "limit": limit,
            "after": after,
            "before": before,
            "startDate": start_date,
            "endDate": end_date,
        }, timeout=timeout)
        return answer

    def withdraw(
        self,
        body: types.SubAccountsWithdrawRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> types.Transfer:
        """
        Send a sub-account's money to its holder.

        The money goes to the PIX key that is the holder's CPF or CNPJ, which the holder has registered at a
        bank. The amount leaves the
        sub-account's balance at once; the holder receives it less `platformFee`. It is a transfer: you get
        `transfer.completed`, or
        `transfer.failed` and the amount returns to the sub-account. `pix/get` and `pix/list` show it, and the
        store's limits and approvals
        apply. In dev mode a withdrawal to the CPF `000.000.001-91` fails with
        `key_not_found`.

        Needs the permission `SUB_ACCOUNT:WITHDRAW`.
        """
        answer: types.Transfer = self._http.post("/v2/sub-accounts/withdraw", body, idempotency_key=idempotency_key, timeout=timeout)
        return answer


class Resources:
    """Every resource of the API."""

    def __init__(self, http: HttpClient) -> None:
        self.transparents = TransparentsResource(http)
        """PIX charges, boletos and card charges on pages of your own."""
        self.checkouts = CheckoutsResource(http)
        """Hosted pages on which a payer pays once, by PIX, boleto or card."""
        self.payment_links = PaymentLinksResource(http)
        """Hosted pages that any number of payers pay through."""
        self.payments = PaymentsResource(http)
        """Every payment, of every kind."""
        self.customers = CustomersResource(http)
        """Who pays."""
        self.customer_portal = CustomerPortalResource(http)
        """Links with which customers see their payments, and manage their subscriptions."""
        self.saved_cards = SavedCardsResource(http)
        """Cards that a customer has agreed to keep for later payments."""
        self.products = ProductsResource(http)
        """Goods and services that you sell, once or every cycle."""
        self.coupons = CouponsResource(http)
        """Discounts, with limits on customers and uses."""
        self.webhooks = WebhooksResource(http)
        """Endpoints that receive events, and the deliveries to them."""
        self.events = EventsResource(http)
        """Events of the store, one by one."""
        self.subscriptions = SubscriptionsResource(http)
        """Recurring charges, with trials, usage and plan changes."""
        self.mandates = MandatesResource(http)
        """Authorizations of debits by PIX (Pix Automático), which subscriptions ask for."""
        self.dev = DevResource(http)
        """Simulates providers and payers in dev mode."""
        self.invoices = InvoicesResource(http)
        """Numbered invoices of cycles and of payments of checkouts."""
        self.reminders = RemindersResource(http)
        """When and how payers are reminded of boletos and subscriptions."""
        self.public_mrr = PublicMrrResource(http)
        """Revenue figures that a store may publish."""
        self.store = StoreResource(http)
        """The store behind the key, and its balance."""
        self.balance = BalanceResource(http)
        """Changes of the balance."""
        self.bank_statement = BankStatementResource(http)
        """The same changes, in the words of bank statements."""
        self.payouts = PayoutsResource(http)
        """Money from the balance to the store's own account."""
        self.pix = PixResource(http)
        """Money from the balance to any PIX key."""
        self.sub_accounts = SubAccountsResource(http)
        """Money of third parties, such as sellers, apart from the balance."""

// Made by `npm run sdks` from the API's document. Do not edit.

import type { HttpClient, RequestOptions } from '../http-client.ts';
import type { Pages } from '../pages.ts';
import type { components, operations } from './schema.ts';

type Schemas = components['schemas'];
export type TransparentsCreateRequest = Schemas['TransparentsCreateRequest'];
export type PixRequest = Schemas['PixRequest'];
export type PixData = Schemas['PixData'];
export type Utm = Schemas['Utm'];
export type Split = Schemas['Split'];
export type PixPayer = Schemas['PixPayer'];
export type PayerAddress = Schemas['PayerAddress'];
export type BoletoRequest = Schemas['BoletoRequest'];
export type BoletoData = Schemas['BoletoData'];
export type BoletoPayer = Schemas['BoletoPayer'];
export type CardRequest = Schemas['CardRequest'];
export type CardData = Schemas['CardData'];
export type CardPayer = Schemas['CardPayer'];
export type TransparentsSimulatePaymentRequest = Schemas['TransparentsSimulatePaymentRequest'];
export type TransparentsCancelRequest = Schemas['TransparentsCancelRequest'];
export type TransparentsRefundRequest = Schemas['TransparentsRefundRequest'];
export type CheckoutsCreateRequest = Schemas['CheckoutsCreateRequest'];
export type OrderedItem = Schemas['OrderedItem'];
export type CheckoutsCancelRequest = Schemas['CheckoutsCancelRequest'];
export type CheckoutsSimulatePaymentRequest = Schemas['CheckoutsSimulatePaymentRequest'];
export type Payer = Schemas['Payer'];
export type CheckoutsOneClickRequest = Schemas['CheckoutsOneClickRequest'];
export type CheckoutsRefundRequest = Schemas['CheckoutsRefundRequest'];
export type PaymentLinksCreateRequest = Schemas['PaymentLinksCreateRequest'];
export type PaymentLinksCancelRequest = Schemas['PaymentLinksCancelRequest'];
export type PaymentLinksRefundRequest = Schemas['PaymentLinksRefundRequest'];
/** `email` is required, at the top level or in `data`. */
export type CustomersCreateRequest = Schemas['CustomersCreateRequest'];
export type CustomerData = Schemas['CustomerData'];
export type CustomersUpdateRequest = Schemas['CustomersUpdateRequest'];
export type CustomersDeleteRequest = Schemas['CustomersDeleteRequest'];
export type CustomerPortalCreateRequest = Schemas['CustomerPortalCreateRequest'];
export type SavedCardsDeleteRequest = Schemas['SavedCardsDeleteRequest'];
export type ProductsCreateRequest = Schemas['ProductsCreateRequest'];
export type UsagePrice = Schemas['UsagePrice'];
export type ProductsUpdateRequest = Schemas['ProductsUpdateRequest'];
export type ProductsArchiveRequest = Schemas['ProductsArchiveRequest'];
export type ProductsRestoreRequest = Schemas['ProductsRestoreRequest'];
export type ProductsDeleteRequest = Schemas['ProductsDeleteRequest'];
export type CouponsCreateRequest = Schemas['CouponsCreateRequest'];
export type CouponsUpdateRequest = Schemas['CouponsUpdateRequest'];
export type CouponsToggleRequest = Schemas['CouponsToggleRequest'];
export type CouponsDeleteRequest = Schemas['CouponsDeleteRequest'];
export type WebhooksCreateRequest = Schemas['WebhooksCreateRequest'];
export type WebhooksUpdateRequest = Schemas['WebhooksUpdateRequest'];
export type WebhooksRotateSecretRequest = Schemas['WebhooksRotateSecretRequest'];
export type WebhooksTestRequest = Schemas['WebhooksTestRequest'];
export type WebhooksDeleteRequest = Schemas['WebhooksDeleteRequest'];
export type WebhooksResendRequest = Schemas['WebhooksResendRequest'];
export type WebhooksResendStopRequest = Schemas['WebhooksResendStopRequest'];
export type SubscriptionsCreateRequest = Schemas['SubscriptionsCreateRequest'];
export type SubscriptionsCancelRequest = Schemas['SubscriptionsCancelRequest'];
export type SubscriptionsPauseRequest = Schemas['SubscriptionsPauseRequest'];
export type SubscriptionsResumeRequest = Schemas['SubscriptionsResumeRequest'];
export type SubscriptionsPayRequest = Schemas['SubscriptionsPayRequest'];
export type SubscriptionsUpdateRequest = Schemas['SubscriptionsUpdateRequest'];
export type SubscriptionsChangePlanRequest = Schemas['SubscriptionsChangePlanRequest'];
export type SubscriptionsPreviewRequest = Schemas['SubscriptionsPreviewRequest'];
export type SubscriptionsRecordUsageRequest = Schemas['SubscriptionsRecordUsageRequest'];
export type SubscriptionsCheckoutsDeleteRequest = Schemas['SubscriptionsCheckoutsDeleteRequest'];
export type MandatesCreateRequest = Schemas['MandatesCreateRequest'];
export type MandatesCancelRequest = Schemas['MandatesCancelRequest'];
export type DevMandatesAnswerRequest = Schemas['DevMandatesAnswerRequest'];
export type InvoicesNfseUpdateSettingsRequest = Schemas['InvoicesNfseUpdateSettingsRequest'];
export type InvoicesNfseIssueRequest = Schemas['InvoicesNfseIssueRequest'];
export type InvoicesNfseReportRequest = Schemas['InvoicesNfseReportRequest'];
export type InvoicesNfseCancelRequest = Schemas['InvoicesNfseCancelRequest'];
export type RemindersUpdateRequest = Schemas['RemindersUpdateRequest'];
export type UpdateReminders = Schemas['UpdateReminders'];
export type DevDisputesOpenRequest = Schemas['DevDisputesOpenRequest'];
export type DevDisputesWinRequest = Schemas['DevDisputesWinRequest'];
export type DevDisputesLoseRequest = Schemas['DevDisputesLoseRequest'];
export type DevCardsReplaceRequest = Schemas['DevCardsReplaceRequest'];
export type DevCardsChangeRequest = Schemas['DevCardsChangeRequest'];
export type DevRemindersPublishRequest = Schemas['DevRemindersPublishRequest'];
export type DevRefundsRequestRequest = Schemas['DevRefundsRequestRequest'];
export type DevClockAdvanceRequest = Schemas['DevClockAdvanceRequest'];
export type DevClockCancelRequest = Schemas['DevClockCancelRequest'];
export type DevClockResetRequest = Schemas['DevClockResetRequest'];
export type PayoutsCreateRequest = Schemas['PayoutsCreateRequest'];
export type PayoutsApproveRequest = Schemas['PayoutsApproveRequest'];
export type PayoutsRejectRequest = Schemas['PayoutsRejectRequest'];
export type PixSendRequest = Schemas['PixSendRequest'];
export type PixApproveRequest = Schemas['PixApproveRequest'];
export type PixRejectRequest = Schemas['PixRejectRequest'];
export type SubAccountsCreateRequest = Schemas['SubAccountsCreateRequest'];
export type SubAccountsUpdateRequest = Schemas['SubAccountsUpdateRequest'];
export type SubAccountsWithdrawRequest = Schemas['SubAccountsWithdrawRequest'];
export type CheckoutCompletedEvent = Schemas['CheckoutCompletedEvent'];
export type EventCheckout = Schemas['EventCheckout'];
/** The payment of this event. */
export type EventCheckoutPayment = Schemas['EventCheckoutPayment'];
export type EventCustomer = Schemas['EventCustomer'];
export type EventPayer = Schemas['EventPayer'];
export type EventPixPayer = Schemas['EventPixPayer'];
export type EventPayerAccount = Schemas['EventPayerAccount'];
export type EventBoletoPayer = Schemas['EventBoletoPayer'];
export type EventCardPayer = Schemas['EventCardPayer'];
export type EventPayerCard = Schemas['EventPayerCard'];
export type CheckoutRefundedEvent = Schemas['CheckoutRefundedEvent'];
export type EventRefund = Schemas['EventRefund'];
export type CheckoutDisputedEvent = Schemas['CheckoutDisputedEvent'];
export type EventDispute = Schemas['EventDispute'];
export type CheckoutLostEvent = Schemas['CheckoutLostEvent'];
export type TransparentCompletedEvent = Schemas['TransparentCompletedEvent'];
export type EventTransparent = Schemas['EventTransparent'];
export type PaidComponents = Schemas['PaidComponents'];
export type TransparentRefundedEvent = Schemas['TransparentRefundedEvent'];
export type TransparentDisputedEvent = Schemas['TransparentDisputedEvent'];
export type TransparentLostEvent = Schemas['TransparentLostEvent'];
export type SubscriptionCompletedEvent = Schemas['SubscriptionCompletedEvent'];
export type EventSubscription = Schemas['EventSubscription'];
export type EventSubscriptionPayment = Schemas['EventSubscriptionPayment'];
/** The checkout that started the subscription, at the time of the event. */
export type EventSubscriptionCheckout = Schemas['EventSubscriptionCheckout'];
/** The debit by PIX of that cycle; null if it is paid in another way. */
export type EventDebit = Schemas['EventDebit'];
export type SubscriptionCancelledEvent = Schemas['SubscriptionCancelledEvent'];
export type SubscriptionRenewedEvent = Schemas['SubscriptionRenewedEvent'];
export type SubscriptionTrialStartedEvent = Schemas['SubscriptionTrialStartedEvent'];
export type SubscriptionPlanChangedEvent = Schemas['SubscriptionPlanChangedEvent'];
export type SubscriptionPaymentFailedEvent = Schemas['SubscriptionPaymentFailedEvent'];
export type PayoutCompletedEvent = Schemas['PayoutCompletedEvent'];
export type EventCompletedPayout = Schemas['EventCompletedPayout'];
export type PayoutFailedEvent = Schemas['PayoutFailedEvent'];
export type EventFailedPayout = Schemas['EventFailedPayout'];
export type TransferCompletedEvent = Schemas['TransferCompletedEvent'];
export type TransferFailedEvent = Schemas['TransferFailedEvent'];
export type TransparentExpiredEvent = Schemas['TransparentExpiredEvent'];
export type EventUnpaidTransparent = Schemas['EventUnpaidTransparent'];
export type TransparentCancelledEvent = Schemas['TransparentCancelledEvent'];
export type TransparentWonEvent = Schemas['TransparentWonEvent'];
export type CheckoutExpiredEvent = Schemas['CheckoutExpiredEvent'];
export type EventExpiredCheckout = Schemas['EventExpiredCheckout'];
export type CheckoutPaymentFailedEvent = Schemas['CheckoutPaymentFailedEvent'];
export type EventUnpaidCheckout = Schemas['EventUnpaidCheckout'];
export type EventFailedPayment = Schemas['EventFailedPayment'];
export type CheckoutWonEvent = Schemas['CheckoutWonEvent'];
export type SubscriptionTrialEndingEvent = Schemas['SubscriptionTrialEndingEvent'];
export type EventNextCycle = Schemas['EventNextCycle'];
export type SubscriptionUpcomingEvent = Schemas['SubscriptionUpcomingEvent'];
export type SubscriptionCardExpiringEvent = Schemas['SubscriptionCardExpiringEvent'];
export type EventExpiringCard = Schemas['EventExpiringCard'];
export type SubscriptionCardUpdatedEvent = Schemas['SubscriptionCardUpdatedEvent'];
/** The card as it is now. */
export type EventCard = Schemas['EventCard'];
export type SubscriptionCancellationScheduledEvent = Schemas['SubscriptionCancellationScheduledEvent'];
export type SubscriptionPastDueEvent = Schemas['SubscriptionPastDueEvent'];
export type SubscriptionTrialChangedEvent = Schemas['SubscriptionTrialChangedEvent'];
export type SubscriptionPausedEvent = Schemas['SubscriptionPausedEvent'];
export type SubscriptionResumedEvent = Schemas['SubscriptionResumedEvent'];
export type SubscriptionPaymentMethodChangedEvent = Schemas['SubscriptionPaymentMethodChangedEvent'];
/** The card of later charges; null if they are paid by PIX. */
export type EventNewCard = Schemas['EventNewCard'];
/** The card that was replaced; null if the subscription was paid by PIX. */
export type EventPreviousCard = Schemas['EventPreviousCard'];
export type SubscriptionAuthorizationRequestedEvent = Schemas['SubscriptionAuthorizationRequestedEvent'];
export type SubscriptionAuthorizedEvent = Schemas['SubscriptionAuthorizedEvent'];
export type SubscriptionAuthorizationRefusedEvent = Schemas['SubscriptionAuthorizationRefusedEvent'];
export type SubscriptionAuthorizationCancelledEvent = Schemas['SubscriptionAuthorizationCancelledEvent'];
export type InvoiceCreatedEvent = Schemas['InvoiceCreatedEvent'];
export type EventInvoice = Schemas['EventInvoice'];
export type InvoiceLine = Schemas['InvoiceLine'];
/** The store as it was when the invoice was numbered. */
export type InvoiceIssuer = Schemas['InvoiceIssuer'];
/** The cycle that it is for; otherwise null. */
export type InvoicePeriod = Schemas['InvoicePeriod'];
export type InvoicePaidEvent = Schemas['InvoicePaidEvent'];
export type InvoiceVoidEvent = Schemas['InvoiceVoidEvent'];
export type CustomerUpdatedEvent = Schemas['CustomerUpdatedEvent'];
export type ReminderDueEvent = Schemas['ReminderDueEvent'];
export type EventReminder = Schemas['EventReminder'];
export type NfsePendingEvent = Schemas['NfsePendingEvent'];
export type Nfse = Schemas['Nfse'];
export type NfseError = Schemas['NfseError'];
/** Why it has to be cancelled: the payment was refunded in full, the invoice became void, a request asked for it, or the invoice has another NFS-e. A DPS that is still `PENDING` then need not be transmitted. */
export type NfseCancellation = Schemas['NfseCancellation'];
export type NfseAuthorizedEvent = Schemas['NfseAuthorizedEvent'];
export type NfseRejectedEvent = Schemas['NfseRejectedEvent'];
export type NfseCancellationRequestedEvent = Schemas['NfseCancellationRequestedEvent'];
export type NfseCancelledEvent = Schemas['NfseCancelledEvent'];
export type RefundFailedEvent = Schemas['RefundFailedEvent'];
export type EventFailedRefund = Schemas['EventFailedRefund'];
export type RefundRequestedEvent = Schemas['RefundRequestedEvent'];
export type EventRefundRequest = Schemas['EventRefundRequest'];
export type PaymentReturnedEvent = Schemas['PaymentReturnedEvent'];
export type EventReturnedPayment = Schemas['EventReturnedPayment'];
export type EventChargeOfReturnedPayment = Schemas['EventChargeOfReturnedPayment'];
export type PayoutReturnedEvent = Schemas['PayoutReturnedEvent'];
export type EventReturnedPayout = Schemas['EventReturnedPayout'];
export type EventPayoutReturn = Schemas['EventPayoutReturn'];
export type TransferReturnedEvent = Schemas['TransferReturnedEvent'];
export type WebhookDisabledEvent = Schemas['WebhookDisabledEvent'];
export type Charge = Schemas['Charge'];
export type PixCharge = Schemas['PixCharge'];
export type BoletoCharge = Schemas['BoletoCharge'];
export type CardCharge = Schemas['CardCharge'];
/** The response to every request that failed. */
export type Failure = Schemas['Failure'];
/** Send `next` as `after` for older objects, `before` as `before` for newer ones. */
export type Pagination = Schemas['Pagination'];
export type ChargeCheck = Schemas['ChargeCheck'];
export type Refund = Schemas['Refund'];
export type Checkout = Schemas['Checkout'];
export type SimulatedCheckout = Schemas['SimulatedCheckout'];
export type OneClick = Schemas['OneClick'];
export type Card = Schemas['Card'];
export type Payment = Schemas['Payment'];
/** Empty if unknown or erased. */
export type Customer = Schemas['Customer'];
export type CustomerPortal = Schemas['CustomerPortal'];
export type SavedCard = Schemas['SavedCard'];
export type Product = Schemas['Product'];
export type ShownUsagePrice = Schemas['ShownUsagePrice'];
export type Coupon = Schemas['Coupon'];
export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['Delivery'];
export type DeliveryAttempt = Schemas['DeliveryAttempt'];
export type DeliveryWithPayload = Schemas['DeliveryWithPayload'];
export type Resend = Schemas['Resend'];
export type Event = Schemas['Event'];
export type SubscriptionCheckout = Schemas['SubscriptionCheckout'];
export type Subscription = Schemas['Subscription'];
export type PlanUpdate = Schemas['PlanUpdate'];
export type SubscriptionPreview = Schemas['SubscriptionPreview'];
export type UsageRecord = Schemas['UsageRecord'];
export type Mandate = Schemas['Mandate'];
export type Debit = Schemas['Debit'];
export type Invoice = Schemas['Invoice'];
/** Null fields of a store that never entered its data. */
export type NfseSettings = Schemas['NfseSettings'];
export type Reminders = Schemas['Reminders'];
export type ReminderSchedule = Schemas['ReminderSchedule'];
export type RecurringRevenue = Schemas['RecurringRevenue'];
export type Merchant = Schemas['Merchant'];
export type Revenue = Schemas['Revenue'];
export type Store = Schemas['Store'];
export type Balance = Schemas['Balance'];
export type StoreAccount = Schemas['StoreAccount'];
export type Movement = Schemas['Movement'];
export type BankTransaction = Schemas['BankTransaction'];
export type DisputedCharge = Schemas['DisputedCharge'];
export type ReplacedCard = Schemas['ReplacedCard'];
export type PublishedReminder = Schemas['PublishedReminder'];
export type RequestedRefund = Schemas['RequestedRefund'];
export type Clock = Schemas['Clock'];
export type ClockAdvance = Schemas['ClockAdvance'];
export type Payout = Schemas['Payout'];
export type PayoutApproval = Schemas['PayoutApproval'];
export type Transfer = Schemas['Transfer'];
export type SubAccount = Schemas['SubAccount'];
export type SubAccountMovement = Schemas['SubAccountMovement'];
export type PaidComponentsOutput = Schemas['PaidComponentsOutput'];

/** The deliveries of webhooks by the name of their event. */
export interface WebhookEvents {
  /** A checkout was paid, or a payment was made through a payment link */
  'checkout.completed': CheckoutCompletedEvent;
  /** A payment made through a checkout was refunded, fully or partially */
  'checkout.refunded': CheckoutRefundedEvent;
  /** The payer disputes a payment made through a checkout; its amount is blocked */
  'checkout.disputed': CheckoutDisputedEvent;
  /** A dispute was lost; the amount was returned to the payer */
  'checkout.lost': CheckoutLostEvent;
  /** A PIX charge, boleto or card charge was paid */
  'transparent.completed': TransparentCompletedEvent;
  /** A PIX or card charge was refunded, fully or partially */
  'transparent.refunded': TransparentRefundedEvent;
  /** The payer disputes the payment of a charge; its amount is blocked */
  'transparent.disputed': TransparentDisputedEvent;
  /** A dispute was lost; the amount was returned to the payer */
  'transparent.lost': TransparentLostEvent;
  /** A subscription was paid for the first time: immediately, or after its trial */
  'subscription.completed': SubscriptionCompletedEvent;
  /** A subscription ended, on request or after too many failed attempts */
  'subscription.cancelled': SubscriptionCancelledEvent;
  /** Another cycle was paid */
  'subscription.renewed': SubscriptionRenewedEvent;
  /** A trial started */
  'subscription.trial_started': SubscriptionTrialStartedEvent;
  /** The price of a subscription changes from the next cycle */
  'subscription.plan_changed': SubscriptionPlanChangedEvent;
  /** An attempt to charge a cycle failed */
  'subscription.payment_failed': SubscriptionPaymentFailedEvent;
  /** A payout arrived at the store's account */
  'payout.completed': PayoutCompletedEvent;
  /** A payout failed */
  'payout.failed': PayoutFailedEvent;
  /** A transfer arrived at its PIX key */
  'transfer.completed': TransferCompletedEvent;
  /** A transfer failed */
  'transfer.failed': TransferFailedEvent;
  /** A PIX charge or boleto expired. If a payment made in time is reported late, the charge is still completed. Our addition */
  'transparent.expired': TransparentExpiredEvent;
  /** A PIX charge or boleto was cancelled. Our addition */
  'transparent.cancelled': TransparentCancelledEvent;
  /** A dispute was won; the amount is available to the store again. Our addition */
  'transparent.won': TransparentWonEvent;
  /** A checkout expired unpaid. If a payment made in time is reported late, the checkout is still completed. Our addition */
  'checkout.expired': CheckoutExpiredEvent;
  /** A card was declined; the checkout can still be paid. Our addition */
  'checkout.payment_failed': CheckoutPaymentFailedEvent;
  /** A dispute was won; the amount is available to the store again. Our addition */
  'checkout.won': CheckoutWonEvent;
  /** A trial ends within three days, followed by the first charge. Our addition */
  'subscription.trial_ending': SubscriptionTrialEndingEvent;
  /** A subscription will be charged within seven days, and its current cycle is paid. Sent once for each charge. Our addition */
  'subscription.upcoming': SubscriptionUpcomingEvent;
  /** The card of an active subscription expires within 30 days, and again within 7. Sent at most once for each. Our addition */
  'subscription.card_expiring': SubscriptionCardExpiringEvent;
  /** The network or issuer of a subscription's card has replaced it or changed its expiry; the next cycle is charged to it. Our addition */
  'subscription.card_updated': SubscriptionCardUpdatedEvent;
  /** A subscription will end with its current cycle. Our addition */
  'subscription.cancellation_scheduled': SubscriptionCancellationScheduledEvent;
  /** The first attempt to charge a cycle failed, and the subscription continues: the cycle is overdue. Our addition */
  'subscription.past_due': SubscriptionPastDueEvent;
  /** The end of a trial was moved, or the trial was ended. Our addition */
  'subscription.trial_changed': SubscriptionTrialChangedEvent;
  /** A subscription was paused, or its pause has another end: nothing is charged. Our addition */
  'subscription.paused': SubscriptionPausedEvent;
  /** A pause ended, or a scheduled cancellation was undone. Our addition */
  'subscription.resumed': SubscriptionResumedEvent;
  /** The card of a subscription was replaced by its payer */
  'subscription.payment_method_changed': SubscriptionPaymentMethodChangedEvent;
  /** The payer is asked to authorize debits by PIX without a payment: show or send them the page. Our addition */
  'subscription.authorization_requested': SubscriptionAuthorizationRequestedEvent;
  /** The payer has authorized the debits of later cycles by PIX (Pix Automático). Our addition */
  'subscription.authorized': SubscriptionAuthorizedEvent;
  /** The payer has not authorized debits, or has not answered: later cycles are paid as before. Our addition */
  'subscription.authorization_refused': SubscriptionAuthorizationRefusedEvent;
  /** An authorization of debits has ended, at the payer's bank or at the store's. Our addition */
  'subscription.authorization_cancelled': SubscriptionAuthorizationCancelledEvent;
  /** An invoice was numbered: of a cycle that is asked for, or of a payment of a checkout. Our addition */
  'invoice.created': InvoiceCreatedEvent;
  /** An invoice was paid, or had nothing to pay. Our addition */
  'invoice.paid': InvoicePaidEvent;
  /** The cycle of an invoice was given up unpaid: its subscription has ended or was paused. Our addition */
  'invoice.void': InvoiceVoidEvent;
  /** A customer's details changed, by `customers/update` or by the customer in the portal. Our addition */
  'customer.updated': CustomerUpdatedEvent;
  /** A payer should be reminded now, and the store has chosen to send the message itself. Once for each step. Our addition */
  'reminder.due': ReminderDueEvent;
  /** A DPS was issued, or issued again after a rejection. Your transmitter fetches, signs and sends its XML. Our addition */
  'nfse.pending': NfsePendingEvent;
  /** The tax authority made the NFS-e. Our addition */
  'nfse.authorized': NfseAuthorizedEvent;
  /** The tax authority refused the DPS. It can be issued again after its data is mended. Our addition */
  'nfse.rejected': NfseRejectedEvent;
  /** An authorised NFS-e has to be cancelled: its payment was refunded in full, its invoice became void, or a request asked for it. Our addition */
  'nfse.cancellation_requested': NfseCancellationRequestedEvent;
  /** The NFS-e was cancelled. Our addition */
  'nfse.cancelled': NfseCancelledEvent;
  /** A refund failed and had no effect; you can request another one. Our addition */
  'refund.failed': RefundFailedEvent;
  /** A customer asks for a refund in the customer portal, which the store can allow. Nothing was refunded: the store refunds the payment or declines. Our addition */
  'refund.requested': RefundRequestedEvent;
  /** A payment that could not be accepted was returned to its payer: a second, a late or an insufficient one. Our addition */
  'payment.returned': PaymentReturnedEvent;
  /** The payee's bank returned a payout, fully or partially */
  'payout.returned': PayoutReturnedEvent;
  /** The payee's bank returned a transfer, fully or partially */
  'transfer.returned': TransferReturnedEvent;
  /** Another webhook's endpoint returned 410 and is disabled; `webhooks/update` enables it again. Our addition */
  'webhook.disabled': WebhookDisabledEvent;
}

/** A delivery of a webhook. A later release of the service may send events that are not in this union. */
export type WebhookEvent = WebhookEvents[keyof WebhookEvents];

export type TransparentsGetQuery = NonNullable<operations['transparentsGet']['parameters']['query']>;
export type TransparentsListQuery = NonNullable<operations['transparentsList']['parameters']['query']>;
export type TransparentsCheckQuery = NonNullable<operations['transparentsCheck']['parameters']['query']>;

/** PIX charges, boletos and card charges on pages of your own. */
export class TransparentsResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Create a PIX charge, a boleto or a card charge.
   *
   * A card is charged at once: the answer is `PAID`, or a 422 `CARD_DECLINED`. With an `actionUrl` the charge is `PENDING` until the payer has confirmed it there, and you receive `transparent.completed`.
   *
   * Needs the permission `TRANSPARENT:CREATE` or `CHECKOUT:READ` or `CHECKOUT:CREATE`.
   */
  create(body: TransparentsCreateRequest, options?: RequestOptions): Promise<Charge> {
    return this.#http.post('/v2/transparents/create', body, options);
  }

  /**
   * Get a charge.
   *
   * Also returns PIX charges that payers started on a hosted page.
   *
   * Needs the permission `CHECKOUT:READ`.
   */
  get(query: TransparentsGetQuery, options?: RequestOptions): Promise<Charge> {
    return this.#http.get('/v2/transparents/get', query, options);
  }

  /**
   * List charges, newest first.
   *
   * Needs the permission `CHECKOUT:READ`.
   */
  list(query?: TransparentsListQuery, options?: RequestOptions): Pages<Charge> {
    return this.#http.list('/v2/transparents/list', query, options);
  }

  /**
   * Check the status of a charge.
   *
   * Needs the permission `CHECKOUT:READ`.
   */
  check(query: TransparentsCheckQuery, options?: RequestOptions): Promise<ChargeCheck> {
    return this.#http.get('/v2/transparents/check', query, options);
  }

  /**
   * Pay a charge in dev mode.
   *
   * The sandbox bank pays the amount due now and notifies the service. A charge that is already paid is returned unchanged. A lower `amount` is returned to the payer: the charge stays unpaid, and you receive `payment.returned`. `metadata` is stored with the payment; events with a payment include it as `payment.metadata`.
   *
   * Needs the permission `CHECKOUT:READ`.
   */
  simulatePayment(body: TransparentsSimulatePaymentRequest, options?: RequestOptions): Promise<Charge> {
    return this.#http.post('/v2/transparents/simulate-payment', body, options);
  }

  /**
   * Cancel an unpaid charge.
   *
   * A charge that is already cancelled is returned unchanged. If it was paid first, you get a 422.
   *
   * Needs the permission `CHECKOUT:DELETE`.
   */
  cancel(body: TransparentsCancelRequest, options?: RequestOptions): Promise<Charge> {
    return this.#http.post('/v2/transparents/cancel', body, options);
  }

  /**
   * Refund a PIX or card charge.
   *
   * `id` is the id of a paid charge. Refunds everything that remains of the payment, or `amount`, and returns your fee in proportion. Your balance must cover what you received, unless the payment has not settled yet. Repeating a request without `amount` returns the same `refundPublicId` and refunds nothing twice. A repeated request with `amount` is another refund, so send an `Idempotency-Key`. After a 503 the refund is made as soon as possible: repeat the request to get the result.
   *
   * Needs the permission `REFUND:CREATE`.
   */
  refund(body: TransparentsRefundRequest, options?: RequestOptions): Promise<Refund> {
    return this.#http.post('/v2/transparents/refund', body, options);
  }
}

export type CheckoutsGetQuery = NonNullable<operations['checkoutsGet']['parameters']['query']>;
export type CheckoutsListQuery = NonNullable<operations['checkoutsList']['parameters']['query']>;

/** Hosted pages on which a payer pays once, by PIX, boleto or card. */
export class CheckoutsResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Create a checkout.
   *
   * Send the payer to `url`. A checkout can be paid once and expires after 30 days; with `MULTIPLE_PAYMENTS` it is a payment link. Products keep their current price. `interest` and `fine` apply to its boletos.
   *
   * Needs the permission `CHECKOUT:CREATE`.
   */
  create(body: CheckoutsCreateRequest, options?: RequestOptions): Promise<Checkout> {
    return this.#http.post('/v2/checkouts/create', body, options);
  }

  /**
   * Get a checkout or payment link.
   *
   * Needs the permission `CHECKOUT:READ`.
   */
  get(query: CheckoutsGetQuery, options?: RequestOptions): Promise<Checkout> {
    return this.#http.get('/v2/checkouts/get', query, options);
  }

  /**
   * List checkouts and payment links, newest first.
   *
   * Needs the permission `CHECKOUT:READ`.
   */
  list(query?: CheckoutsListQuery, options?: RequestOptions): Pages<Checkout> {
    return this.#http.list('/v2/checkouts/list', query, options);
  }

  /**
   * Cancel an unpaid checkout or a payment link.
   *
   * Nobody can pay through it any more, and started payments are closed. A checkout that is already cancelled is returned unchanged. If it was paid first, the API returns 422.
   *
   * Needs the permission `CHECKOUT:DELETE`.
   */
  cancel(body: CheckoutsCancelRequest, options?: RequestOptions): Promise<Checkout> {
    return this.#http.post('/v2/checkouts/cancel', body, options);
  }

  /**
   * Pay a checkout or payment link in dev mode.
   *
   * Does what a payer does on the page, so that you can test without a browser. A checkout that is already paid is returned unchanged; a request with another card, method, coupon or payer than its payment is refused. Test cards: 4242 4242 4242 4242 is approved; 4000 0000 0000 0002, 4000 0000 0000 9995, 4000 0000 0000 0127, 4000 0000 0000 0069 and 4000 0000 0000 0101 are declined.
   *
   * Needs the permission `CHECKOUT:READ`.
   */
  simulatePayment(body: CheckoutsSimulatePaymentRequest, options?: RequestOptions): Promise<SimulatedCheckout> {
    return this.#http.post('/v2/checkouts/simulate-payment', body, options);
  }

  /**
   * Make a link to pay a checkout with a saved card.
   *
   * For a customer who is signed in at your shop. The page shows the order and the card, and one click pays. The link works for 15 minutes and makes one payment at most. The `url` of the checkout itself never shows the card.
   *
   * Needs the permission `TRANSPARENT:CREATE`.
   */
  oneClick(body: CheckoutsOneClickRequest, options?: RequestOptions): Promise<OneClick> {
    return this.#http.post('/v2/checkouts/one-click', body, options);
  }

  /**
   * Refund a payment of a checkout.
   *
   * `id` is the id of the checkout, for its own payment (for a subscription, the first one), or the id of a charge, such as an upsell or a subscription's renewal. Refunding a checkout's own payment makes it `REFUNDED`; a subscription continues. Refunds everything that remains of the payment, or `amount`, and returns your fee in proportion. Your balance must cover what you received, unless the payment has not settled yet. Repeating a request without `amount` returns the same `refundPublicId` and refunds nothing twice. A repeated request with `amount` is another refund, so send an `Idempotency-Key`. After a 503 the refund is made as soon as possible: repeat the request to get the result.
   *
   * Needs the permission `REFUND:CREATE`.
   */
  refund(body: CheckoutsRefundRequest, options?: RequestOptions): Promise<Refund> {
    return this.#http.post('/v2/checkouts/refund', body, options);
  }
}

export type PaymentLinksGetQuery = NonNullable<operations['paymentLinksGet']['parameters']['query']>;
export type PaymentLinksListQuery = NonNullable<operations['paymentLinksList']['parameters']['query']>;

/** Hosted pages that any number of payers pay through. */
export class PaymentLinksResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Create a payment link.
   *
   * The same as `checkouts/create` with `MULTIPLE_PAYMENTS`: it does not expire, stays `PENDING`, and creates a charge for each payment.
   *
   * Needs the permission `CHECKOUT:CREATE`.
   */
  create(body: PaymentLinksCreateRequest, options?: RequestOptions): Promise<Checkout> {
    return this.#http.post('/v2/payment-links/create', body, options);
  }

  /**
   * Get a payment link.
   *
   * Needs the permission `CHECKOUT:READ`.
   */
  get(query: PaymentLinksGetQuery, options?: RequestOptions): Promise<Checkout> {
    return this.#http.get('/v2/payment-links/get', query, options);
  }

  /**
   * List payment links, newest first.
   *
   * Needs the permission `CHECKOUT:READ`.
   */
  list(query?: PaymentLinksListQuery, options?: RequestOptions): Pages<Checkout> {
    return this.#http.list('/v2/payment-links/list', query, options);
  }

  /**
   * Cancel a payment link.
   *
   * Nobody can pay through it any more. A link that is already cancelled is returned unchanged.
   *
   * Needs the permission `CHECKOUT:DELETE`.
   */
  cancel(body: PaymentLinksCancelRequest, options?: RequestOptions): Promise<Checkout> {
    return this.#http.post('/v2/payment-links/cancel', body, options);
  }

  /**
   * Refund a payment of a payment link.
   *
   * `id` is the id of one payment of the link. Each payment is refunded separately. Refunds everything that remains of the payment, or `amount`, and returns your fee in proportion. Your balance must cover what you received, unless the payment has not settled yet. Repeating a request without `amount` returns the same `refundPublicId` and refunds nothing twice. A repeated request with `amount` is another refund, so send an `Idempotency-Key`. After a 503 the refund is made as soon as possible: repeat the request to get the result.
   *
   * Needs the permission `REFUND:CREATE`.
   */
  refund(body: PaymentLinksRefundRequest, options?: RequestOptions): Promise<Refund> {
    return this.#http.post('/v2/payment-links/refund', body, options);
  }
}

export type PaymentsListQuery = NonNullable<operations['paymentsList']['parameters']['query']>;
export type PaymentsGetQuery = NonNullable<operations['paymentsGet']['parameters']['query']>;

/** Every payment, of every kind. */
export class PaymentsResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * List payments of every kind, newest first.
   *
   * Payments of every kind: transparent charges, checkouts, payment links, subscriptions and upsells. Includes open, expired and declined payments. With `paidFrom` or `paidTo`, and without a filter by checkout,
   * subscription, customer or `externalId`, the list is ordered by payment time and has cursors of its own. The payer is shown only to keys with `CUSTOMER:READ`.
   *
   * Needs the permission `CHECKOUT:READ`.
   */
  list(query?: PaymentsListQuery, options?: RequestOptions): Pages<Payment> {
    return this.#http.list('/v2/payments/list', query, options);
  }

  /**
   * Get a payment of any kind.
   *
   * Payments of every kind: transparent charges, checkouts, payment links, subscriptions and upsells. The payer is shown only to keys with `CUSTOMER:READ`.
   *
   * Needs the permission `CHECKOUT:READ`.
   */
  get(query: PaymentsGetQuery, options?: RequestOptions): Promise<Payment> {
    return this.#http.get('/v2/payments/get', query, options);
  }
}

export type CustomersListQuery = NonNullable<operations['customersList']['parameters']['query']>;
export type CustomersGetQuery = NonNullable<operations['customersGet']['parameters']['query']>;

/** Who pays. */
export class CustomersResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Create a customer.
   *
   * There is one customer per tax id: if it is already registered, the existing customer is returned. Its fields
   * do not change, except that missing ones are filled in. If a payer entered the data on a hosted page (`typedByPayer`), your values
   * replace it. Without `taxId` a new customer is created each time.
   *
   * Needs the permission `CUSTOMER:CREATE`.
   */
  create(body: CustomersCreateRequest, options?: RequestOptions): Promise<Customer> {
    return this.#http.post('/v2/customers/create', body, options);
  }

  /**
   * Update a customer.
   *
   * Given fields replace stored ones; omitted, null and empty fields stay unchanged. `metadata` is replaced as a whole.
   * Existing charges and boletos keep the payer's data they were created with. If a payer typed the e-mail address, the customer stays
   * `typedByPayer` until you give an `email`.
   *
   * Needs the permission `CUSTOMER:CREATE`.
   */
  update(body: CustomersUpdateRequest, options?: RequestOptions): Promise<Customer> {
    return this.#http.post('/v2/customers/update', body, options);
  }

  /**
   * List customers.
   *
   * Needs the permission `CUSTOMER:READ`.
   */
  list(query?: CustomersListQuery, options?: RequestOptions): Pages<Customer> {
    return this.#http.list('/v2/customers/list', query, options);
  }

  /**
   * Get a customer.
   *
   * Needs the permission `CUSTOMER:READ`.
   */
  get(query: CustomersGetQuery, options?: RequestOptions): Promise<Customer> {
    return this.#http.get('/v2/customers/get', query, options);
  }

  /**
   * Delete a customer.
   *
   * Erases the personal data permanently, and returns the customer without it. Charges, checkouts and events stay and keep
   * the customer's id, but no longer identify the customer or the payer. The tax id is free for a new customer.
   *
   * Needs the permission `CUSTOMER:DELETE`.
   */
  delete(body: CustomersDeleteRequest, options?: RequestOptions): Promise<Customer> {
    return this.#http.post('/v2/customers/delete', body, options);
  }
}


/** Links with which customers see their payments, and manage their subscriptions. */
export class CustomerPortalResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Create a link to the customer portal.
   *
   * On its page the customer proves their e-mail address with a code of six digits, and then sees their payments and
   * subscriptions. The link itself shows nothing, and does not expire. The customer needs an `email`.
   *
   * Needs the permission `CUSTOMER:CREATE`.
   */
  create(body: CustomerPortalCreateRequest, options?: RequestOptions): Promise<CustomerPortal> {
    return this.#http.post('/v2/customer-portal/create', body, options);
  }
}

export type SavedCardsListQuery = NonNullable<operations['savedCardsList']['parameters']['query']>;

/** Cards that a customer has agreed to keep for later payments. */
export class SavedCardsResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * List a customer's saved cards, newest first.
   *
   * Those that can be charged: their first payment was made, and nobody has removed them.
   *
   * Needs the permission `CUSTOMER:READ`.
   */
  list(query: SavedCardsListQuery, options?: RequestOptions): Pages<SavedCard> {
    return this.#http.list('/v2/saved-cards/list', query, options);
  }

  /**
   * Remove a saved card.
   *
   * It is charged no more, and its provider erases it, unless an active subscription still pays with it. Its payments can still be refunded.
   *
   * Needs the permission `CUSTOMER:DELETE`.
   */
  delete(body: SavedCardsDeleteRequest, options?: RequestOptions): Promise<SavedCard> {
    return this.#http.post('/v2/saved-cards/delete', body, options);
  }
}

export type ProductsListQuery = NonNullable<operations['productsList']['parameters']['query']>;
export type ProductsGetQuery = NonNullable<operations['productsGet']['parameters']['query']>;

/** Goods and services that you sell, once or every cycle. */
export class ProductsResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Create a product.
   *
   * A product with a `cycle` is sold as a subscription, one without as a one-off. `YEARLY` is accepted for
   * `ANNUALLY`. Checkouts keep the name and price from their creation. `usagePrice` gives recorded usage included units, tiers or packages.
   *
   * Needs the permission `PRODUCT:CREATE`.
   */
  create(body: ProductsCreateRequest, options?: RequestOptions): Promise<Product> {
    return this.#http.post('/v2/products/create', body, options);
  }

  /**
   * Update a product.
   *
   * Given fields replace stored ones: `name`, `description`, `imageUrl` and `fileUrl`, of which null removes the last three, and
   * `billUsageOnCancel`. Omitted fields stay unchanged. All others can never change. Existing checkouts, payment links and subscriptions keep name and
   * picture; a file is downloaded from the product's current address.
   *
   * Needs the permission `PRODUCT:CREATE`.
   */
  update(body: ProductsUpdateRequest, options?: RequestOptions): Promise<Product> {
    return this.#http.post('/v2/products/update', body, options);
  }

  /**
   * List products.
   *
   * Needs the permission `PRODUCT:READ`.
   */
  list(query?: ProductsListQuery, options?: RequestOptions): Pages<Product> {
    return this.#http.list('/v2/products/list', query, options);
  }

  /**
   * Get a product.
   *
   * By exactly one of `id` and `externalId`.
   *
   * Needs the permission `PRODUCT:READ`.
   */
  get(query?: ProductsGetQuery, options?: RequestOptions): Promise<Product> {
    return this.#http.get('/v2/products/get', query, options);
  }

  /**
   * Archive a product.
   *
   * It can no longer be sold in new checkouts, payment links and subscriptions, or offered as an upsell, until it is restored.
   * Existing ones continue, and the product keeps its `externalId`. An archived product is returned unchanged.
   *
   * Needs the permission `PRODUCT:CREATE`.
   */
  archive(body: ProductsArchiveRequest, options?: RequestOptions): Promise<Product> {
    return this.#http.post('/v2/products/archive', body, options);
  }

  /**
   * Restore an archived product.
   *
   * The product can be sold again. A product that is not archived is returned unchanged.
   *
   * Needs the permission `PRODUCT:CREATE`.
   */
  restore(body: ProductsRestoreRequest, options?: RequestOptions): Promise<Product> {
    return this.#http.post('/v2/products/restore', body, options);
  }

  /**
   * Delete a product.
   *
   * It can no longer be sold, and its `externalId` is free for a new product. Objects created with it stay
   * readable.
   *
   * Needs the permission `PRODUCT:DELETE`.
   */
  delete(body: ProductsDeleteRequest, options?: RequestOptions): Promise<Product> {
    return this.#http.post('/v2/products/delete', body, options);
  }
}

export type CouponsListQuery = NonNullable<operations['couponsList']['parameters']['query']>;
export type CouponsGetQuery = NonNullable<operations['couponsGet']['parameters']['query']>;

/** Discounts, with limits on customers and uses. */
export class CouponsResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Create a coupon.
   *
   * A checkout names the coupons that its payer may use. A use counts when the payment is made.
   *
   * Needs the permission `COUPON:CREATE`.
   */
  create(body: CouponsCreateRequest, options?: RequestOptions): Promise<Coupon> {
    return this.#http.post('/v2/coupons/create', body, options);
  }

  /**
   * Update a coupon.
   *
   * Given fields replace stored ones; omitted fields stay unchanged. `metadata` is replaced as a whole; null empties it and
   * `notes`, `validFrom` and `validUntil`. An `EXPIRED` coupon becomes `ACTIVE` again with a higher `maxRedeems` or a later `validUntil`. Code and discount cannot change, because payers rely
   * on them.
   *
   * Needs the permission `COUPON:UPDATE`.
   */
  update(body: CouponsUpdateRequest, options?: RequestOptions): Promise<Coupon> {
    return this.#http.post('/v2/coupons/update', body, options);
  }

  /**
   * List coupons.
   *
   * Needs the permission `COUPON:READ`.
   */
  list(query?: CouponsListQuery, options?: RequestOptions): Pages<Coupon> {
    return this.#http.list('/v2/coupons/list', query, options);
  }

  /**
   * Get a coupon.
   *
   * Needs the permission `COUPON:READ`.
   */
  get(query: CouponsGetQuery, options?: RequestOptions): Promise<Coupon> {
    return this.#http.get('/v2/coupons/get', query, options);
  }

  /**
   * Turn a coupon on or off.
   *
   * `ACTIVE` becomes `INACTIVE` and the reverse. An `EXPIRED` coupon stays unchanged.
   *
   * Needs the permission `COUPON:UPDATE`.
   */
  toggle(body: CouponsToggleRequest, options?: RequestOptions): Promise<Coupon> {
    return this.#http.post('/v2/coupons/toggle', body, options);
  }

  /**
   * Delete a coupon.
   *
   * The coupon can no longer be used, and its code is free for a new coupon. Payments made with it stay unchanged.
   *
   * Needs the permission `COUPON:DELETE`.
   */
  delete(body: CouponsDeleteRequest, options?: RequestOptions): Promise<Coupon> {
    return this.#http.post('/v2/coupons/delete', body, options);
  }
}

export type WebhooksDeliveriesQuery = NonNullable<operations['webhooksDeliveries']['parameters']['query']>;
export type WebhooksDeliveriesGetQuery = NonNullable<operations['webhooksDeliveriesGet']['parameters']['query']>;

/** The operations below `/v2/webhooks/deliveries`. */
export class WebhooksDeliveriesResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * List deliveries.
   *
   * One delivery per event and endpoint: delivered, in progress or failed, with every attempt.
   *
   * Needs the permission `WEBHOOK:READ`.
   */
  list(query?: WebhooksDeliveriesQuery, options?: RequestOptions): Pages<Delivery> {
    return this.#http.list('/v2/webhooks/deliveries', query, options);
  }

  /**
   * Get a delivery.
   *
   * With every attempt, and the payload as sent to the endpoint.
   *
   * Needs the permission `WEBHOOK:READ`.
   */
  get(query: WebhooksDeliveriesGetQuery, options?: RequestOptions): Promise<DeliveryWithPayload> {
    return this.#http.get('/v2/webhooks/deliveries/get', query, options);
  }
}

export type WebhooksResendGetQuery = NonNullable<operations['webhooksResendGet']['parameters']['query']>;

/** The operations below `/v2/webhooks/resend`. */
export class WebhooksResendResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Resend deliveries.
   *
   * With `id`: resends one delivery now, with the same id and payload, whether it waits for a retry, was delivered or
   * has failed. Returns the delivery in its current state; the attempt follows.
   *
   * With `webhookId`, `from` and `to`: resends a range in the order of creation, at most 20 deliveries a second. Returns the bulk
   * resend; `webhooks/resend/get` shows its progress and `webhooks/resend/stop` ends it. Each webhook can run one bulk resend at a
   * time. Requesting the same range again while it runs returns the same one.
   *
   * Needs the permission `WEBHOOK:CREATE`.
   */
  create(body?: WebhooksResendRequest, options?: RequestOptions): Promise<operations['webhooksResend']['responses']['200']['content']['application/json']['data']> {
    return this.#http.post('/v2/webhooks/resend', body, options);
  }

  /**
   * Get a bulk resend.
   *
   * Needs the permission `WEBHOOK:READ`.
   */
  get(query: WebhooksResendGetQuery, options?: RequestOptions): Promise<Resend> {
    return this.#http.get('/v2/webhooks/resend/get', query, options);
  }

  /**
   * Stop a bulk resend.
   *
   * Deliveries that were already requested are still sent. A resend that has ended stays unchanged.
   *
   * Needs the permission `WEBHOOK:CREATE`.
   */
  stop(body: WebhooksResendStopRequest, options?: RequestOptions): Promise<Resend> {
    return this.#http.post('/v2/webhooks/resend/stop', body, options);
  }
}

export type WebhooksListQuery = NonNullable<operations['webhooksList']['parameters']['query']>;
export type WebhooksGetQuery = NonNullable<operations['webhooksGet']['parameters']['query']>;

/** Endpoints that receive events, and the deliveries to them. */
export class WebhooksResource {
  readonly #http: HttpClient;
  readonly deliveries: WebhooksDeliveriesResource;
  readonly resend: WebhooksResendResource;

  constructor(http: HttpClient) {
    this.#http = http;
    this.deliveries = new WebhooksDeliveriesResource(http);
    this.resend = new WebhooksResendResource(http);
  }

  /**
   * Create a webhook.
   *
   * The endpoint receives events from now on, signed with the secret.
   *
   * Needs the permission `WEBHOOK:CREATE`.
   */
  create(body: WebhooksCreateRequest, options?: RequestOptions): Promise<Webhook> {
    return this.#http.post('/v2/webhooks/create', body, options);
  }

  /**
   * Update a webhook.
   *
   * Omitted fields stay unchanged. Deliveries in progress go to the new endpoint with their next attempt. You can resend
   * deliveries that failed while it was disabled once it is enabled; events of that time are in `events/list`.
   *
   * Needs the permission `WEBHOOK:CREATE`.
   */
  update(body: WebhooksUpdateRequest, options?: RequestOptions): Promise<Webhook> {
    return this.#http.post('/v2/webhooks/update', body, options);
  }

  /**
   * Change the secret of a webhook.
   *
   * The new secret signs from now on. For 24 hours the previous one signs too: `webhook-signature` then has two
   * signatures, the new secret's first. `X-Webhook-Signature` has one signature only, made with the new secret. Repeating the request
   * with the same secret changes nothing.
   *
   * Needs the permission `WEBHOOK:CREATE`.
   */
  rotateSecret(body: WebhooksRotateSecretRequest, options?: RequestOptions): Promise<Webhook> {
    return this.#http.post('/v2/webhooks/rotate-secret', body, options);
  }

  /**
   * Test a webhook.
   *
   * Sends the example event of the API reference as a real delivery. Its payload has `sample: true`, and lists of
   * events do not include it. Returns the delivery; its attempts follow.
   *
   * Needs the permission `WEBHOOK:CREATE`.
   */
  test(body: WebhooksTestRequest, options?: RequestOptions): Promise<Delivery> {
    return this.#http.post('/v2/webhooks/test', body, options);
  }

  /**
   * List webhooks.
   *
   * Needs the permission `WEBHOOK:READ`.
   */
  list(query?: WebhooksListQuery, options?: RequestOptions): Pages<Webhook> {
    return this.#http.list('/v2/webhooks/list', query, options);
  }

  /**
   * Get a webhook.
   *
   * Needs the permission `WEBHOOK:READ`.
   */
  get(query: WebhooksGetQuery, options?: RequestOptions): Promise<Webhook> {
    return this.#http.get('/v2/webhooks/get', query, options);
  }

  /**
   * Delete a webhook.
   *
   * Its endpoint receives nothing any more. Past deliveries stay readable.
   *
   * Needs the permission `WEBHOOK:DELETE`.
   */
  delete(body: WebhooksDeleteRequest, options?: RequestOptions): Promise<Webhook> {
    return this.#http.post('/v2/webhooks/delete', body, options);
  }
}

export type EventsListQuery = NonNullable<operations['eventsList']['parameters']['query']>;
export type EventsGetQuery = NonNullable<operations['eventsGet']['parameters']['query']>;

/** Events of the store, one by one. */
export class EventsResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * List events.
   *
   * Past events, newest first, with the data sent to endpoints. Use it if you missed a delivery or have no endpoint.
   *
   * Needs the permission `WEBHOOK:READ`.
   */
  list(query?: EventsListQuery, options?: RequestOptions): Pages<Event> {
    return this.#http.list('/v2/events/list', query, options);
  }

  /**
   * Get an event.
   *
   * Needs the permission `WEBHOOK:READ`.
   */
  get(query: EventsGetQuery, options?: RequestOptions): Promise<Event> {
    return this.#http.get('/v2/events/get', query, options);
  }
}

export type SubscriptionsCheckoutsListQuery = NonNullable<operations['subscriptionsCheckoutsList']['parameters']['query']>;
export type SubscriptionsCheckoutsGetQuery = NonNullable<operations['subscriptionsCheckoutsGet']['parameters']['query']>;

/** The operations below `/v2/subscriptions/checkouts`. */
export class SubscriptionsCheckoutsResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * List the checkouts of subscriptions, newest first.
   *
   * Paid or not, without deleted ones. `subscriptionId` is set once a subscription has started.
   *
   * Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
   */
  list(query?: SubscriptionsCheckoutsListQuery, options?: RequestOptions): Pages<SubscriptionCheckout> {
    return this.#http.list('/v2/subscriptions/checkouts/list', query, options);
  }

  /**
   * Get the checkout of a subscription.
   *
   * By `id`, `externalId` or `customerId`. If several match, it is the newest.
   *
   * Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
   */
  get(query?: SubscriptionsCheckoutsGetQuery, options?: RequestOptions): Promise<SubscriptionCheckout> {
    return this.#http.get('/v2/subscriptions/checkouts/get', query, options);
  }

  /**
   * Delete the checkout of a subscription.
   *
   * Nobody can pay through it any more, and no list shows it. The subscription that it has started continues: end it with `subscriptions/cancel`.
   *
   * Needs the permission `SUBSCRIPTION:DELETE`.
   */
  delete(body: SubscriptionsCheckoutsDeleteRequest, options?: RequestOptions): Promise<SubscriptionCheckout> {
    return this.#http.post('/v2/subscriptions/checkouts/delete', body, options);
  }
}

export type SubscriptionsListQuery = NonNullable<operations['subscriptionsList']['parameters']['query']>;
export type SubscriptionsGetQuery = NonNullable<operations['subscriptionsGet']['parameters']['query']>;

/** Recurring charges, with trials, usage and plan changes. */
export class SubscriptionsResource {
  readonly #http: HttpClient;
  readonly checkouts: SubscriptionsCheckoutsResource;

  constructor(http: HttpClient) {
    this.#http = http;
    this.checkouts = new SubscriptionsCheckoutsResource(http);
  }

  /**
   * Create a subscription.
   *
   * Send the payer to `url`. The first payment (or, with a trial, saving a card) starts the subscription; its id is then in `subscriptionId`. The checkout expires after 30 days. The subscription keeps the current price of the product.
   *
   * Needs the permission `SUBSCRIPTION:CREATE`.
   */
  create(body: SubscriptionsCreateRequest, options?: RequestOptions): Promise<SubscriptionCheckout> {
    return this.#http.post('/v2/subscriptions/create', body, options);
  }

  /**
   * List the checkouts of subscriptions, newest first.
   *
   * With `subscriptionStatus`, and without a filter by id, `externalId` or customer, they are ordered by the start of their subscriptions, `createdFrom` and `createdTo` refer to that start, and the cursors are valid for this order only.
   *
   * Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
   */
  list(query?: SubscriptionsListQuery, options?: RequestOptions): Pages<SubscriptionCheckout> {
    return this.#http.list('/v2/subscriptions/list', query, options);
  }

  /**
   * Get a subscription.
   *
   * By `id`, by the `externalId` of its checkout, or by `customerId`. If several match, it is the newest.
   *
   * Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
   */
  get(query?: SubscriptionsGetQuery, options?: RequestOptions): Promise<Subscription> {
    return this.#http.get('/v2/subscriptions/get', query, options);
  }

  /**
   * Cancel a subscription.
   *
   * At once: nothing is charged any more, and a payment in progress is returned to its payer. With `atPeriodEnd`, it ends with its current cycle, at `cancelAt`: an unpaid cycle is still collected until then. If it is not active, you get a 404. Send an `Idempotency-Key`, so that a retry after a 503 or a lost response returns the subscription; without one, the retry gets a 404 once it is cancelled.
   *
   * Needs the permission `SUBSCRIPTION:DELETE`.
   */
  cancel(body: SubscriptionsCancelRequest, options?: RequestOptions): Promise<Subscription> {
    return this.#http.post('/v2/subscriptions/cancel', body, options);
  }

  /**
   * Pause a subscription.
   *
   * At once: nothing is charged until it is resumed, by `subscriptions/resume` or at `until`. A cycle that is not paid yet is given up. Cycles missed in the pause are never charged. While it is paused, another request changes the pause.
   *
   * Needs the permission `SUBSCRIPTION:CREATE`.
   */
  pause(body: SubscriptionsPauseRequest, options?: RequestOptions): Promise<Subscription> {
    return this.#http.post('/v2/subscriptions/pause', body, options);
  }

  /**
   * Resume a subscription.
   *
   * Ends a pause, and undoes a cancellation that is scheduled for the end of the cycle. Otherwise it is returned unchanged, so a retry is safe. If it is not active, you get a 404.
   *
   * Needs the permission `SUBSCRIPTION:CREATE`.
   */
  resume(body: SubscriptionsResumeRequest, options?: RequestOptions): Promise<Subscription> {
    return this.#http.post('/v2/subscriptions/resume', body, options);
  }

  /**
   * Charge a subscription's overdue cycle now.
   *
   * If the current cycle is past due, it is charged at once: to the card on file, or by a new PIX code, which is then in `currentCharge`. The attempt does not count as one of `retryPolicy`. If an attempt is under way, or nothing is past due, the subscription is returned unchanged, so a retry is safe. The response waits up to three seconds for the result: the cycle is paid once `state` is no longer `PAST_DUE`. At most 10 such attempts can be made for a cycle. If it is not active, you get a 404.
   *
   * Needs the permission `SUBSCRIPTION:CREATE`.
   */
  pay(body: SubscriptionsPayRequest, options?: RequestOptions): Promise<Subscription> {
    return this.#http.post('/v2/subscriptions/pay', body, options);
  }

  /**
   * Change a subscription's card, method, quantity, trial or metadata.
   *
   * One of the four per request. `metadata` replaces the old metadata. `quantity` applies from the next cycle on, for the present price per unit, and `subscription.plan_changed` is sent. `trialEnd` moves the end of a trial, or ends it: the first cycle is charged then, and `subscription.trial_changed` is sent. `card`: the issuer verifies the new card, which charges nothing. Then later cycles are charged to it, and the old one is erased at the provider. If an attempt at an unpaid cycle waits, it is made at once, with the new card. A declined card changes nothing. If the bank wants the payer to confirm, `declineReason` is `authentication_required`: the payer can do that in the customer portal. A retry with the same token returns the result.
   *
   * Needs the permission `SUBSCRIPTION:CREATE`.
   */
  update(body: SubscriptionsUpdateRequest, options?: RequestOptions): Promise<Subscription> {
    return this.#http.post('/v2/subscriptions/update', body, options);
  }

  /**
   * Change a subscription's plan.
   *
   * From the next cycle on the subscription costs `newAmount`. If the plan has another cycle, periods are counted from there. A newer change replaces one that is still scheduled. With `when: now` the plan changes at once, and `proration` says how the rest of the current cycle is charged.
   *
   * Needs the permission `SUBSCRIPTION:CREATE`.
   */
  changePlan(body: SubscriptionsChangePlanRequest, options?: RequestOptions): Promise<PlanUpdate> {
    return this.#http.post('/v2/subscriptions/change-plan', body, options);
  }

  /**
   * Preview what a subscription will be charged.
   *
   * Shows every charge up to and including the next cycle, line by line, if nothing changes, after a change, or for a new subscription. Nothing is stored. The charge is equal to the cent; usage that is recorded meanwhile comes on top.
   *
   * Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
   */
  preview(body: SubscriptionsPreviewRequest, options?: RequestOptions): Promise<SubscriptionPreview> {
    return this.#http.post('/v2/subscriptions/preview', body, options);
  }

  /**
   * Record usage of a pay-as-you-go product.
   *
   * It is charged with the next cycle, at the product's current price. Send an `Idempotency-Key`, so that a retry does not count twice. Units can be subtracted down to zero.
   *
   * Needs the permission `SUBSCRIPTION:CREATE`.
   */
  recordUsage(body: SubscriptionsRecordUsageRequest, options?: RequestOptions): Promise<UsageRecord> {
    return this.#http.post('/v2/subscriptions/record-usage', body, options);
  }
}

export type MandatesListQuery = NonNullable<operations['mandatesList']['parameters']['query']>;
export type MandatesGetQuery = NonNullable<operations['mandatesGet']['parameters']['query']>;

/** Authorizations of debits by PIX (Pix Automático), which subscriptions ask for. */
export class MandatesResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * List authorizations of Pix Automático, newest first.
   *
   * Each was asked for with the first payment of a subscription that was created with `pixAutomatic`, or later by `mandates/create`.
   *
   * Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
   */
  list(query?: MandatesListQuery, options?: RequestOptions): Pages<Mandate> {
    return this.#http.list('/v2/mandates/list', query, options);
  }

  /**
   * Get an authorization of Pix Automático, with its debits.
   *
   * Its status is what the bank has answered last.
   *
   * Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
   */
  get(query: MandatesGetQuery, options?: RequestOptions): Promise<Mandate> {
    return this.#http.get('/v2/mandates/get', query, options);
  }

  /**
   * Ask the payer of a subscription to authorize debits by PIX.
   *
   * For a running subscription, whatever pays it now, without a payment. Show `brCode`, or send the payer to `url`. Once they have accepted, each later cycle is debited, a card or an earlier authorization is used no more, and `subscription.authorized` follows. Until then nothing changes. A repeated request returns the authorization that waits; if the payer has authorized the same before, it returns that one.
   *
   * Needs the permission `SUBSCRIPTION:CREATE`.
   */
  create(body: MandatesCreateRequest, options?: RequestOptions): Promise<Mandate> {
    return this.#http.post('/v2/mandates/create', body, options);
  }

  /**
   * End an authorization of Pix Automático.
   *
   * The subscription continues with a code per cycle. An ordered debit is cancelled; one whose due date has begun still pays its cycle. The bank is informed within minutes, and `status` changes then. A repeated request changes nothing.
   *
   * Needs the permission `SUBSCRIPTION:DELETE`.
   */
  cancel(body: MandatesCancelRequest, options?: RequestOptions): Promise<Mandate> {
    return this.#http.post('/v2/mandates/cancel', body, options);
  }
}


/** The operations below `/v2/dev/mandates`. */
export class DevMandatesResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Answer an authorization of Pix Automático for its payer in dev mode.
   *
   * Does what a payer does in their bank's app. An authorization that has ended stays as it is. Test CPFs make payers that answer by themselves.
   *
   * Needs the permission `SUBSCRIPTION:CREATE`.
   */
  answer(body: DevMandatesAnswerRequest, options?: RequestOptions): Promise<Mandate> {
    return this.#http.post('/v2/dev/mandates/answer', body, options);
  }
}


/** The operations below `/v2/dev/disputes`. */
export class DevDisputesResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Dispute a payment in dev mode.
   *
   * Does what a payer does at their bank: the charge becomes `UNDER_DISPUTE`, its amount is blocked, and Recebe sends `transparent.disputed` or `checkout.disputed`. A payment that is already disputed is returned unchanged.
   *
   * Needs the permission `REFUND:CREATE`.
   */
  open(body: DevDisputesOpenRequest, options?: RequestOptions): Promise<DisputedCharge> {
    return this.#http.post('/v2/dev/disputes/open', body, options);
  }

  /**
   * Win a dispute in dev mode.
   *
   * The bank decides for the store: the charge is `PAID` again and its money is no longer blocked. Recebe sends `transparent.won` or `checkout.won`. A dispute that was already won stays unchanged.
   *
   * Needs the permission `REFUND:CREATE`.
   */
  win(body: DevDisputesWinRequest, options?: RequestOptions): Promise<DisputedCharge> {
    return this.#http.post('/v2/dev/disputes/win', body, options);
  }

  /**
   * Lose a dispute in dev mode.
   *
   * The bank decides for the payer, who gets the blocked amount: the charge becomes `REFUNDED`, and Recebe sends `transparent.lost` or `checkout.lost`. A dispute that was already lost stays unchanged.
   *
   * Needs the permission `REFUND:CREATE`.
   */
  lose(body: DevDisputesLoseRequest, options?: RequestOptions): Promise<DisputedCharge> {
    return this.#http.post('/v2/dev/disputes/lose', body, options);
  }
}


/** The operations below `/v2/dev/cards`. */
export class DevCardsResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Replace a subscription's card in dev mode.
   *
   * Does what a card's issuer does: the card gets other digits and another expiry, and the network notifies it. Recebe sends `subscription.card_updated`, and the next cycle is charged to the new card. The new card behaves like the old one. A subscription that is not active, or is paid by PIX, gets a 404.
   *
   * Needs the permission `SUBSCRIPTION:CREATE`.
   */
  replace(body: DevCardsReplaceRequest, options?: RequestOptions): Promise<ReplacedCard> {
    return this.#http.post('/v2/dev/cards/replace', body, options);
  }

  /**
   * Enter another card for a subscription's payer in dev mode.
   *
   * Does what a payer does in the customer portal. The card of the subscription is replaced, or it is paid by card instead of PIX, `subscription.payment_method_changed` is sent, and an unpaid cycle is charged at once. A card that is declined, or that its payer would have to confirm, changes nothing. A subscription that is not active gets a 404.
   *
   * Needs the permission `SUBSCRIPTION:CREATE`.
   */
  change(body: DevCardsChangeRequest, options?: RequestOptions): Promise<ReplacedCard> {
    return this.#http.post('/v2/dev/cards/change', body, options);
  }
}


/** The operations below `/v2/dev/reminders`. */
export class DevRemindersResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Publish a reminder of a boleto in dev mode.
   *
   * Sends `reminder.due` about a boleto as of today, so that you can try the program that sends your messages. It changes no settings, and does not count as a step: due reminders follow on their days. A boleto that is paid or over gets a 404, and one whose customer is deleted or wants no reminders.
   *
   * Needs the permission `TRANSPARENT:CREATE` or `CHECKOUT:READ` or `CHECKOUT:CREATE`.
   */
  publish(body: DevRemindersPublishRequest, options?: RequestOptions): Promise<PublishedReminder> {
    return this.#http.post('/v2/dev/reminders/publish', body, options);
  }
}


/** The operations below `/v2/dev/refunds`. */
export class DevRefundsResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Ask for a refund as a customer in dev mode.
   *
   * Does what a customer does in the customer portal, whatever the settings of the portal: the request appears on the dashboard, and Recebe sends `refund.requested`. Nothing is refunded. A payment that was asked for before stays unchanged, and one that is not `PAID` gets a 404.
   *
   * Needs the permission `REFUND:CREATE`.
   */
  request(body: DevRefundsRequestRequest, options?: RequestOptions): Promise<RequestedRefund> {
    return this.#http.post('/v2/dev/refunds/request', body, options);
  }
}


/** The operations below `/v2/dev/clock`. */
export class DevClockResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Get the clock.
   *
   * The clock of this store's dev environment: its current time and its target.
   *
   * Needs the permission `STORE:READ`.
   */
  get(options?: RequestOptions): Promise<Clock> {
    return this.#http.get('/v2/dev/clock', undefined, options);
  }

  /**
   * Move the clock forward.
   *
   * Everything in this store's dev environment follows the clock: expiry, recurring charges and settlement. Due events happen strictly in order, each at its own time. The response comes at once; `GET /v2/dev/clock` shows when the clock is `ready`. Webhooks are sent in real time, but contain times of the clock. While the clock advances, a request with another target gets a 409. It advances at most 5 years and 2000 cycles of subscriptions at a time. If the target is further away, you get a 422 that names the latest possible target. `expected` lists what will happen; with `preview` nothing happens.
   *
   * Needs the permission `STORE:CREATE`.
   */
  advance(body?: DevClockAdvanceRequest, options?: RequestOptions): Promise<ClockAdvance> {
    return this.#http.post('/v2/dev/clock/advance', body, options);
  }

  /**
   * Stop a clock that is being advanced.
   *
   * The clock stops at its current time and continues to run from there. Effects that already happened remain, and work due at that time still finishes. You can advance it again at once. A clock that is `ready` stays unchanged.
   *
   * Needs the permission `STORE:CREATE`.
   */
  cancel(options?: RequestOptions): Promise<Clock> {
    return this.#http.post('/v2/dev/clock/cancel', undefined, options);
  }

  /**
   * Reset the clock to real time.
   *
   * Works only while no object waits for a time of the clock; otherwise the 409 lists the open objects. Objects created in the future keep their dates, so they stay first in lists until then.
   *
   * Needs the permission `STORE:CREATE`.
   */
  reset(options?: RequestOptions): Promise<Clock> {
    return this.#http.post('/v2/dev/clock/reset', undefined, options);
  }
}


/** Simulates providers and payers in dev mode. */
export class DevResource {
  readonly mandates: DevMandatesResource;
  readonly disputes: DevDisputesResource;
  readonly cards: DevCardsResource;
  readonly reminders: DevRemindersResource;
  readonly refunds: DevRefundsResource;
  readonly clock: DevClockResource;

  constructor(http: HttpClient) {
    this.mandates = new DevMandatesResource(http);
    this.disputes = new DevDisputesResource(http);
    this.cards = new DevCardsResource(http);
    this.reminders = new DevRemindersResource(http);
    this.refunds = new DevRefundsResource(http);
    this.clock = new DevClockResource(http);
  }
}

export type InvoicesNfseListQuery = NonNullable<operations['invoicesNfseList']['parameters']['query']>;
export type InvoicesNfseGetQuery = NonNullable<operations['invoicesNfseGet']['parameters']['query']>;

/** The operations below `/v2/invoices/nfse`. */
export class InvoicesNfseResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * The data of the store for NFS-e.
   *
   * Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
   */
  settings(options?: RequestOptions): Promise<NfseSettings> {
    return this.#http.get('/v2/invoices/nfse/settings', undefined, options);
  }

  /**
   * Change the data of the store for NFS-e.
   *
   * Replaces all of it, in the environment of the key. It counts for every DPS that is issued from then on, also again.
   *
   * Needs the permission `INVOICE:CREATE`.
   */
  updateSettings(body: InvoicesNfseUpdateSettingsRequest, options?: RequestOptions): Promise<NfseSettings> {
    return this.#http.post('/v2/invoices/nfse/update-settings', body, options);
  }

  /**
   * List NFS-e, newest first.
   *
   * With `status=PENDING`: every DPS that still waits to be transmitted, or for the answer.
   *
   * Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
   */
  list(query?: InvoicesNfseListQuery, options?: RequestOptions): Pages<Nfse> {
    return this.#http.list('/v2/invoices/nfse/list', query, options);
  }

  /**
   * Get an NFS-e.
   *
   * Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
   */
  get(query: InvoicesNfseGetQuery, options?: RequestOptions): Promise<Nfse> {
    return this.#http.get('/v2/invoices/nfse/get', query, options);
  }

  /**
   * Issue the DPS of an invoice.
   *
   * For an invoice that has none, again after a rejection, or another one after a cancellation. If one is `PENDING` or `AUTHORIZED`, it is returned as it is.
   *
   * Needs the permission `INVOICE:CREATE`.
   */
  issue(body: InvoicesNfseIssueRequest, options?: RequestOptions): Promise<Nfse> {
    return this.#http.post('/v2/invoices/nfse/issue', body, options);
  }

  /**
   * Report what the tax authority answered.
   *
   * For the program that transmits each DPS. Reports may be repeated, and may arrive in any order: the NFS-e is returned as it is
   * afterwards. `AUTHORIZED` is accepted after `REJECTED`, and a rejection after `AUTHORIZED` changes nothing.
   *
   * Needs the permission `INVOICE:CREATE`.
   */
  report(body: InvoicesNfseReportRequest, options?: RequestOptions): Promise<Nfse> {
    return this.#http.post('/v2/invoices/nfse/report', body, options);
  }

  /**
   * Ask for the cancellation of an NFS-e.
   *
   * Publishes `nfse.cancellation_requested`. Repeating it changes nothing, unless the authority has refused the last request.
   *
   * Needs the permission `INVOICE:CREATE`.
   */
  cancel(body: InvoicesNfseCancelRequest, options?: RequestOptions): Promise<Nfse> {
    return this.#http.post('/v2/invoices/nfse/cancel', body, options);
  }
}

export type InvoicesListQuery = NonNullable<operations['invoicesList']['parameters']['query']>;
export type InvoicesGetQuery = NonNullable<operations['invoicesGet']['parameters']['query']>;

/** Numbered invoices of cycles and of payments of checkouts. */
export class InvoicesResource {
  readonly #http: HttpClient;
  readonly nfse: InvoicesNfseResource;

  constructor(http: HttpClient) {
    this.#http = http;
    this.nfse = new InvoicesNfseResource(http);
  }

  /**
   * List invoices, newest first.
   *
   * Lists the invoices of subscription cycles and of payments through checkouts and payment links, from the release that introduced invoices. The payer is shown only to keys with `CUSTOMER:READ`.
   *
   * Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
   */
  list(query?: InvoicesListQuery, options?: RequestOptions): Pages<Invoice> {
    return this.#http.list('/v2/invoices/list', query, options);
  }

  /**
   * Get an invoice.
   *
   * The payer is shown only to keys with `CUSTOMER:READ`.
   *
   * Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
   */
  get(query: InvoicesGetQuery, options?: RequestOptions): Promise<Invoice> {
    return this.#http.get('/v2/invoices/get', query, options);
  }
}


/** When and how payers are reminded of boletos and subscriptions. */
export class RemindersResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * How payers are reminded.
   *
   * In the environment of the key. A store sends no reminders until it turns them on.
   *
   * Needs the permission `REMINDER:READ`.
   */
  get(options?: RequestOptions): Promise<Reminders> {
    return this.#http.get('/v2/reminders/get', undefined, options);
  }

  /**
   * Change how payers are reminded.
   *
   * In the environment of the key, and only what is sent: a kind, its `channel` or `steps`, or `language`. Reminders of days before
   * a store turns them on are not made up for. E-mails need a mail server.
   *
   * Needs the permission `REMINDER:UPDATE`.
   */
  update(options?: RequestOptions): Promise<Reminders> {
    return this.#http.post('/v2/reminders/update', undefined, options);
  }
}

export type PublicMrrRevenueQuery = NonNullable<operations['publicMrrRevenue']['parameters']['query']>;

/** Revenue figures that a store may publish. */
export class PublicMrrResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Monthly recurring revenue.
   *
   * The monthly sum of active subscriptions out of trial, without usage: weekly × 52 ÷ 12, quarterly ÷ 3, and so on, rounded half up once for the total.
   *
   * Needs a valid API key with any permissions.
   */
  mrr(options?: RequestOptions): Promise<RecurringRevenue> {
    return this.#http.get('/v2/public-mrr/mrr', undefined, options);
  }

  /**
   * The store behind the API key.
   *
   * Needs the permission `STORE:READ`.
   */
  merchantInfo(options?: RequestOptions): Promise<Merchant> {
    return this.#http.get('/v2/public-mrr/merchant-info', undefined, options);
  }

  /**
   * Revenue, in total and per day.
   *
   * Paid charges of every kind, by the São Paulo day of their payment, over at most 366 days. Refunded ones are not included.
   *
   * Needs the permission `STORE:READ`.
   */
  revenue(query?: PublicMrrRevenueQuery, options?: RequestOptions): Promise<Revenue> {
    return this.#http.get('/v2/public-mrr/revenue', query, options);
  }
}


/** The store behind the key, and its balance. */
export class StoreResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * The store and its balance.
   *
   * The current balance of the environment of the API key, from the ledger. PIX payments are available at once, boletos on the next business day, card payments after 30 days.
   *
   * Needs the permission `STORE:READ`.
   */
  get(options?: RequestOptions): Promise<Store> {
    return this.#http.get('/v2/store/get', undefined, options);
  }
}

export type BalanceMovementsQuery = NonNullable<operations['balanceMovements']['parameters']['query']>;

/** Changes of the balance. */
export class BalanceResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * List changes of the balance, newest first.
   *
   * The statement of the store, in the environment of the API key. Each movement of money has one entry per part of the
   * balance that it changes, with the total of that part afterwards. A settled amount leaves `PENDING` in one entry and enters
   * `AVAILABLE` in another. Amounts are after fees. `balance` has the balance at the start and end of the range.
   *
   * Needs the permission `STORE:READ`, and also `CHECKOUT:READ` and `WITHDRAW:READ`.
   */
  movements(query?: BalanceMovementsQuery, options?: RequestOptions): Pages<Movement, Pick<operations['balanceMovements']['responses']['200']['content']['application/json'], 'balance'>> {
    return this.#http.list('/v2/balance/movements', query, options);
  }
}

export type BankStatementListQuery = NonNullable<operations['bankStatementList']['parameters']['query']>;

/** The same changes, in the words of bank statements. */
export class BankStatementResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * List the transactions of the balance, newest first.
   *
   * The sum of `amount` with `balanceEffect` `credit`, less those with `debit`, is the available balance of `store/get`. Money that is pending, such as of an approved card, has `none` and appears again when it settles.
   *
   * Needs the permission `BANK_STATEMENT:READ`.
   */
  list(query?: BankStatementListQuery, options?: RequestOptions): Pages<BankTransaction> {
    return this.#http.list('/v2/bank-statement/list', query, options);
  }
}

export type PayoutsGetQuery = NonNullable<operations['payoutsGet']['parameters']['query']>;
export type PayoutsListQuery = NonNullable<operations['payoutsList']['parameters']['query']>;

/** Money from the balance to the store's own account. */
export class PayoutsResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Send money to the store's own account.
   *
   * At least 350 cents, and one payout a minute. The amount leaves the available balance at once. If the payout completes you get
   * `payout.completed`; if it fails, you get `payout.failed` and the amount returns to the balance. The same `externalId` with the same
   * content returns the existing payout, whatever its status: to retry after a failure, use another one. In dev mode a payout
   * of exactly 40404 cents (R$ 404,04) fails with `account_closed`, and one of 40505 cents
   * (R$ 405,05) is returned by the bank, and you get `payout.returned`.
   *
   * Needs the permission `WITHDRAW:CREATE`.
   */
  create(body: PayoutsCreateRequest, options?: RequestOptions): Promise<Payout> {
    return this.#http.post('/v2/payouts/create', body, options);
  }

  /**
   * Get a payout.
   *
   * By exactly one of `externalId` and `id`.
   *
   * Needs the permission `WITHDRAW:READ`.
   */
  get(query?: PayoutsGetQuery, options?: RequestOptions): Promise<Payout> {
    return this.#http.get('/v2/payouts/get', query, options);
  }

  /**
   * List payouts, newest first.
   *
   * Needs the permission `WITHDRAW:READ`.
   */
  list(query?: PayoutsListQuery, options?: RequestOptions): Pages<Payout> {
    return this.#http.list('/v2/payouts/list', query, options);
  }

  /**
   * Approve a payout that waits.
   *
   * Sends the money. The creator cannot approve it, and neither can another key of the same person. Without an approval it
   * fails after 72 hours. A payout that waits only because its PIX key is new is sent at `approval.releasesAt`.
   *
   * Needs the permission `WITHDRAW:APPROVE`.
   */
  approve(body: PayoutsApproveRequest, options?: RequestOptions): Promise<Payout> {
    return this.#http.post('/v2/payouts/approve', body, options);
  }

  /**
   * Reject a payout that waits.
   *
   * It fails with `approval_rejected`, `payout.failed` is sent, and the money returns to the balance: in dev mode within
   * seconds, otherwise within 20 minutes, once the bank has confirmed that it does not know it. If the bank sent it before a restore, it is COMPLETE instead.
   *
   * Needs the permission `WITHDRAW:APPROVE`.
   */
  reject(body: PayoutsRejectRequest, options?: RequestOptions): Promise<Payout> {
    return this.#http.post('/v2/payouts/reject', body, options);
  }
}

export type PixGetQuery = NonNullable<operations['pixGet']['parameters']['query']>;
export type PixListQuery = NonNullable<operations['pixList']['parameters']['query']>;

/** Money from the balance to any PIX key. */
export class PixResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Send money to a PIX key.
   *
   * The amount leaves the available balance at once. If the transfer completes you get `transfer.completed`; if it fails, you get
   * `transfer.failed` and the amount returns to the balance. Keys may have punctuation. A BR Code (PIX copy and paste) must contain its
   * key and a valid checksum, and either no amount or exactly `amount`. The code's txid is sent along, so that its payee recognises the
   * payment. If the store's provider cannot do that, or the txid is invalid, you get a 422.
   * The same `externalId` with the same content returns the existing transfer, whatever its status: to retry after a failure, use another one. In dev mode these keys of type `EMAIL` fail:
   * `chave-inexistente@example.com` (`key_not_found`), `conta-encerrada@example.com` (`account_closed`), `suspeita@example.com` (`suspected_fraud`); `demora@example.com` takes a few seconds, `devolve@example.com` returns the money (`transfer.returned`), and every other
   * key receives at once.
   *
   * Needs the permission `WITHDRAW:CREATE`.
   */
  send(body: PixSendRequest, options?: RequestOptions): Promise<Transfer> {
    return this.#http.post('/v2/pix/send', body, options);
  }

  /**
   * Get a transfer.
   *
   * By exactly one of `externalId` and `id`.
   *
   * Needs the permission `WITHDRAW:READ`.
   */
  get(query?: PixGetQuery, options?: RequestOptions): Promise<Transfer> {
    return this.#http.get('/v2/pix/get', query, options);
  }

  /**
   * List transfers, newest first.
   *
   * Needs the permission `WITHDRAW:READ`.
   */
  list(query?: PixListQuery, options?: RequestOptions): Pages<Transfer> {
    return this.#http.list('/v2/pix/list', query, options);
  }

  /**
   * Approve a transfer that waits.
   *
   * Sends the money. The creator cannot approve it, and neither can another key of the same person. Without an approval it
   * fails after 72 hours. A payout that waits only because its PIX key is new is sent at `approval.releasesAt`.
   *
   * Needs the permission `WITHDRAW:APPROVE`.
   */
  approve(body: PixApproveRequest, options?: RequestOptions): Promise<Transfer> {
    return this.#http.post('/v2/pix/approve', body, options);
  }

  /**
   * Reject a transfer that waits.
   *
   * It fails with `approval_rejected`, `transfer.failed` is sent, and the money returns to the balance: in dev mode within
   * seconds, otherwise within 20 minutes, once the bank has confirmed that it does not know it. If the bank sent it before a restore, it is COMPLETE instead.
   *
   * Needs the permission `WITHDRAW:APPROVE`.
   */
  reject(body: PixRejectRequest, options?: RequestOptions): Promise<Transfer> {
    return this.#http.post('/v2/pix/reject', body, options);
  }
}

export type SubAccountsGetQuery = NonNullable<operations['subAccountsGet']['parameters']['query']>;
export type SubAccountsListQuery = NonNullable<operations['subAccountsList']['parameters']['query']>;
export type SubAccountsMovementsQuery = NonNullable<operations['subAccountsMovements']['parameters']['query']>;

/** Money of third parties, such as sellers, apart from the balance. */
export class SubAccountsResource {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Create a sub-account.
   *
   * A sub-account holds the money of a third party, such as a seller of your marketplace, apart from the store's balance. Parts of PIX
   * payments reach it by `data.splits` of `transparents/create`, and leave it by `sub-accounts/withdraw`. There is one per tax id: if it
   * exists, it is returned with its balance and the other fields are ignored.
   *
   * Needs the permission `SUB_ACCOUNT:CREATE`.
   */
  create(body: SubAccountsCreateRequest, options?: RequestOptions): Promise<SubAccount> {
    return this.#http.post('/v2/sub-accounts/create', body, options);
  }

  /**
   * Update a sub-account.
   *
   * Given fields replace stored ones; omitted and null fields stay unchanged. `metadata` is replaced as a whole. The tax id
   * never changes, because the money belongs to its holder: create another sub-account for another one.
   *
   * Needs the permission `SUB_ACCOUNT:CREATE`.
   */
  update(body: SubAccountsUpdateRequest, options?: RequestOptions): Promise<SubAccount> {
    return this.#http.post('/v2/sub-accounts/update', body, options);
  }

  /**
   * Get a sub-account.
   *
   * Needs the permission `SUB_ACCOUNT:READ`.
   */
  get(query: SubAccountsGetQuery, options?: RequestOptions): Promise<SubAccount> {
    return this.#http.get('/v2/sub-accounts/get', query, options);
  }

  /**
   * List sub-accounts, newest first.
   *
   * Needs the permission `SUB_ACCOUNT:READ`.
   */
  list(query?: SubAccountsListQuery, options?: RequestOptions): Pages<SubAccount> {
    return this.#http.list('/v2/sub-accounts/list', query, options);
  }

  /**
   * List changes of a sub-account's balance, newest first.
   *
   * Needs the permission `SUB_ACCOUNT:READ`.
   */
  movements(query: SubAccountsMovementsQuery, options?: RequestOptions): Pages<SubAccountMovement> {
    return this.#http.list('/v2/sub-accounts/movements', query, options);
  }

  /**
   * Send a sub-account's money to its holder.
   *
   * The money goes to the PIX key that is the holder's CPF or CNPJ, which the holder has registered at a bank. The amount leaves the
   * sub-account's balance at once; the holder receives it less `platformFee`. It is a transfer: you get `transfer.completed`, or
   * `transfer.failed` and the amount returns to the sub-account. `pix/get` and `pix/list` show it, and the store's limits and approvals
   * apply. In dev mode a withdrawal to the CPF `000.000.001-91` fails with
   * `key_not_found`.
   *
   * Needs the permission `SUB_ACCOUNT:WITHDRAW`.
   */
  withdraw(body: SubAccountsWithdrawRequest, options?: RequestOptions): Promise<Transfer> {
    return this.#http.post('/v2/sub-accounts/withdraw', body, options);
  }
}


/** Every resource of the API. */
export class Resources {
  /** PIX charges, boletos and card charges on pages of your own. */
  readonly transparents: TransparentsResource;
  /** Hosted pages on which a payer pays once, by PIX, boleto or card. */
  readonly checkouts: CheckoutsResource;
  /** Hosted pages that any number of payers pay through. */
  readonly paymentLinks: PaymentLinksResource;
  /** Every payment, of every kind. */
  readonly payments: PaymentsResource;
  /** Who pays. */
  readonly customers: CustomersResource;
  /** Links with which customers see their payments, and manage their subscriptions. */
  readonly customerPortal: CustomerPortalResource;
  /** Cards that a customer has agreed to keep for later payments. */
  readonly savedCards: SavedCardsResource;
  /** Goods and services that you sell, once or every cycle. */
  readonly products: ProductsResource;
  /** Discounts, with limits on customers and uses. */
  readonly coupons: CouponsResource;
  /** Endpoints that receive events, and the deliveries to them. */
  readonly webhooks: WebhooksResource;
  /** Events of the store, one by one. */
  readonly events: EventsResource;
  /** Recurring charges, with trials, usage and plan changes. */
  readonly subscriptions: SubscriptionsResource;
  /** Authorizations of debits by PIX (Pix Automático), which subscriptions ask for. */
  readonly mandates: MandatesResource;
  /** Simulates providers and payers in dev mode. */
  readonly dev: DevResource;
  /** Numbered invoices of cycles and of payments of checkouts. */
  readonly invoices: InvoicesResource;
  /** When and how payers are reminded of boletos and subscriptions. */
  readonly reminders: RemindersResource;
  /** Revenue figures that a store may publish. */
  readonly publicMrr: PublicMrrResource;
  /** The store behind the key, and its balance. */
  readonly store: StoreResource;
  /** Changes of the balance. */
  readonly balance: BalanceResource;
  /** The same changes, in the words of bank statements. */
  readonly bankStatement: BankStatementResource;
  /** Money from the balance to the store's own account. */
  readonly payouts: PayoutsResource;
  /** Money from the balance to any PIX key. */
  readonly pix: PixResource;
  /** Money of third parties, such as sellers, apart from the balance. */
  readonly subAccounts: SubAccountsResource;

  constructor(http: HttpClient) {
    this.transparents = new TransparentsResource(http);
    this.checkouts = new CheckoutsResource(http);
    this.paymentLinks = new PaymentLinksResource(http);
    this.payments = new PaymentsResource(http);
    this.customers = new CustomersResource(http);
    this.customerPortal = new CustomerPortalResource(http);
    this.savedCards = new SavedCardsResource(http);
    this.products = new ProductsResource(http);
    this.coupons = new CouponsResource(http);
    this.webhooks = new WebhooksResource(http);
    this.events = new EventsResource(http);
    this.subscriptions = new SubscriptionsResource(http);
    this.mandates = new MandatesResource(http);
    this.dev = new DevResource(http);
    this.invoices = new InvoicesResource(http);
    this.reminders = new RemindersResource(http);
    this.publicMrr = new PublicMrrResource(http);
    this.store = new StoreResource(http);
    this.balance = new BalanceResource(http);
    this.bankStatement = new BankStatementResource(http);
    this.payouts = new PayoutsResource(http);
    this.pix = new PixResource(http);
    this.subAccounts = new SubAccountsResource(http);
  }
}

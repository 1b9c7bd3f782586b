// Made by `npm run sdks` from the API's document. Do not edit.
/** What the trigger can wait for. */
export const EVENTS = [
  {
    name: 'checkout.completed',
    value: 'checkout.completed',
    description: "A checkout was paid, or a payment was made through a payment link",
  },
  {
    name: 'checkout.disputed',
    value: 'checkout.disputed',
    description: "The payer disputes a payment made through a checkout; its amount is blocked",
  },
  {
    name: 'checkout.expired',
    value: 'checkout.expired',
    description: "A checkout expired unpaid. If a payment made in time is reported late, the checkout is still completed.",
  },
  {
    name: 'checkout.lost',
    value: 'checkout.lost',
    description: "A dispute was lost; the amount was returned to the payer",
  },
  {
    name: 'checkout.payment_failed',
    value: 'checkout.payment_failed',
    description: "A card was declined; the checkout can still be paid",
  },
  {
    name: 'checkout.refunded',
    value: 'checkout.refunded',
    description: "A payment made through a checkout was refunded, fully or partially",
  },
  {
    name: 'checkout.won',
    value: 'checkout.won',
    description: "A dispute was won; the amount is available to the store again",
  },
  {
    name: 'customer.updated',
    value: 'customer.updated',
    description: "A customer's details changed, by `customers/update` or by the customer in the portal",
  },
  {
    name: 'invoice.created',
    value: 'invoice.created',
    description: "An invoice was numbered: of a cycle that is asked for, or of a payment of a checkout",
  },
  {
    name: 'invoice.paid',
    value: 'invoice.paid',
    description: "An invoice was paid, or had nothing to pay",
  },
  {
    name: 'invoice.void',
    value: 'invoice.void',
    description: "The cycle of an invoice was given up unpaid: its subscription has ended or was paused",
  },
  {
    name: 'nfse.authorized',
    value: 'nfse.authorized',
    description: "The tax authority made the NFS-e",
  },
  {
    name: 'nfse.cancellation_requested',
    value: 'nfse.cancellation_requested',
    description: "An authorised NFS-e has to be cancelled: its payment was refunded in full, its invoice became void, or a request asked for it",
  },
  {
    name: 'nfse.cancelled',
    value: 'nfse.cancelled',
    description: "The NFS-e was cancelled",
  },
  {
    name: 'nfse.pending',
    value: 'nfse.pending',
    description: "A DPS was issued, or issued again after a rejection. Your transmitter fetches, signs and sends its XML.",
  },
  {
    name: 'nfse.rejected',
    value: 'nfse.rejected',
    description: "The tax authority refused the DPS. It can be issued again after its data is mended.",
  },
  {
    name: 'payment.returned',
    value: 'payment.returned',
    description: "A payment that could not be accepted was returned to its payer: a second, a late or an insufficient one",
  },
  {
    name: 'payout.completed',
    value: 'payout.completed',
    description: "A payout arrived at the store's account",
  },
  {
    name: 'payout.failed',
    value: 'payout.failed',
    description: "A payout failed",
  },
  {
    name: 'payout.returned',
    value: 'payout.returned',
    description: "The payee's bank returned a payout, fully or partially",
  },
  {
    name: 'refund.failed',
    value: 'refund.failed',
    description: "A refund failed and had no effect; you can request another one",
  },
  {
    name: 'refund.requested',
    value: 'refund.requested',
    description: "A customer asks for a refund in the customer portal, which the store can allow. Nothing was refunded: the store refunds the payment or declines.",
  },
  {
    name: 'reminder.due',
    value: 'reminder.due',
    description: "A payer should be reminded now, and the store has chosen to send the message itself. Once for each step.",
  },
  {
    name: 'subscription.authorization_cancelled',
    value: 'subscription.authorization_cancelled',
    description: "An authorization of debits has ended, at the payer's bank or at the store's",
  },
  {
    name: 'subscription.authorization_refused',
    value: 'subscription.authorization_refused',
    description: "The payer has not authorized debits, or has not answered: later cycles are paid as before",
  },
  {
    name: 'subscription.authorization_requested',
    value: 'subscription.authorization_requested',
    description: "The payer is asked to authorize debits by PIX without a payment: show or send them the page",
  },
  {
    name: 'subscription.authorized',
    value: 'subscription.authorized',
    description: "The payer has authorized the debits of later cycles by PIX (Pix Automático)",
  },
  {
    name: 'subscription.cancellation_scheduled',
    value: 'subscription.cancellation_scheduled',
    description: "A subscription will end with its current cycle",
  },
  {
    name: 'subscription.cancelled',
    value: 'subscription.cancelled',
    description: "A subscription ended, on request or after too many failed attempts",
  },
  {
    name: 'subscription.card_expiring',
    value: 'subscription.card_expiring',
    description: "The card of an active subscription expires within 30 days, and again within 7. Sent at most once for each.",
  },
  {
    name: 'subscription.card_updated',
    value: 'subscription.card_updated',
    description: "The network or issuer of a subscription's card has replaced it or changed its expiry; the next cycle is charged to it",
  },
  {
    name: 'subscription.completed',
    value: 'subscription.completed',
    description: "A subscription was paid for the first time: immediately, or after its trial",
  },
  {
    name: 'subscription.past_due',
    value: 'subscription.past_due',
    description: "The first attempt to charge a cycle failed, and the subscription continues: the cycle is overdue",
  },
  {
    name: 'subscription.paused',
    value: 'subscription.paused',
    description: "A subscription was paused, or its pause has another end: nothing is charged",
  },
  {
    name: 'subscription.payment_failed',
    value: 'subscription.payment_failed',
    description: "An attempt to charge a cycle failed",
  },
  {
    name: 'subscription.payment_method_changed',
    value: 'subscription.payment_method_changed',
    description: "The card of a subscription was replaced by its payer",
  },
  {
    name: 'subscription.plan_changed',
    value: 'subscription.plan_changed',
    description: "The price of a subscription changes from the next cycle",
  },
  {
    name: 'subscription.renewed',
    value: 'subscription.renewed',
    description: "Another cycle was paid",
  },
  {
    name: 'subscription.resumed',
    value: 'subscription.resumed',
    description: "A pause ended, or a scheduled cancellation was undone",
  },
  {
    name: 'subscription.trial_changed',
    value: 'subscription.trial_changed',
    description: "The end of a trial was moved, or the trial was ended",
  },
  {
    name: 'subscription.trial_ending',
    value: 'subscription.trial_ending',
    description: "A trial ends within three days, followed by the first charge",
  },
  {
    name: 'subscription.trial_started',
    value: 'subscription.trial_started',
    description: "A trial started",
  },
  {
    name: 'subscription.upcoming',
    value: 'subscription.upcoming',
    description: "A subscription will be charged within seven days, and its current cycle is paid. Sent once for each charge.",
  },
  {
    name: 'transfer.completed',
    value: 'transfer.completed',
    description: "A transfer arrived at its PIX key",
  },
  {
    name: 'transfer.failed',
    value: 'transfer.failed',
    description: "A transfer failed",
  },
  {
    name: 'transfer.returned',
    value: 'transfer.returned',
    description: "The payee's bank returned a transfer, fully or partially",
  },
  {
    name: 'transparent.cancelled',
    value: 'transparent.cancelled',
    description: "A PIX charge or boleto was cancelled",
  },
  {
    name: 'transparent.completed',
    value: 'transparent.completed',
    description: "A PIX charge, boleto or card charge was paid",
  },
  {
    name: 'transparent.disputed',
    value: 'transparent.disputed',
    description: "The payer disputes the payment of a charge; its amount is blocked",
  },
  {
    name: 'transparent.expired',
    value: 'transparent.expired',
    description: "A PIX charge or boleto expired. If a payment made in time is reported late, the charge is still completed.",
  },
  {
    name: 'transparent.lost',
    value: 'transparent.lost',
    description: "A dispute was lost; the amount was returned to the payer",
  },
  {
    name: 'transparent.refunded',
    value: 'transparent.refunded',
    description: "A PIX or card charge was refunded, fully or partially",
  },
  {
    name: 'transparent.won',
    value: 'transparent.won',
    description: "A dispute was won; the amount is available to the store again",
  },
  {
    name: 'webhook.disabled',
    value: 'webhook.disabled',
    description: "Another webhook's endpoint returned 410 and is disabled; `webhooks/update` enables it again",
  },
] as const;

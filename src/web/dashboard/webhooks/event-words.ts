import type { EventName, RecordedEventName, V1EventName } from '../../../domain/event-names.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import type { Say } from '../frame/locale.ts';

/** What happened, by the event's name. */
export const EVENT_WORDS: Readonly<Record<EventName | V1EventName, MessageKey>> = {
  'checkout.completed': 'dashboard.webhooks.eventWords.checkoutCompleted',
  'checkout.refunded': 'dashboard.webhooks.eventWords.checkoutRefunded',
  'checkout.disputed': 'dashboard.disputeOpened',
  'checkout.lost': 'dashboard.disputeLost',
  'checkout.won': 'dashboard.disputeWon',
  'checkout.expired': 'dashboard.webhooks.eventWords.checkoutExpired',
  'checkout.payment_failed': 'dashboard.webhooks.eventWords.checkoutPaymentFailed',
  'transparent.completed': 'dashboard.webhooks.eventWords.transparentCompleted',
  'transparent.refunded': 'dashboard.webhooks.eventWords.transparentRefunded',
  'transparent.disputed': 'dashboard.disputeOpened',
  'transparent.lost': 'dashboard.disputeLost',
  'transparent.won': 'dashboard.disputeWon',
  'transparent.expired': 'dashboard.webhooks.eventWords.transparentExpired',
  'transparent.cancelled': 'dashboard.webhooks.eventWords.transparentCancelled',
  'subscription.completed': 'dashboard.webhooks.eventWords.subscriptionCompleted',
  'subscription.cancelled': 'dashboard.webhooks.eventWords.subscriptionCancelled',
  'subscription.renewed': 'dashboard.webhooks.eventWords.subscriptionRenewed',
  'subscription.trial_started': 'dashboard.webhooks.eventWords.subscriptionTrialStarted',
  'subscription.trial_ending': 'dashboard.webhooks.eventWords.subscriptionTrialEnding',
  'subscription.plan_changed': 'dashboard.webhooks.eventWords.subscriptionPlanChanged',
  'subscription.payment_failed': 'dashboard.webhooks.eventWords.subscriptionPaymentFailed',
  'subscription.upcoming': 'dashboard.webhooks.eventWords.subscriptionUpcoming',
  'subscription.card_expiring': 'dashboard.webhooks.eventWords.subscriptionCardExpiring',
  'subscription.card_updated': 'dashboard.webhooks.eventWords.subscriptionCardUpdated',
  'subscription.cancellation_scheduled': 'dashboard.webhooks.eventWords.subscriptionCancellationScheduled',
  'subscription.trial_changed': 'dashboard.webhooks.eventWords.subscriptionTrialChanged',
  'subscription.past_due': 'dashboard.webhooks.eventWords.subscriptionPastDue',
  'subscription.paused': 'dashboard.webhooks.eventWords.subscriptionPaused',
  'subscription.resumed': 'dashboard.webhooks.eventWords.subscriptionResumed',
  'subscription.payment_method_changed': 'dashboard.webhooks.eventWords.subscriptionPaymentMethodChanged',
  'subscription.authorization_requested': 'dashboard.webhooks.eventWords.subscriptionAuthorizationRequested',
  'subscription.authorized': 'dashboard.webhooks.eventWords.subscriptionAuthorized',
  'subscription.authorization_refused': 'dashboard.webhooks.eventWords.subscriptionAuthorizationRefused',
  'subscription.authorization_cancelled': 'dashboard.webhooks.eventWords.subscriptionAuthorizationCancelled',
  'payout.completed': 'dashboard.webhooks.eventWords.payoutCompleted',
  'payout.failed': 'dashboard.webhooks.eventWords.payoutFailed',
  'payout.returned': 'dashboard.webhooks.eventWords.payoutReturned',
  'transfer.completed': 'dashboard.webhooks.eventWords.transferCompleted',
  'transfer.failed': 'dashboard.webhooks.eventWords.transferFailed',
  'transfer.returned': 'dashboard.webhooks.eventWords.transferReturned',
  'refund.failed': 'dashboard.webhooks.eventWords.refundFailed',
  'refund.requested': 'dashboard.webhooks.eventWords.refundRequested',
  'payment.returned': 'dashboard.webhooks.eventWords.paymentReturned',
  'invoice.created': 'dashboard.webhooks.eventWords.invoiceCreated',
  'invoice.paid': 'dashboard.webhooks.eventWords.invoicePaid',
  'invoice.void': 'dashboard.webhooks.eventWords.invoiceVoid',
  'customer.updated': 'dashboard.webhooks.eventWords.customerUpdated',
  'reminder.due': 'dashboard.webhooks.eventWords.reminderDue',
  'nfse.pending': 'dashboard.webhooks.eventWords.nfsePending',
  'nfse.authorized': 'dashboard.webhooks.eventWords.nfseAuthorized',
  'nfse.rejected': 'dashboard.webhooks.eventWords.nfseRejected',
  'nfse.cancellation_requested': 'dashboard.webhooks.eventWords.nfseCancellationRequested',
  'nfse.cancelled': 'dashboard.webhooks.eventWords.nfseCancelled',
  'webhook.disabled': 'dashboard.webhooks.eventWords.webhookDisabled',
  'billing.created': 'dashboard.webhooks.eventWords.billingCreated',
  'billing.paid': 'dashboard.webhooks.eventWords.transparentCompleted',
  'billing.refunded': 'dashboard.webhooks.eventWords.transparentRefunded',
  'billing.failed': 'dashboard.webhooks.eventWords.checkoutPaymentFailed',
  'subscription.created': 'dashboard.webhooks.eventWords.subscriptionCreated',
  'subscription.canceled': 'dashboard.webhooks.eventWords.subscriptionCancelled',
  'withdraw.done': 'dashboard.webhooks.eventWords.withdrawDone',
  'withdraw.failed': 'dashboard.webhooks.eventWords.withdrawFailed',
};

/** What events are about: the part of their names before the dot, in the order of the picker. */
export const EVENT_GROUPS: Readonly<Record<string, MessageKey>> = {
  checkout: 'dashboard.checkoutsAndLinks',
  transparent: 'dashboard.webhooks.eventGroups.transparent',
  billing: 'dashboard.webhooks.eventGroups.billing',
  subscription: 'dashboard.subscriptions',
  invoice: 'dashboard.invoices',
  customer: 'dashboard.customers',
  reminder: 'dashboard.settings.reminders.title',
  nfse: 'dashboard.nfse',
  payout: 'dashboard.payouts',
  withdraw: 'dashboard.webhooks.eventGroups.withdraw',
  transfer: 'dashboard.transfers',
  refund: 'dashboard.refunds',
  payment: 'dashboard.payments',
  webhook: 'dashboard.webhooks',
};

/** What an event is about, such as `checkout`. */
export function groupOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

/** What happened in words, with the name that programs use. */
export function eventWords(say: Say, name: RecordedEventName | V1EventName): Html {
  return html`${say(EVENT_WORDS[name])} <code class="code-of">${name}</code>`;
}

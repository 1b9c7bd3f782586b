import { monthStart, saoPauloDateOf } from '../../domain/civil-date.ts';
import type { EventName } from '../../domain/event-names.ts';
import {
  ACCEPTING_PAYER,
  AMOUNT,
  APPROVED_CARD,
  authorizing,
  type Cause,
  cancelledLater,
  DECLINED_CARD,
  DECLINED_FROM_THE_SECOND_CHARGE,
  dispute,
  NOT_PAYABLE,
  PLENTY,
  paidCharge,
  paidCheckout,
  paused,
  pay,
  payOut,
  product,
  REFUSING_PAYER,
  RETURNING_PAYOUT,
  RETURNING_PIX_KEY,
  refund,
  refused,
  subscribe,
  subscribeByPix,
  transfer,
  UNKNOWN_PIX_KEY,
  unpaidCharge,
  unpaidCheckout,
} from './cause-steps.ts';
import { advance, afterwards } from './clock-causes.ts';
import { disableWebhook } from './gone-endpoint.ts';
import { authorize, declare } from './nfse-causes.ts';

const declinedLater = afterwards(
  'subscribes with a card that is declined later',
  (api) => subscribe(api, {}, { card: { number: DECLINED_FROM_THE_SECOND_CHARGE } }),
  'P1M',
  'a month',
);

/** Every event, in the order of the API reference. */
export const CAUSES: Readonly<Record<EventName, Cause>> = {
  'checkout.completed': { how: 'pays a checkout with a card', cause: paidCheckout },
  'checkout.refunded': {
    how: 'refunds a checkout',
    cause: async (api) => refund(api, 'checkouts', await paidCheckout(api)),
  },
  'checkout.disputed': {
    how: 'disputes a checkout',
    cause: async (api) => dispute(api, await paidCheckout(api)),
  },
  'checkout.lost': {
    how: 'loses a dispute over a checkout',
    cause: async (api) => dispute(api, await paidCheckout(api), 'lose'),
  },
  'transparent.completed': { how: 'pays a PIX charge', cause: paidCharge },
  'transparent.refunded': {
    how: 'refunds a PIX charge',
    cause: async (api) => refund(api, 'transparents', await paidCharge(api)),
  },
  'transparent.disputed': {
    how: 'disputes a PIX charge',
    cause: async (api) => dispute(api, await paidCharge(api)),
  },
  'transparent.lost': {
    how: 'loses a dispute over a PIX charge',
    cause: async (api) => dispute(api, await paidCharge(api), 'lose'),
  },
  'subscription.completed': { how: 'subscribes with a card', cause: (api) => subscribe(api) },
  'subscription.cancelled': {
    how: 'subscribes, and cancels that',
    async cause(api) {
      const id = await subscribe(api);
      await api.post('subscriptions/cancel', { id });
      return id;
    },
  },
  'subscription.renewed': afterwards('subscribes with a card', (api) => subscribe(api), 'P1M', 'a month'),
  'subscription.trial_started': {
    how: 'subscribes to a plan with two free weeks',
    cause: (api) => subscribe(api, { trialDays: 14 }),
  },
  'subscription.trial_changed': {
    how: 'subscribes to a plan with two free weeks, and ends them',
    async cause(api) {
      const id = await subscribe(api, { trialDays: 14 });
      await api.post('subscriptions/update', { id, trialEnd: 'now' });
      return id;
    },
  },
  'subscription.plan_changed': {
    how: 'subscribes, and changes the plan',
    async cause(api) {
      const id = await subscribe(api);
      const productId = await product(api, { cycle: 'ANNUALLY', price: 49_000 });
      await api.post('subscriptions/change-plan', { id, productId, quantity: 1 });
      return id;
    },
  },
  'subscription.payment_failed': declinedLater,
  'subscription.past_due': declinedLater,
  'subscription.trial_ending': afterwards(
    'subscribes to a plan with two free weeks',
    (api) => subscribe(api, { trialDays: 14 }),
    'P12D',
    'twelve days',
  ),
  'subscription.upcoming': afterwards('subscribes with a card', (api) => subscribe(api), 'P25D', '25 days'),
  'subscription.card_expiring': {
    how: 'subscribes with a card that expires next month, and moves the clock by 33 days',
    moves: '33 days',
    async cause(api) {
      const { now } = await api.get<{ readonly now: string }>('dev/clock');
      const next = monthStart(saoPauloDateOf(new Date(now)), 1);
      const expiry = `${next.slice(5, 7)}/${next.slice(2, 4)}`;
      const id = await subscribe(api, {}, { card: { number: APPROVED_CARD, expiry } });
      await advance(api, { by: 'P33D' });
      return id;
    },
  },
  'subscription.card_updated': {
    how: 'subscribes with a card that its issuer replaces',
    async cause(api) {
      const id = await subscribe(api);
      await api.post('dev/cards/replace', { id });
      return id;
    },
  },
  'subscription.cancellation_scheduled': {
    how: 'subscribes, and cancels that with the end of the month',
    cause: (api) => cancelledLater(api),
  },
  'subscription.payment_method_changed': {
    how: 'subscribes with a card that its payer replaces',
    async cause(api) {
      const id = await subscribe(api);
      await api.post('dev/cards/change', { id });
      return id;
    },
  },
  'subscription.authorization_requested': {
    how: 'subscribes by PIX, and asks the payer to authorize debits',
    async cause(api) {
      const subscriptionId = await subscribeByPix(api, ACCEPTING_PAYER);
      await api.post('mandates/create', { subscriptionId, pixAutomatic: 'fixed' });
      return subscriptionId;
    },
  },
  'subscription.authorized': {
    how: 'subscribes by PIX, and authorizes debits',
    cause: (api) => authorizing(api, ACCEPTING_PAYER),
  },
  'subscription.authorization_refused': {
    how: 'subscribes by PIX, and does not authorize debits',
    cause: (api) => authorizing(api, REFUSING_PAYER),
  },
  'subscription.authorization_cancelled': {
    how: 'subscribes by PIX, authorizes debits, and ends that at the bank',
    async cause(api) {
      const id = await authorizing(api, ACCEPTING_PAYER);
      const { mandateId } = await api.get<{ mandateId: string }>(`subscriptions/get?id=${id}`);
      await api.post('dev/mandates/answer', { id: mandateId, answer: 'cancel' });
      return id;
    },
  },
  'subscription.paused': { how: 'subscribes, and pauses that', cause: (api) => paused(api) },
  'subscription.resumed': {
    how: 'subscribes, pauses that, and resumes it',
    async cause(api) {
      const id = await paused(api);
      await api.post('subscriptions/resume', { id });
      return id;
    },
  },
  'payout.completed': {
    how: 'pays out R$ 250.00 that it has been paid before (one payout a minute)',
    cause: (api) => payOut(api, 25_000),
  },
  'payout.failed': {
    how: 'pays out R$ 404.04, which the sandbox bank refuses (one payout a minute)',
    cause: (api) => payOut(api, NOT_PAYABLE),
  },
  'transfer.completed': {
    how: 'sends R$ 250.00 that it has been paid before by PIX',
    async cause(api) {
      await pay(api, PLENTY);
      return transfer(api, 25_000);
    },
  },
  'transfer.failed': {
    how: 'sends R$ 250.00 to a PIX key that nobody has',
    async cause(api) {
      await pay(api, PLENTY);
      return transfer(api, 25_000, UNKNOWN_PIX_KEY);
    },
  },
  'payout.returned': {
    how: "pays out R$ 405.05, which the payee's bank sends back (one payout a minute)",
    cause: (api) => payOut(api, RETURNING_PAYOUT),
  },
  'transfer.returned': {
    how: 'sends R$ 250.00 to a PIX key whose bank sends it back',
    async cause(api) {
      await pay(api, PLENTY);
      return transfer(api, 25_000, RETURNING_PIX_KEY);
    },
  },
  'transparent.expired': {
    how: 'creates a PIX charge that expires after a second',
    async cause(api) {
      const data = { amount: AMOUNT, expiresIn: 1 };
      return (await api.post('transparents/create', { method: 'PIX', data })).id;
    },
  },
  'transparent.cancelled': {
    how: 'cancels a PIX charge',
    async cause(api) {
      const id = await unpaidCharge(api);
      await api.post('transparents/cancel', { id });
      return id;
    },
  },
  'transparent.won': {
    how: 'wins a dispute over a PIX charge',
    cause: async (api) => dispute(api, await paidCharge(api), 'win'),
  },
  'checkout.expired': {
    how: 'creates a checkout, and moves the clock to its end',
    moves: 'the end of a checkout, 30 days by default',
    async cause(api) {
      const id = await unpaidCheckout(api);
      const { expiresAt } = await api.get<{ expiresAt: string }>('checkouts/get', { id });
      await advance(api, { to: expiresAt });
      return id;
    },
  },
  'checkout.payment_failed': {
    how: 'tries to pay a checkout with a card that is declined',
    async cause(api) {
      const id = await unpaidCheckout(api);
      const card = { number: DECLINED_CARD };
      await refused('CARD_DECLINED', api.post('checkouts/simulate-payment', { id, card }));
      return id;
    },
  },
  'checkout.won': {
    how: 'wins a dispute over a checkout',
    cause: async (api) => dispute(api, await paidCheckout(api), 'win'),
  },
  'invoice.created': { how: 'pays a checkout', cause: paidCheckout },
  'invoice.paid': { how: 'pays a checkout', cause: paidCheckout },
  'invoice.void': {
    ...declinedLater,
    how: `${declinedLater.how}, and cancels that`,
    async cause(api) {
      const id = await declinedLater.cause(api);
      await api.post('subscriptions/cancel', { id });
      return id;
    },
  },
  'reminder.due': {
    how: 'creates a boleto, and publishes a reminder of it',
    async cause(api) {
      const customer = { name: 'Ana Souza', taxId: '529.982.247-25', email: 'ana@example.com' };
      const data = { amount: AMOUNT, customer };
      const { id } = await api.post('transparents/create', { method: 'BOLETO', data });
      await api.post('dev/reminders/publish', { id });
      return id;
    },
  },
  'customer.updated': {
    how: "changes a customer's telephone",
    async cause(api) {
      const { id } = await api.post('customers/create', { name: 'Ana Souza', email: 'ana@example.com' });
      await api.post('customers/update', { id, cellphone: '+55 11 91234-5678' });
      return id;
    },
  },
  'nfse.pending': {
    how: 'pays a checkout, and issues the DPS of its invoice',
    cause: async (api) => (await declare(api, paidCheckout)).id,
  },
  'nfse.authorized': {
    how: 'issues a DPS, and reports that it was authorised',
    cause: async (api) => authorize(api, await declare(api, paidCheckout)),
  },
  'nfse.rejected': {
    how: 'issues a DPS, and reports that it was rejected',
    async cause(api) {
      const { id } = await declare(api, paidCheckout);
      const errors = [{ code: 'E0188', message: 'recebe trigger' }];
      await api.post('invoices/nfse/report', { id, status: 'REJECTED', errors });
      return id;
    },
  },
  'nfse.cancellation_requested': {
    how: 'asks for the cancellation of an authorised NFS-e',
    async cause(api) {
      const id = await authorize(api, await declare(api, paidCheckout));
      await api.post('invoices/nfse/cancel', { id });
      return id;
    },
  },
  'nfse.cancelled': {
    how: 'reports that an authorised NFS-e was cancelled',
    async cause(api) {
      const id = await authorize(api, await declare(api, paidCheckout));
      await api.post('invoices/nfse/report', { id, status: 'CANCELLED' });
      return id;
    },
  },
  'refund.failed': {
    how: "sends away all of the store's balance, and then refunds a charge of it",
    async cause(api) {
      const id = await paidCharge(api);
      const { balance } = await api.get<{ balance: { available: number } }>('store/get');
      // After the transfer and its fee, the remaining balance is below the charge.
      await transfer(api, balance.available - AMOUNT / 2);
      await refused('INSUFFICIENT_FUNDS', api.post('transparents/refund', { id }));
      return id;
    },
  },
  'refund.requested': {
    how: 'asks for a refund of a paid PIX charge, as its customer does in the portal',
    async cause(api) {
      const id = await paidCharge(api);
      await api.post('dev/refunds/request', { id });
      return id;
    },
  },
  'payment.returned': {
    how: 'pays a PIX charge with a cent too little',
    async cause(api) {
      const id = await unpaidCharge(api);
      await api.post(`transparents/simulate-payment?id=${id}`, { amount: AMOUNT - 1 });
      return id;
    },
  },
  'webhook.disabled': {
    how: 'registers an endpoint on this machine that answers 410 (only at a local service)',
    cause: disableWebhook,
  },
};

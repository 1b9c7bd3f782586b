import { randomUUID } from 'node:crypto';
import { monthStart, saoPauloDateOf } from '../../domain/civil-date.ts';
import type { EventName } from '../../domain/event-names.ts';
import { type Api, ApiFailure } from './api.ts';
import { advance, afterwards } from './clock-causes.ts';
import { disableWebhook } from './gone-endpoint.ts';
import { authorize, declare } from './nfse-causes.ts';

/** What an integrator does to cause an event. @returns the id of the object that the event is about. */
type Do = (api: Api) => Promise<string>;

/** How to cause an event. */
export interface Cause {
  readonly how: string;
  readonly cause: Do;
  /** How far the clock of the store moves for it, in words. */
  readonly moves?: string;
}

/** In cents. */
const AMOUNT = 2_500;
const PLENTY = 100_000;
/** An amount that the sandbox bank refuses to pay out (guide "Money"). */
const NOT_PAYABLE = 40_404;
const RETURNING_PAYOUT = 40_505;
const RETURNING_PIX_KEY = 'devolve@example.com';
const UNKNOWN_PIX_KEY = 'chave-inexistente@example.com';
const APPROVED_CARD = '4242424242424242';
/** Declined for lack of funds (contract section 8). */
const DECLINED_CARD = '4000000000000002';
const DECLINED_FROM_THE_SECOND_CHARGE = '4000000000000341';

const unique = () => `trigger-${randomUUID()}`;

const unpaidCharge: Do = async (api) =>
  (await api.post('transparents/create', { method: 'PIX', data: { amount: AMOUNT } })).id;

async function pay(api: Api, amount: number): Promise<string> {
  const { id } = await api.post('transparents/create', { method: 'PIX', data: { amount } });
  await api.post(`transparents/simulate-payment?id=${id}`);
  return id;
}
const paidCharge: Do = (api) => pay(api, AMOUNT);

async function product(api: Api, more: object = {}): Promise<string> {
  const body = {
    externalId: unique(),
    name: 'Made by recebe trigger',
    price: 4_900,
    currency: 'BRL',
    ...more,
  };
  return (await api.post('products/create', body)).id;
}

const unpaidCheckout: Do = async (api) => {
  const items = [{ id: await product(api), quantity: 1 }];
  return (await api.post('checkouts/create', { items, methods: ['PIX', 'CARD'] })).id;
};

const paidCheckout: Do = async (api) => {
  const id = await unpaidCheckout(api);
  await api.post('checkouts/simulate-payment', { id, method: 'CARD' });
  return id;
};

async function subscribe(api: Api, more: object = {}, payment: object = {}): Promise<string> {
  const items = [{ id: await product(api, { cycle: 'MONTHLY', ...more }), quantity: 1 }];
  const { id } = await api.post('subscriptions/create', { items, methods: ['CARD'] });
  const paid = await api.post<{ subscriptionId: string }>('checkouts/simulate-payment', { id, ...payment });
  return paid.subscriptionId;
}

const ACCEPTING_PAYER = { name: 'Ana Souza', taxId: '52998224725' };
/** A test CPF (guide "Pix Automático"). */
const REFUSING_PAYER = { name: 'Bia Lima', taxId: '80000000167' };

/** By PIX, with a code that also asks for debits. */
function authorizing(api: Api, payer: object): Promise<string> {
  return subscribeByPix(api, payer, { pixAutomatic: 'fixed' });
}

async function subscribeByPix(api: Api, payer: object, more: object = {}): Promise<string> {
  const items = [{ id: await product(api, { cycle: 'MONTHLY' }), quantity: 1 }];
  const { id } = await api.post('subscriptions/create', { items, methods: ['PIX'], ...more });
  const paid = await api.post<{ subscriptionId: string }>('checkouts/simulate-payment', { id, payer });
  return paid.subscriptionId;
}

async function paused(api: Api): Promise<string> {
  const id = await subscribe(api);
  await api.post('subscriptions/pause', { id });
  return id;
}

async function cancelledLater(api: Api): Promise<string> {
  const id = await subscribe(api);
  await api.post('subscriptions/cancel', { id, atPeriodEnd: true });
  return id;
}

async function refund(api: Api, resource: 'transparents' | 'checkouts', id: string): Promise<string> {
  await api.post(`${resource}/refund`, { id, reason: 'recebe trigger' });
  return id;
}

async function dispute(api: Api, id: string, end?: 'win' | 'lose'): Promise<string> {
  await api.post('dev/disputes/open', { id, reason: 'recebe trigger' });
  if (end !== undefined) await api.post(`dev/disputes/${end}`, { id });
  return id;
}

async function payOut(api: Api, amount: number): Promise<string> {
  await pay(api, PLENTY);
  return (await api.post('payouts/create', { amount, externalId: unique() })).id;
}

async function transfer(api: Api, amount: number, key = 'ana@example.com'): Promise<string> {
  return (await api.post('pix/send', { amount, externalId: unique(), pix: { type: 'EMAIL', key } })).id;
}

/** Runs a request that must be refused. @throws if it succeeds, or fails for another reason. */
async function refused(code: string, request: Promise<unknown>): Promise<void> {
  const failure = await request.then(
    () => null,
    (error: unknown) => error,
  );
  if (failure instanceof ApiFailure && failure.code === code) return;
  throw failure ?? new Error(`expected an error ${code}, but the request succeeded`);
}

/** Every event, in the order of the API reference. */
const declinedLater = afterwards(
  'subscribes with a card that is declined later',
  (api) => subscribe(api, {}, { card: { number: DECLINED_FROM_THE_SECOND_CHARGE } }),
  'P1M',
  'a month',
);

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

/**
 * Causes an event and waits until it is recorded. Subscribes first to events that are recorded only while someone listens.
 * @throws ApiFailure
 */
export async function causeEvent(
  api: Api,
  name: EventName,
  cause: Do,
): Promise<{ id: string; subjectId: string }> {
  await api.get('events/list', { name, limit: '1' });
  return recorded(api, name, await cause(api));
}

/** An event that is not recorded by then will not arrive. */
const PATIENCE_MS = 60_000;
const POLL_MS = 250;

async function recorded(api: Api, name: EventName, subjectId: string) {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const event = await newestEvent(api, name, subjectId);
    if (event !== undefined) return { id: event.id, subjectId };
    if (performance.now() > deadlineMs)
      throw new Error(
        `${subjectId} was created, but ${name} did not happen within a minute: is a worker running?`,
      );
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

interface ListedEvent {
  readonly id: string;
  readonly data: { readonly webhook?: { readonly id: string } };
}

/** Events about webhooks are listed by name only. */
async function newestEvent(api: Api, name: EventName, subjectId: string): Promise<ListedEvent | undefined> {
  const isOfWebhook = name === 'webhook.disabled';
  const query = { name, ...(!isOfWebhook && { subjectId }), limit: isOfWebhook ? '100' : '1' };
  const events = await api.get<ListedEvent[]>('events/list', query);
  return events.find(({ data }) => !isOfWebhook || data.webhook?.id === subjectId);
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { RefundId } from '../../../src/domain/ids.ts';
import { mintId } from '../../../src/ids.ts';
import { type CardAnswer, type ChargeCard, requireToken } from '../../../src/providers/ports/cards.ts';
import type {
  NotificationPointer,
  ReceivedNotification,
} from '../../../src/providers/ports/notifications.ts';
import type { StripeProvider } from '../../../src/providers/stripe/stripe-provider.ts';
import { closed, listening } from '../../psp/local-server.ts';
import { ADAPTER_WAITS_MS, type Fault, LocalstripeGaps } from '../../psp/stripe/localstripe-gaps.ts';
import { startProgram } from '../../psp/stripe/start-program.ts';
import type { Verdict } from '../verdict.ts';
import { accepted, acceptOf, adapterAt, boletoOf, chargeOf, NOTIFICATION_SECRET } from './account.ts';

const WEBHOOK_SECRET = 'whsec_localstripe';
const FAULTS: readonly Fault[] = ['CUT_AFTER_EFFECT', 'DELAY', 429, 503];
const FAULTS_OF_EACH = 100;
/** The most faults in a row for one charge: its third request has none, however many others run at the same time. */
const FAULTS_OF_ONE = 2;
const AT_ONCE = 10;
/** A time-out for a busy machine. A request that exceeds it is repeated. */
const ANSWERED_WITHIN_MS = 120_000;
const LONGEST_PAUSE_MS = 1_000;
/** localstripe sends a webhook one second after its event. */
const WEBHOOKS_WITHIN_MS = 10_000;

/** By number, as localstripe's cards behave (docs.stripe.com/testing). */
const CARDS = {
  good: '4242424242424242',
  declinedWhenSaved: '4000000000000002',
  declinedWhenCharged: '4000000000000341',
  confirms: ['4000002500003155', '4000002760003184', '4000000000003220', '4000000000003063'],
  confirmsAndIsDeclined: ['4000008260003178', '4000008400001629'],
} as const;

/** A Stripe with state, by others: cards, 3-D Secure, refunds, stored cards, webhooks, and faults before it. */
export async function byLocalstripe(program: string, cwd: string): Promise<readonly Verdict[]> {
  const target = await startProgram(program, (port) => ['--port', String(port), '--from-scratch'], cwd);
  const stripe = new LocalstripeGaps(target);
  await stripe.open();
  const inbox = await openInbox();
  await stripe.ask('POST', '/_config/webhooks/judged', { url: inbox.url, secret: WEBHOOK_SECRET });
  const provider = adapterAt(stripe.url, { webhookSecret: WEBHOOK_SECRET, timeoutMs: ADAPTER_WAITS_MS });
  try {
    const judged = [await cardsOf(stripe, provider), await refundsOf(stripe, provider)];
    const webhooks = await webhooksOf(inbox.received, stripe, provider);
    return [...judged, webhooks, ...(await faultsOf(stripe, provider))];
  } finally {
    await Promise.all([provider.disconnect(), stripe.close(), inbox.close()]);
  }
}

/** What Stripe's fields would do in the payer's browser. */
async function methodOf(stripe: LocalstripeGaps, number: string): Promise<string> {
  const { body } = await stripe.ask('POST', '/v1/payment_methods', {
    type: 'card',
    'card[number]': number,
    'card[exp_month]': '12',
    'card[exp_year]': '2030',
    'card[cvc]': '123',
  });
  return String(body.id);
}

async function cardsOf(stripe: LocalstripeGaps, provider: StripeProvider): Promise<Verdict> {
  const wrong: string[] = [];
  let cases = 0;
  const expecting = (what: string, answer: CardAnswer, expected: string) => {
    cases++;
    const result = answer.outcome === 'DECLINED' ? `DECLINED ${answer.reason}` : answer.outcome;
    if (result !== expected) wrong.push(`${what}: ${result} instead of ${expected}`);
  };
  const charge = async (number: string, given: Partial<ChargeCard> = {}) => {
    const token = await accepted(provider, await methodOf(stripe, number), acceptOf(number, given));
    const request = chargeOf(token ?? '', given);
    return { request, answer: await provider.cards.charge(request) };
  };
  const kept = { keepsCard: true };
  expecting('a good card', (await charge(CARDS.good)).answer, 'APPROVED');
  expecting(
    'a card declined when it is saved',
    (await charge(CARDS.declinedWhenSaved, kept)).answer,
    'DECLINED card_declined',
  );
  const late = await charge(CARDS.declinedWhenCharged);
  expecting('a card declined when it is charged', late.answer, 'DECLINED card_declined');
  expecting('the same again', await provider.cards.charge(late.request), 'DECLINED card_declined');

  const confirm = async (request: ChargeCard, success: boolean) => {
    const [intent] = await stripe.intentsOf(request.reference);
    const path = `/v1/payment_intents/${intent?.id}/_authenticate?success=${success}`;
    await stripe.ask('POST', path, { client_secret: String(intent?.client_secret) });
    return provider.cards.charge(request);
  };
  for (const number of CARDS.confirms) {
    const done = await charge(number);
    expecting(`${number} before it is confirmed`, done.answer, 'REQUIRES_ACTION');
    expecting(`${number} confirmed`, await confirm(done.request, true), 'APPROVED');
    const failed = await charge(number);
    expecting(
      `${number} not confirmed`,
      await confirm(failed.request, false),
      'DECLINED authentication_failed',
    );
    const abandoned = await charge(number);
    const { outcome } = await provider.charges.close(abandoned.request.reference);
    if (outcome !== 'CLOSED') wrong.push(`${number} abandoned: ${outcome}`);
    expecting(
      `${number} abandoned`,
      await provider.cards.charge(abandoned.request),
      'DECLINED processing_error',
    );
  }
  for (const number of CARDS.confirmsAndIsDeclined) {
    const { request } = await charge(number);
    expecting(`${number} confirmed`, await confirm(request, true), 'DECLINED card_declined');
  }

  const first = await charge(CARDS.good, kept);
  expecting('the first payment of a stored card', first.answer, 'APPROVED');
  const keptToken = requireToken(first.request);
  const later = chargeOf(keptToken, { ...kept, isOffSession: true });
  expecting('a later one without the payer', await provider.cards.charge(later), 'APPROVED');
  for (let repeat = 0; repeat < 2; repeat++) await provider.cards.forget(keptToken);
  const forgotten = chargeOf(keptToken, { ...kept, isOffSession: true });
  expecting('an erased card', await provider.cards.charge(forgotten), 'DECLINED processing_error');
  const absent = chargeOf(await methodOf(stripe, CARDS.confirms[0]), { isOffSession: true });
  expecting(
    'a later one that wants the payer',
    await provider.cards.charge(absent),
    'DECLINED authentication_required',
  );
  const closed = chargeOf(await methodOf(stripe, CARDS.good));
  await provider.charges.close(closed.reference);
  expecting(
    'a charge that was closed first',
    await provider.cards.charge(closed),
    'DECLINED processing_error',
  );
  return { what: `${cases} answers to cards`, wrong };
}

async function refundsOf(stripe: LocalstripeGaps, provider: StripeProvider): Promise<Verdict> {
  const wrong: string[] = [];
  const answer = await provider.cards.charge(chargeOf(await methodOf(stripe, CARDS.good)));
  if (answer.outcome !== 'APPROVED') return { what: 'refunds', wrong: [`the card was ${answer.outcome}`] };
  const { providerPaymentId } = answer.payment;
  for (const amountCents of [590, 2_000]) {
    const refundReference = mintId<RefundId>('refund', new Date());
    for (let repeat = 0; repeat < 3; repeat++) {
      const made = await provider.charges.refund({ refundReference, providerPaymentId, amountCents });
      if (made.outcome !== 'RETURNED') wrong.push(`a refund of ${amountCents}: ${made.outcome}`);
    }
  }
  const known = await provider.charges.findPayment(providerPaymentId);
  const amounts = known?.refunds?.map(({ amountCents }) => amountCents).sort();
  if (JSON.stringify(amounts) !== '[2000,590]') wrong.push(`the payment has refunds of ${amounts}`);
  const time = { from: new Date(Date.now() - 60_000), until: new Date(Date.now() + 60_000) };
  const { items } = await provider.listing.payments(time, null);
  if (!items.some((item) => item.providerPaymentId === providerPaymentId && item.refunds?.length === 2))
    wrong.push('the payment is not listed with its refunds');
  return { what: `a payment refunded in parts, each three times; ${items.length} payments listed`, wrong };
}

async function webhooksOf(
  received: readonly ReceivedNotification[],
  stripe: LocalstripeGaps,
  provider: StripeProvider,
): Promise<Verdict> {
  const request = chargeOf(await methodOf(stripe, CARDS.good));
  await provider.cards.charge(request);
  const isOfCharge = (pointer: NotificationPointer) =>
    pointer.kind === 'PAYMENT' && pointer.reference === request.reference;
  const isThere = () =>
    received.some(({ rawBody }) => provider.notifications.translate(rawBody).some(isOfCharge));
  const deadlineMs = performance.now() + WEBHOOKS_WITHIN_MS;
  while (!isThere() && performance.now() < deadlineMs) await delay(100);
  const wrong = isThere() ? [] : ['no webhook names the charge'];
  for (const notification of received) {
    if (!provider.notifications.authenticate(notification)) wrong.push('a signature is not accepted');
    const forged = { ...notification, rawBody: Buffer.concat([notification.rawBody, Buffer.from(' ')]) };
    if (provider.notifications.authenticate(forged)) wrong.push('a changed body is accepted');
  }
  return { what: `${received.length} signed webhooks`, wrong };
}

/** Every fault meets requests to charge a card or to issue a boleto, up to FAULTS_OF_ONE times in a row. */
async function faultsOf(stripe: LocalstripeGaps, provider: StripeProvider): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const method = await methodOf(stripe, CARDS.good);
  const kinds = {
    cards: async () => {
      const request = chargeOf(method);
      const answer = await untilAnswered(() => provider.cards.charge(request));
      return { reference: request.reference, expected: 'APPROVED', outcome: answer?.outcome };
    },
    boletos: async () => {
      const request = boletoOf();
      const answer = await untilAnswered(() => provider.boletos.issue(request));
      return { reference: request.chargeId, expected: 'ISSUED', outcome: answer?.outcome };
    },
  };
  for (const [kind, begin] of Object.entries(kinds))
    for (const fault of FAULTS) verdicts.push(await faultOf(stripe, fault, kind, begin));
  return verdicts;
}

interface Begun {
  readonly reference: string;
  readonly expected: string;
  /** Undefined if no answer came. */
  readonly outcome: string | undefined;
}

async function faultOf(
  stripe: LocalstripeGaps,
  fault: Fault,
  kind: string,
  begin: () => Promise<Begun>,
): Promise<Verdict> {
  const wrong: string[] = [];
  const faultsByKey = new Map<string, number>();
  let faults = 0;
  let charges = 0;
  const chargeThrough = async () => {
    const { reference, expected, outcome } = await begin();
    if (outcome !== expected) wrong.push(`${reference}: ${outcome ?? 'no answer'} instead of ${expected}`);
    const intents = await stripe.intentsOf(reference);
    if (intents.length !== 1) wrong.push(`${reference}: ${intents.length} intents`);
    charges++;
  };
  stripe.fault = (verb, path, key) => {
    const isCharge = verb === 'POST' && path === '/v1/payment_intents';
    const earlier = faultsByKey.get(key) ?? 0;
    if (!isCharge || faults === FAULTS_OF_EACH || earlier === FAULTS_OF_ONE) return null;
    faultsByKey.set(key, earlier + 1);
    faults++;
    return fault;
  };
  while (faults < FAULTS_OF_EACH) await Promise.all(Array.from({ length: AT_ONCE }, chargeThrough));
  stripe.fault = () => null;
  return { what: `${faults} times ${fault} at ${charges} ${kind}, each with one intent`, wrong };
}

async function untilAnswered<Answer extends { readonly outcome: string }>(
  ask: () => Promise<Answer>,
): Promise<Answer | null> {
  const deadlineMs = performance.now() + ANSWERED_WITHIN_MS;
  for (let tries = 0; performance.now() < deadlineMs; tries++) {
    try {
      const answer = await ask();
      if (answer.outcome !== 'PENDING') return answer;
    } catch {
      // Not known: the same request is sent again with growing pauses, as the workflow does.
    }
    await delay(Math.min(10 * 2 ** tries, LONGEST_PAUSE_MS));
  }
  return null;
}

async function openInbox() {
  const received: ReceivedNotification[] = [];
  const server = createServer(async (request, response) => {
    received.push({
      rawBody: await buffer(request),
      headers: request.headers,
      clientAddress: '127.0.0.1',
      peerCertificate: null,
      pathSecret: NOTIFICATION_SECRET,
    });
    response.end();
  });
  await listening(server, 0);
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => closed(server),
  };
}

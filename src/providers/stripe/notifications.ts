import { hash, timingSafeEqual } from 'node:crypto';
import Stripe from 'stripe';
import { z } from 'zod';
import { parseAnswer } from '../parse-answer.ts';
import type {
  NotificationPointer,
  NotificationsPort,
  ReceivedNotification,
  Registered,
} from '../ports/notifications.ts';
import { ProviderError } from '../provider-error.ts';
import type { StripeAccount } from './account.ts';
import { STRIPE_ID, tokenOf } from './ids.ts';
import { allOfList } from './refunds.ts';
import type { StripeClient } from './stripe-client.ts';
import { readEndpoint, referenceIn } from './wire.ts';

/** Stripe signs every attempt again, so an older signature is a replay (docs.stripe.com/webhooks, "Replay attacks"). */
const TOLERANCE_SECONDS = 300;
const PROBE = '{"object":"recebe.probe"}';
const MOST_PAGES = 3;

/** The events whose objects lead to a payment, to the end of one, to a dispute, or to a stored card. */
const EVENTS = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'payment_method.automatically_updated',
  'payment_method.updated',
] as const;

const id = z.string().regex(STRIPE_ID);
const idOf = z.union([id, z.object({ id }).transform((object) => object.id)]).nullish();
const eventSchema = z.object({
  object: z.literal('event'),
  id,
  type: z.string(),
  livemode: z.boolean(),
  data: z.object({ object: z.looseObject({ id, object: z.string() }) }),
});
const ofIntent = z.object({
  payment_intent: idOf,
  metadata: z.record(z.string(), z.string()).nullish(),
});

/** Stripe's webhooks. Recebe uses only the ids in them. */
export function stripeNotifications(client: StripeClient, account: StripeAccount): NotificationsPort {
  return {
    proof: 'hmac',
    paths: [''],
    probe: { path: '', body: PROBE },
    register: (url) => register(client, account, url),
    authenticate: (notification) => isAuthentic(notification, account),
    translate: (rawBody) => translate(rawBody, account),
  };
}

function isAuthentic(
  { rawBody, headers, pathSecret }: ReceivedNotification,
  { secrets }: StripeAccount,
): boolean {
  const { notificationSecret, webhookSecret } = secrets;
  if (notificationSecret === undefined || !isSame(pathSecret ?? '', notificationSecret)) return false;
  // The check of `accounts register` runs before Stripe has made the secret that signs.
  if (isSame(rawBody.toString('utf8'), PROBE)) return true;
  const signature = headers['stripe-signature'];
  if (webhookSecret === undefined || typeof signature !== 'string') return false;
  try {
    Stripe.webhooks.constructEvent(rawBody, signature, webhookSecret, TOLERANCE_SECONDS);
    return true;
  } catch {
    return false;
  }
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}

function translate(rawBody: Buffer, { mode }: StripeAccount): readonly NotificationPointer[] {
  const body = parseAnswer(rawBody.toString('utf8'));
  if (Object(body).object === 'recebe.probe') return [];
  const { success, data: event } = eventSchema.safeParse(body);
  if (!success) throw new ProviderError('INVALID', 'the notification is no event of Stripe');
  if (event.livemode !== (mode === 'live') || !(EVENTS as readonly string[]).includes(event.type)) return [];
  const { object } = event.data;
  if (object.object === 'payment_intent') {
    const reference = referenceIn(ofIntent.parse({ metadata: object.metadata }));
    if (reference === null) return [];
    return event.type === 'payment_intent.succeeded'
      ? [{ kind: 'PAYMENT', providerPaymentId: object.id, reference }]
      : [{ kind: 'CHARGE', reference }];
  }
  if (object.object === 'payment_method') {
    const { success: isReadable, data: customer } = idOf.safeParse(object.customer);
    // A card without a customer is not stored.
    if (!isReadable || customer == null) return [];
    return [{ kind: 'CARD', token: tokenOf({ paymentMethod: object.id, customer }) }];
  }
  if (object.object === 'dispute')
    return [{ kind: 'DISPUTE', providerDisputeId: object.id, reference: null }];
  const { data: part } = ofIntent.safeParse(object);
  if (part === undefined) return [{ kind: 'UNREADABLE', id: event.id }];
  // A charge or refund without an intent was made by another program.
  const { payment_intent: providerPaymentId } = part;
  if (providerPaymentId == null) return [];
  return [{ kind: 'PAYMENT', providerPaymentId, reference: referenceIn(part), hasRefunds: true }];
}

/**
 * Makes the webhook endpoint. Stripe shows its secret only once, so an endpoint whose secret is not stored is replaced.
 * Endpoints of the same account at another address, which an earlier call made, are deleted.
 * @returns the secret to store, unless it is stored already.
 */
async function register(
  client: StripeClient,
  { id: accountId, secrets }: StripeAccount,
  url: string,
): Promise<Registered> {
  const listed = await allOfList(
    (after) =>
      client.call('listing webhook endpoints', (sdk) => sdk.webhookEndpoints.list({ limit: 100, ...after })),
    MOST_PAGES,
  );
  const ours = listed
    .map(readEndpoint)
    .filter((endpoint) => endpoint.url.includes(`/notifications/${accountId}/`));
  const same = ours.find((endpoint) => endpoint.url === url);
  const kept = secrets.webhookSecret === undefined ? undefined : same;
  for (const { id: old } of ours.filter((endpoint) => endpoint !== kept))
    await client.find('deleting a webhook endpoint', (sdk) => sdk.webhookEndpoints.del(old));
  if (kept !== undefined) {
    await client.call('updating a webhook endpoint', (sdk) =>
      sdk.webhookEndpoints.update(kept.id, { enabled_events: [...EVENTS], disabled: false }),
    );
    return { secrets: {}, refused: [] };
  }
  const { body } = await client.call('creating a webhook endpoint', (sdk) =>
    sdk.webhookEndpoints.create({ url, enabled_events: [...EVENTS] }),
  );
  const { secret } = readEndpoint(body);
  if (secret == null)
    throw new ProviderError('RETRY', 'Stripe has made a webhook endpoint and shows no secret');
  return { secrets: { webhookSecret: secret }, refused: [] };
}

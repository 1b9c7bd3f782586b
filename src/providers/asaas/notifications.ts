import { randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { parseAnswer } from '../parse-answer.ts';
import type {
  NotificationPointer,
  NotificationsPort,
  ReceivedNotification,
  Registered,
} from '../ports/notifications.ts';
import { ProviderError } from '../provider-error.ts';
import type { AsaasAccount } from './account.ts';
import type { AsaasClient } from './asaas-client.ts';
import { paymentIdOf, referenceOf } from './wire.ts';

const EVENTS = [
  'PAYMENT_CONFIRMED',
  'PAYMENT_RECEIVED',
  'PAYMENT_REFUNDED',
  'PAYMENT_PARTIALLY_REFUNDED',
  'PAYMENT_REFUND_IN_PROGRESS',
  'PAYMENT_REFUND_DENIED',
  'PAYMENT_CREDIT_CARD_CAPTURE_REFUSED',
  'PAYMENT_AWAITING_RISK_ANALYSIS',
  'PAYMENT_REPROVED_BY_RISK_ANALYSIS',
  'PAYMENT_CHARGEBACK_REQUESTED',
  'PAYMENT_CHARGEBACK_DISPUTE',
  'PAYMENT_AWAITING_CHARGEBACK_REVERSAL',
  'TRANSFER_DONE',
  'TRANSFER_FAILED',
  'TRANSFER_CANCELLED',
];
/** News of a card payment that brought no money. */
const NO_MONEY = [
  'PAYMENT_CREDIT_CARD_CAPTURE_REFUSED',
  'PAYMENT_AWAITING_RISK_ANALYSIS',
  'PAYMENT_REPROVED_BY_RISK_ANALYSIS',
];
const NAME = 'Recebe';
const PROBE = '{"event":"PROBE"}';

const webhooksSchema = z.object({
  data: z.array(
    z.object({ id: z.string(), url: z.string(), enabled: z.boolean(), interrupted: z.boolean() }),
  ),
});
const eventSchema = z.object({
  event: z.string(),
  payment: z
    .object({
      id: z.string(),
      billingType: z.string().catch(''),
      installment: z.string().nullish().catch(null),
      externalReference: z.string().nullish().catch(null),
    })
    .optional(),
  transfer: z.object({ externalReference: z.string().nullish() }).optional(),
});

/**
 * Notifications of payments and transfers. Asaas stops after 15 failures in a row, keeps events for 14 days, and sends
 * them once it is started again.
 */
export function asaasNotifications(client: AsaasClient, account: AsaasAccount): NotificationsPort {
  return {
    proof: 'token',
    paths: [''],
    probe: { path: '', body: PROBE },
    register: (url) => register(client, account, url),
    async resume() {
      const stopped = (await ownWebhooks(client, account)).filter(({ interrupted }) => interrupted);
      for (const { id } of stopped) await update(client, id, { interrupted: false });
      return stopped.length > 0;
    },
    authenticate: (notification) =>
      isSame(notification.pathSecret, account.secrets.notificationSecret) &&
      // The check of `accounts register` knows no token, and runs before there is one.
      (isProbe(notification.rawBody) || isSame(tokenOf(notification), account.secrets.webhookToken)),
    translate: pointersIn,
  };
}

/** Makes the webhook, or renews it. Those of the same account at another address are deleted. */
async function register(client: AsaasClient, account: AsaasAccount, url: string): Promise<Registered> {
  const known = account.secrets.webhookToken;
  const authToken = known ?? randomBytes(32).toString('base64url');
  const wanted = {
    name: NAME,
    url,
    sendType: 'NON_SEQUENTIALLY',
    enabled: true,
    interrupted: false,
    authToken,
    events: EVENTS,
  };
  const [own, ...others] = await ownWebhooks(client, account);
  for (const { id } of others)
    await client.send({ method: 'DELETE', path: `/v3/webhooks/${encodeURIComponent(id)}` });
  if (own !== undefined) await update(client, own.id, wanted);
  else {
    const body = { ...wanted, email: account.contactEmail, apiVersion: 3 };
    await client.send({ method: 'POST', path: '/v3/webhooks', body });
  }
  return { secrets: known === undefined ? { webhookToken: authToken } : {}, refused: [] };
}

async function update(client: AsaasClient, id: string, body: unknown): Promise<void> {
  await client.send({ method: 'PUT', path: `/v3/webhooks/${encodeURIComponent(id)}`, body });
}

/** Other programs have webhooks at the same account, which are left alone. */
async function ownWebhooks(client: AsaasClient, { id }: AsaasAccount) {
  const answer = await client.send({ method: 'GET', path: '/v3/webhooks', query: { limit: '100' } });
  const { data, success } = webhooksSchema.safeParse(answer);
  if (!success) throw new ProviderError('RETRY', 'Asaas answered with an unreadable list of webhooks');
  return data.data.filter(({ url }) => url.includes(`/notifications/${id}/`));
}

function tokenOf({ headers }: ReceivedNotification): string | null {
  const token = headers['asaas-access-token'];
  return typeof token === 'string' ? token : null;
}

/** Compares in constant time. Without the expected value, everything is rejected. */
function isSame(given: string | null, expected: string | undefined): boolean {
  const [one, other] = [Buffer.from(given ?? ''), Buffer.from(expected ?? '')];
  return other.length > 0 && one.length === other.length && timingSafeEqual(one, other);
}

function isProbe(rawBody: Buffer): boolean {
  return rawBody.toString('utf8') === PROBE;
}

/** Other events, including new ones, are acknowledged: refusals would stop the queue. */
function pointersIn(rawBody: Buffer): readonly NotificationPointer[] {
  const { data, success } = eventSchema.safeParse(parseAnswer(rawBody.toString('utf8')));
  if (!success) throw new ProviderError('INVALID', 'the notification is not an event of Asaas');
  const { event, payment, transfer } = data;
  if (event.startsWith('TRANSFER_')) {
    const reference = transfer?.externalReference ?? null;
    return reference === null ? [] : [{ kind: 'TRANSFER', reference }];
  }
  if (payment === undefined || !EVENTS.includes(event)) return [];
  const { installment = null, externalReference = null } = payment;
  const providerPaymentId = paymentIdOf({ ...payment, installment });
  const reference = referenceOf({ ...payment, externalReference });
  if (event.includes('CHARGEBACK'))
    return [{ kind: 'DISPUTE', providerDisputeId: providerPaymentId, reference }];
  if (NO_MONEY.includes(event)) return [{ kind: 'CHARGE', reference }];
  return [
    {
      kind: 'PAYMENT',
      providerPaymentId,
      reference,
      ...(event.includes('REFUND') && { hasRefunds: true as const }),
    },
  ];
}

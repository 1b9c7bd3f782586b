import { randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { NotificationPointer, NotificationsPort, ReceivedNotification } from '../ports/notifications.ts';
import { ProviderError } from '../provider-error.ts';
import type { AsaasAccount } from './account.ts';
import { type AsaasClient, jsonOf } from './asaas-client.ts';

const EVENTS = [
  'PAYMENT_CONFIRMED',
  'PAYMENT_RECEIVED',
  'PAYMENT_REFUNDED',
  'PAYMENT_PARTIALLY_REFUNDED',
  'PAYMENT_REFUND_IN_PROGRESS',
  'PAYMENT_REFUND_DENIED',
];
const NAME = 'Recebe';

const webhooksSchema = z.object({ data: z.array(z.object({ id: z.string(), url: z.string() })) });
const eventSchema = z.object({
  id: z.string().optional(),
  event: z.string(),
  payment: z.object({ id: z.string() }).optional(),
});

/** Notifications of payments. Asaas stops after 15 failures; `register` starts it again. */
export function asaasNotifications(client: AsaasClient, account: AsaasAccount): NotificationsPort {
  return {
    proof: 'token',
    paths: [''],
    probe: { path: '', body: '{"event":"PROBE"}' },
    async register(url) {
      const known = account.secrets.webhookToken;
      const authToken = known ?? randomBytes(32).toString('base64url');
      const stored: Readonly<Record<string, string>> = known === undefined ? { webhookToken: authToken } : {};
      const body = {
        name: NAME,
        url,
        sendType: 'NON_SEQUENTIALLY',
        enabled: true,
        interrupted: false,
        authToken,
        events: EVENTS,
      };
      const answer = await client.send({ method: 'GET', path: '/v3/webhooks', query: { limit: '100' } });
      const { data, success } = webhooksSchema.safeParse(answer);
      if (!success) throw new ProviderError('RETRY', 'Asaas answered with an unreadable list of webhooks');
      const [own] = data.data.filter((webhook) => webhook.url === url);
      if (own !== undefined) {
        await client.send({ method: 'PUT', path: `/v3/webhooks/${encodeURIComponent(own.id)}`, body });
        return stored;
      }
      const made = { ...body, email: account.contactEmail, apiVersion: 3 };
      await client.send({ method: 'POST', path: '/v3/webhooks', body: made });
      return stored;
    },
    authenticate: (notification) =>
      isSame(notification.pathSecret, account.secrets.notificationSecret) &&
      isSame(tokenOf(notification), account.secrets.webhookToken),
    translate: pointersIn,
  };
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

/** Other events, including new ones, are acknowledged: refusals would stop the queue. */
function pointersIn(rawBody: Buffer): readonly NotificationPointer[] {
  const { data, success } = eventSchema.safeParse(jsonOf(rawBody.toString('utf8')));
  if (!success) throw new ProviderError('INVALID', 'the notification is not an event of Asaas');
  if (data.payment === undefined || !data.event.startsWith('PAYMENT_')) return [];
  const { id } = data.payment;
  const hasRefunds = data.event.includes('REFUND');
  return [
    {
      kind: 'PAYMENT',
      providerPaymentId: id,
      reference: id,
      ...(hasRefunds && { hasRefunds: true as const }),
    },
  ];
}

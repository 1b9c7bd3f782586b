import type { DeliveryView } from '../../../api/deliveries/schema.ts';
import type { WebhookView } from '../../../api/webhooks/schema.ts';
import type { DeliveryStatus } from '../../../domain/delivery.ts';
import { visibleText } from '../../../domain/plain-text.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, facts, link, section, time } from '../frame/components.ts';
import { form } from '../frame/form.ts';
import { page } from '../frame/layout.ts';
import type { Say } from '../frame/locale.ts';
import type { Reply } from '../frame/route.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { EVENT_WORDS } from './event-words.ts';
import { failureWords } from './failure-words.ts';

/** The characters of a response body that the page shows; the API returns up to 4 KiB. */
const MAX_BODY = 2_048;

const STATUSES = {
  DELIVERED: ['good', 'Entregue', 'Delivered'],
  PENDING: ['waiting', 'Na fila', 'Waiting'],
  FAILED: ['bad', 'Falhou', 'Failed'],
} as const satisfies Record<DeliveryStatus, readonly [string, string, string]>;

export function statusName(status: DeliveryStatus, say: Say): string {
  const [, portuguese, english] = STATUSES[status];
  return say(portuguese, english);
}

export function statusBadge(
  { status, attemptsCount }: Pick<DeliveryView, 'status' | 'attemptsCount'>,
  say: Say,
): Html {
  const isRetried = status === 'PENDING' && attemptsCount > 0;
  if (isRetried) return badge('bad', say('Falhou, tenta de novo', 'Failed, will retry'));
  return badge(STATUSES[status][0], statusName(status, say));
}

/** GET `/deliveries/:id`: all attempts, and the exact JSON sent to the endpoint. */
export function renderDelivery(
  visit: Visit,
  delivery: DeliveryView & { readonly payload: Readonly<Record<string, unknown>> },
  webhook: Pick<WebhookView, 'name' | 'endpoint'> | undefined,
): Reply {
  const { say } = visit;
  const { id, webhookId, eventId, sample, nextAttemptAt } = delivery;
  const about = facts([
    [say('Estado', 'Status'), statusBadge(delivery, say)],
    [
      'Webhook',
      webhook === undefined
        ? html`<code>${webhookId}</code> ${say('(apagado)', '(deleted)')}`
        : html`${link(visit, `/webhooks/${webhookId}`, webhook.name)} <code class="code-of">${webhook.endpoint}</code>`,
    ],
    [
      say('Evento', 'Event'),
      sample
        ? say('exemplo, não aconteceu', 'an example, it has not happened')
        : link(visit, `/events/${eventId}`, html`<code>${eventId}</code>`),
    ],
    [say('Nome', 'Name'), html`<code>${delivery.event}</code>`],
    [say('Criada', 'Created'), time(visit, delivery.createdAt)],
    [say('Próxima tentativa', 'Next attempt'), nextAttemptAt === null ? '–' : time(visit, nextAttemptAt)],
  ]);
  const attempts = table({
    caption: say('Tentativas', 'Attempts'),
    headings: [
      say('Quando', 'When'),
      say('Duração', 'Took'),
      'HTTP',
      say('Resultado e corpo da resposta', 'Result and response body'),
    ],
    rows: delivery.attempts.map(({ startedAt, durationMs, statusCode, responseExcerpt, error }) => [
      time(visit, startedAt),
      `${durationMs} ms`,
      statusCode === null ? '–' : String(statusCode),
      html`${error === null ? say('aceita', 'accepted') : failureWords(error, say)}${responseExcerpt !== '' && html`<pre tabindex="0" aria-label="${say('Corpo da resposta', 'Response body')}">${visibleText(responseExcerpt, MAX_BODY)}</pre>`}`,
    ]),
    empty: say('Nenhuma ainda.', 'None yet.'),
  });
  const resend = form(visit, {
    action: `/deliveries/${id}/resend`,
    submit: say('Reenviar agora', 'Send again now'),
  });
  const body = html`${section(say('Sobre', 'About'), about)}
${section(say('Tentativas', 'Attempts'), attempts)}
${section(say('O que enviamos', 'What we send'), html`<pre tabindex="0">${JSON.stringify(delivery.payload, null, 2)}</pre>`)}`;
  const title = say(...EVENT_WORDS[delivery.event]);
  return page(visit, {
    title,
    active: 'webhooks',
    body,
    ...(visit.can('webhook:resend') && { actions: resend }),
  });
}

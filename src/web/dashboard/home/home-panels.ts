import type { Conversions } from '../../../charges/conversion.ts';
import type { WebhookHealth } from '../../../webhooks/webhook-health.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, facts, section } from '../frame/components.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amountHeading, methodName, percent } from '../words.ts';

/** The share of started payments that were paid. */
export function conversionPanel({ say }: Visit, { methods, checkouts }: Conversions, span: string): Html {
  const title = say(`Conversão, ${span}`, `Conversion, ${span}`);
  const rows = methods
    .filter(({ begun }) => begun > 0)
    .map(({ method, begun, paid }) => [
      methodName(method, say),
      count(begun),
      count(paid),
      count(percent(paid, begun)),
    ]);
  const headings = [say('Método', 'Method'), ...conversionHeadings({ say })];
  const { created, begun, paid } = checkouts;
  return section(
    title,
    html`${table({ caption: title, headings, rows, empty: say('Nada foi iniciado.', 'No payments were started.') })}
<h3>${say('Checkouts hospedados', 'Hosted checkouts')}</h3>
${facts([
  [say('Criados', 'Created'), String(created)],
  [say('Com pagamento iniciado', 'With a payment started'), `${begun} (${percent(begun, created)})`],
  [say('Pagos', 'Paid'), `${paid} (${percent(paid, created)})`],
])}`,
  );
}

/** The same by campaign (`utm`). */
export function campaignsPanel({ say }: Visit, { campaigns }: Conversions, span: string): Html {
  const title = say(`Campanhas, ${span}`, `Campaigns, ${span}`);
  const rows = campaigns.map(({ source, campaign, begun, paid }) => [
    campaign === null ? source : `${source} / ${campaign}`,
    count(begun),
    count(paid),
    count(percent(paid, begun)),
  ]);
  const headings = [say('Origem', 'Source'), ...conversionHeadings({ say })];
  const empty = say(
    'Nenhuma cobrança trouxe utm. Envie utm.source e utm.campaign ao criar a cobrança.',
    'No charge had utm data. Send utm.source and utm.campaign when you create a charge.',
  );
  return section(title, table({ caption: title, headings, rows, empty }));
}

function conversionHeadings({ say }: Pick<Visit, 'say'>): Html[] {
  return [say('Iniciados', 'Begun'), say('Pagos', 'Paid'), say('Conversão', 'Conversion')].map(amountHeading);
}

/** Whether endpoints accept their notifications. */
export function webhooksPanel(visit: Visit, webhooks: readonly WebhookHealth[]): Html {
  const { say } = visit;
  const title = say('Webhooks em 24 horas', 'Webhooks in 24 hours');
  const rows = webhooks.map((webhook) => ({
    href: visit.link(`/webhooks/${webhook.id}`),
    cells: [
      webhook.name,
      healthBadge(visit, webhook),
      count(webhook.delivered),
      count(webhook.pending),
      count(webhook.failed),
    ],
  }));
  const headings = [
    say('Webhook', 'Webhook'),
    say('Estado', 'State'),
    ...[say('Entregues', 'Delivered'), say('Na fila', 'Waiting'), say('Falharam', 'Failed')].map(
      amountHeading,
    ),
  ];
  const empty = say('Não há webhooks: ninguém é avisado.', 'There are no webhooks: nobody is notified.');
  return section(title, table({ caption: title, headings, rows, empty }));
}

function healthBadge({ say }: Visit, { isDisabled, pausedUntil, failed, pending }: WebhookHealth): Html {
  if (isDisabled) return badge('bad', say('Desligado', 'Disabled'));
  if (pausedUntil !== null) return badge('bad', say('Não responde', 'Hangs'));
  if (failed > 0) return badge('bad', say('Com falhas', 'Failing'));
  return pending > 0 ? badge('waiting', say('Enviando', 'Sending')) : badge('good', say('Em ordem', 'Fine'));
}

function count(value: number | string): Html {
  return html`<span class="amount">${value}</span>`;
}

import type { mrrOf } from '../../../api/public-mrr/queries.ts';
import type { Attention } from '../../../database/entities/attention.ts';
import type { Balance } from '../../../ledger/ledger.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, facts, link, section, time } from '../frame/components.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, amountCell, amountHeading, methodName, percent, shortDay } from '../words.ts';
import { attentionWords } from './attention-words.ts';
import type { Conversions } from './conversion.ts';
import { type DayOfPayments, totalOf } from './daily-payments.ts';
import type { SettlingDay } from './settling.ts';
import type { WebhookHealth } from './webhook-health.ts';

/** Problems that the service cannot solve by itself; nothing if there are none. */
export function attentionPanel({ say, locale }: Visit, open: readonly Attention[]): Html | null {
  if (open.length === 0) return null;
  const rows = open.map(({ kind, subjectId, since }) => {
    const { what, why } = attentionWords(kind, locale);
    return [
      html`${what}<br><span class="soft">${why}</span>`,
      html`<code>${subjectId}</code>`,
      time({ locale }, since),
    ];
  });
  const headings = [say('O que houve', 'What happened'), say('Sobre', 'About'), say('Desde', 'Since')];
  const title = say('Precisa de atenção', 'Needs attention');
  return section(title, table({ caption: title, headings, rows, empty: '' }));
}

interface Figures {
  readonly days: readonly DayOfPayments[];
  readonly mrr: Awaited<ReturnType<typeof mrrOf>>;
  readonly balance: Balance;
}

/** The main figures. */
export function figures({ say }: Visit, { days, mrr, balance }: Figures): Html {
  const payments = (count: number) => say(`${count} pagamentos`, `${count} payments`);
  const [today, week, month] = [1, 7, 30].map((length) => totalOf(days.slice(-length)));
  const figure = (name: string, value: string, also: string) =>
    html`<div class="figure"><dt>${name}</dt><dd>${value} <span class="soft">${also}</span></dd></div>\n`;
  const paid = ([name, total]: readonly [string, ReturnType<typeof totalOf> | undefined]) =>
    total && figure(name, amount(total.cents), payments(total.count));
  const paidIn = [
    [say('Recebido hoje', 'Paid today'), today],
    [say('Em 7 dias', 'In 7 days'), week],
    [say('Em 30 dias', 'In 30 days'), month],
  ] as const;
  return html`<dl class="figures">
${paidIn.map((each) => paid(each) ?? null)}${figure(
  say('Receita recorrente', 'Recurring revenue'),
  amount(mrr.mrr),
  subscriptionsWords({ say }, mrr),
)}${figure(say('Disponível', 'Available'), amount(balance.availableCents), say('para repasse', 'to be paid out'))}</dl>`;
}

/** The number of subscriptions behind the revenue. Those in trial pay nothing yet and are counted separately. */
function subscriptionsWords(
  { say }: Pick<Visit, 'say'>,
  { totalActiveSubscriptions: active, totalTrialSubscriptions: trials }: Figures['mrr'],
): string {
  const paying = active - trials;
  const words = say(`por mês, de ${paying} assinaturas`, `per month, from ${paying} subscriptions`);
  return trials === 0 ? words : `${words}${say(`, e ${trials} em teste`, `, and ${trials} in trial`)}`;
}

/** The share of started payments that were paid. */
export function conversionPanel({ say }: Visit, { methods, checkouts }: Conversions, days: number): Html {
  const title = say(`Conversão em ${days} dias`, `Conversion in ${days} days`);
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
export function campaignsPanel({ say }: Visit, { campaigns }: Conversions, days: number): Html {
  const title = say(`Campanhas em ${days} dias`, `Campaigns in ${days} days`);
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

/** The balance, and what becomes available when. */
export function balancePanel(visit: Visit, balance: Balance, settling: readonly SettlingDay[]): Html {
  const { say, locale } = visit;
  const soonCents = settling.reduce((sum, { netCents }) => sum + netCents, 0);
  const later = balance.pendingCents - soonCents;
  const title = say('Saldo', 'Balance');
  const rows = settling.map(({ day, netCents }) => [shortDay(day, locale), amountCell(netCents)]);
  if (later > 0) rows.push([say('Depois', 'Later'), amountCell(later)]);
  const headings = [say('Fica disponível', 'Becomes available'), amountHeading(say('Valor', 'Amount'))];
  const empty = say('Nada está a liquidar.', 'Nothing is to settle.');
  return section(
    title,
    html`${facts([
      [say('Disponível', 'Available'), amount(balance.availableCents)],
      [say('A liquidar', 'Pending'), amount(balance.pendingCents)],
      [say('Bloqueado por disputas', 'Blocked by disputes'), amount(balance.blockedCents)],
    ])}
${table({ caption: title, headings, rows, empty })}
<p>${link(visit, '/balance', say('Ver o extrato', 'See the statement'))}</p>`,
  );
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

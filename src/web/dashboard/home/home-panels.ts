import type { Conversions } from '../../../charges/conversion.ts';
import type { WebhookHealth } from '../../../webhooks/webhooks-by-failures.ts';
import { facts } from '../../frame/facts.ts';
import { type Html, html } from '../../frame/html.ts';
import { badge, section } from '../frame/components.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amountHeading, methodName, numberText, percent } from '../words.ts';

/** The share of started payments that were paid. */
export function conversionPanel(
  { say, locale }: Visit,
  { methods, checkouts }: Conversions,
  span: string,
): Html {
  const title = say('dashboard.home.conversion2', { span });
  const rows = methods
    .filter(({ begun }) => begun > 0)
    .map(({ method, begun, paid }) => [
      methodName(method, say),
      count(numberText(begun, locale)),
      count(numberText(paid, locale)),
      count(percent(paid, begun, locale)),
    ]);
  const headings = [say('dashboard.method'), ...conversionHeadings({ say })];
  const { created, begun, paid } = checkouts;
  return section(
    title,
    html`${table({ caption: title, headings, rows, empty: say('dashboard.home.noPaymentsWereStarted') })}
<h3>${say('dashboard.home.hostedCheckouts')}</h3>
${facts([
  [say('dashboard.home.created'), numberText(created, locale)],
  [
    say('dashboard.home.withAPaymentStarted'),
    `${numberText(begun, locale)} (${percent(begun, created, locale)})`,
  ],
  [say('dashboard.home.paid'), `${numberText(paid, locale)} (${percent(paid, created, locale)})`],
])}`,
  );
}

/** The same by campaign (`utm`). */
export function campaignsPanel({ say, locale }: Visit, { campaigns }: Conversions, span: string): Html {
  const title = say('dashboard.home.campaigns', { span });
  const rows = campaigns.map(({ source, campaign, begun, paid }) => [
    campaign === null ? source : `${source} / ${campaign}`,
    count(numberText(begun, locale)),
    count(numberText(paid, locale)),
    count(percent(paid, begun, locale)),
  ]);
  const headings = [say('dashboard.source'), ...conversionHeadings({ say })];
  const empty = say('dashboard.home.noChargeHadUtmData');
  return section(title, table({ caption: title, headings, rows, empty }));
}

function conversionHeadings({ say }: Pick<Visit, 'say'>): Html[] {
  return [say('dashboard.home.begun'), say('dashboard.home.paid'), say('dashboard.home.conversion')].map(
    amountHeading,
  );
}

/** Whether endpoints accept their notifications. */
export function webhooksPanel(visit: Visit, webhooks: readonly WebhookHealth[]): Html {
  const { say } = visit;
  const title = say('dashboard.home.webhooksIn24Hours');
  const rows = webhooks.map((webhook) => ({
    href: visit.link(`/webhooks/${webhook.id}`),
    cells: [
      webhook.name,
      healthBadge(visit, webhook),
      count(webhook.delivered),
      count(webhook.waiting),
      count(webhook.failed),
    ],
  }));
  const headings = [
    say('dashboard.webhook'),
    say('dashboard.state'),
    ...[say('dashboard.home.delivered'), say('dashboard.waiting'), say('dashboard.home.failed')].map(
      amountHeading,
    ),
  ];
  const empty = say('dashboard.home.thereAreNoWebhooks');
  return section(title, table({ caption: title, headings, rows, empty }));
}

function healthBadge({ say }: Visit, { isDisabled, pausedUntil, failed, waiting }: WebhookHealth): Html {
  if (isDisabled) return badge('bad', say('dashboard.home.disabled'));
  if (pausedUntil !== null) return badge('bad', say('dashboard.home.hangs'));
  if (failed > 0) return badge('bad', say('dashboard.failing'));
  return waiting > 0 ? badge('waiting', say('dashboard.sending')) : badge('good', say('dashboard.home.fine'));
}

function count(value: number | string): Html {
  return html`<span class="amount">${value}</span>`;
}

import type { SubscriptionHistory } from '../../../api/subscriptions/history.ts';
import type { Charge } from '../../../database/entities/charge.ts';
import { planText } from '../../../domain/subscribed-plan.ts';
import { type Html, html } from '../../frame/html.ts';
import { dayText } from '../../i18n/dates.ts';
import { badge, day, link, time } from '../frame/components.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amount, amountCell, amountHeading, failureWords, numberText, perCycle } from '../words.ts';

/** One line per cycle: its period and price, whether it was paid, and each attempt with its result. */
export function cyclesTable(visit: Visit, cycles: SubscriptionHistory['cycles']): Html {
  const { say } = visit;
  return table({
    caption: say('dashboard.subscriptions.cycles'),
    headings: [
      say('dashboard.cycle'),
      say('dashboard.from'),
      say('dashboard.to'),
      amountHeading(say('dashboard.amount')),
      say('dashboard.state2'),
      say('dashboard.attempts'),
    ],
    rows: cycles.map(({ cycle, attempts }) => [
      String(cycle.number),
      day(visit, cycle.startsAt),
      day(visit, cycle.endsAt),
      amountCell(cycle.amountCents),
      cycleBadge(visit, cycle.status),
      html`${attempts.map((attempt) => html`<div>${link(visit, `/payments/${attempt.id}`, attemptText(visit, attempt))}</div>`)}`,
    ]),
    empty: say('dashboard.subscriptions.noCycleYet'),
  });
}

function cycleBadge({ say }: Visit, status: 'PENDING' | 'PAID' | 'FAILED'): Html {
  if (status === 'PAID') return badge('good', say('dashboard.paid'));
  if (status === 'FAILED') return badge('bad', say('dashboard.subscriptions.notPaid'));
  return badge('waiting', say('dashboard.open'));
}

/** `10/11/2026: o cartão não tem limite ou saldo`. */
function attemptText(visit: Visit, { status, failureReason, createdAt }: Charge): string {
  const { say, locale } = visit;
  const result = {
    PENDING: say('dashboard.subscriptions.open'),
    PAID: say('dashboard.subscriptions.paid'),
    EXPIRED: say('dashboard.subscriptions.expired'),
    CANCELLED: say('dashboard.subscriptions.cancelled'),
    UNDER_DISPUTE: say('dashboard.subscriptions.disputed'),
    REFUNDED: say('dashboard.subscriptions.refunded'),
    FAILED: failureWords(failureReason, say),
  }[status];
  return `${dayText(locale, createdAt)}: ${result}`;
}

export function planChangesTable(visit: Visit, changes: SubscriptionHistory['planChanges']): Html {
  const { say } = visit;
  const states = {
    PENDING: badge('waiting', say('dashboard.subscriptions.withTheNextCycle')),
    APPLIED: badge('good', say('dashboard.subscriptions.applied')),
    REPLACED: badge('plain', say('dashboard.subscriptions.replacedByAnother')),
  };
  return table({
    caption: say('dashboard.subscriptions.changesOfPlan'),
    headings: [
      say('dashboard.subscriptions.requested'),
      say('dashboard.subscriptions.newPlan'),
      amountHeading(say('dashboard.amount')),
      say('dashboard.state2'),
    ],
    rows: changes.map(({ requestedAt, plan, amountCents, cycle, status }) => [
      time(visit, requestedAt),
      planText(plan),
      html`<span class="amount">${amount(amountCents)} ${perCycle(cycle, say)}</span>`,
      states[status],
    ]),
    empty: '',
  });
}

export function usageTable(visit: Visit, usage: SubscriptionHistory['usage']): Html {
  const { say, locale } = visit;
  return table({
    caption: say('dashboard.subscriptions.usage'),
    headings: [
      say('dashboard.subscriptions.recorded'),
      say('dashboard.product'),
      amountHeading(say('dashboard.subscriptions.units')),
      amountHeading(say('dashboard.amount')),
      say('dashboard.subscriptions.chargedInCycle'),
    ],
    rows: usage.map(({ record, productName }) => {
      const units = record.action === 'add' ? record.units : -record.units;
      return [
        time(visit, record.recordedAt),
        productName ?? record.productId,
        html`<span class="amount">${numberText(units, locale)}</span>`,
        amountCell(record.amountCents ?? units * record.unitPriceCents),
        String(record.cycleNumber),
      ];
    }),
    empty: '',
  });
}

import type { ProviderAccount } from '../../../database/entities/provider-account.ts';
import { addDays, saoPauloDateOf } from '../../../domain/civil-date.ts';
import { type StatementDay, statementDays } from '../../../notifications/statement-rows.ts';
import { type Html, html } from '../../frame/html.ts';
import { dayText } from '../../i18n/dates.ts';
import { badge, section } from '../frame/components.ts';
import { type LinkedRow, type Row, table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amountCell, amountHeading } from '../words.ts';

const SHOWN_DAYS = 14;

/** The last two weeks in the provider's own books, and its payouts of them; null if it has none. */
export async function booksSection(visit: Visit, { id }: ProviderAccount): Promise<Html | null> {
  const today = saoPauloDateOf(visit.now);
  const days = await statementDays(visit.em, {
    provider: id,
    from: addDays(today, 1 - SHOWN_DAYS),
    to: today,
  });
  if (days.length === 0) return null;
  const { say } = visit;
  return section(
    say('dashboard.accounts.books'),
    html`<p class="soft">${say('dashboard.accounts.booksMean')}</p>
${dayTable(visit, days)}
${differenceTable(visit, days)}
${payoutTable(visit, days)}`,
  );
}

function dayTable(visit: Visit, days: readonly StatementDay[]): Html {
  const { say } = visit;
  return table({
    caption: say('dashboard.accounts.books'),
    headings: [
      say('dashboard.accounts.day'),
      amountHeading(say('dashboard.accounts.paid')),
      amountHeading(say('dashboard.accounts.fees')),
      amountHeading(say('dashboard.accounts.refundsAndDisputes')),
      amountHeading(say('dashboard.accounts.net')),
      amountHeading(say('dashboard.accounts.paidOut')),
      say('dashboard.accounts.comparison'),
    ],
    rows: days.map(({ day, totals, differences, isComplete }): Row => {
      const otherCents = totals.refundCents + totals.disputeCents + totals.adjustmentCents;
      return [
        dayText(visit.locale, day),
        amountCell(totals.grossCents),
        amountCell(-totals.feeCents),
        amountCell(otherCents),
        amountCell(totals.netCents),
        amountCell(totals.payoutCents),
        comparison(visit, differences.length, isComplete),
      ];
    }),
    empty: '',
  });
}

function comparison({ say }: Visit, differences: number, isComplete: boolean): Html {
  if (differences > 0) return badge('bad', say('dashboard.accounts.differ', { count: differences }));
  return isComplete
    ? badge('good', say('dashboard.accounts.matches'))
    : badge('waiting', say('dashboard.accounts.notAllRead'));
}

/** What a person has to look at, each with the payment it is about. */
function differenceTable(visit: Visit, days: readonly StatementDay[]): Html | null {
  const { say } = visit;
  const rows = days.flatMap(({ day, differences }) =>
    differences.map(
      ({ problem, providerPaymentId, providerCents, hereCents }): LinkedRow => ({
        href: visit.link(`/search?q=${encodeURIComponent(providerPaymentId)}`),
        cells: [
          html`<code>${providerPaymentId}</code>`,
          dayText(visit.locale, day),
          problemName(say, problem),
          amountCell(providerCents),
          amountCell(hereCents),
        ],
      }),
    ),
  );
  if (rows.length === 0) return null;
  return table({
    caption: say('dashboard.accounts.differences'),
    headings: [
      say('dashboard.accounts.payment'),
      say('dashboard.accounts.day'),
      say('dashboard.accounts.difference'),
      amountHeading(say('dashboard.accounts.inTheBooks')),
      amountHeading(say('dashboard.accounts.here')),
    ],
    rows,
    empty: '',
  });
}

function problemName(say: Visit['say'], problem: StatementDay['differences'][number]['problem']): string {
  switch (problem) {
    case 'MISSING_HERE':
      return say('dashboard.accounts.problem.missingHere');
    case 'OTHER_AMOUNT':
      return say('dashboard.accounts.problem.otherAmount');
    case 'OTHER_REFUNDS':
      return say('dashboard.accounts.problem.otherRefunds');
    case 'OTHER_FEE':
      return say('dashboard.accounts.problem.otherFee');
  }
}

/** Payouts that the provider makes by its own schedule. */
function payoutTable(visit: Visit, days: readonly StatementDay[]): Html | null {
  const { say, locale } = visit;
  const payouts = days.flatMap((day) => day.payouts);
  if (payouts.length === 0) return null;
  const badges = {
    PAID: badge('good', say('dashboard.accounts.payout.paid')),
    UNDER_WAY: badge('waiting', say('dashboard.accounts.payout.underWay')),
    FAILED: badge('bad', say('dashboard.accounts.payout.failed')),
  };
  return table({
    caption: say('dashboard.accounts.payouts'),
    headings: [
      say('dashboard.accounts.payoutToTheBank'),
      say('dashboard.accounts.arrives'),
      amountHeading(say('dashboard.accounts.amount')),
      say('dashboard.accounts.state'),
    ],
    rows: payouts.map(
      ({ id, arrivesOn, amountCents, status }): Row => [
        html`<code>${id}</code>`,
        dayText(locale, arrivesOn),
        amountCell(amountCents),
        badges[status],
      ],
    ),
    empty: '',
  });
}

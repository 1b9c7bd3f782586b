import type { ShownMandate } from '../../../api/mandates/schema.ts';
import { type Html, html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { dayText } from '../../i18n/dates.ts';
import { badge, time } from '../frame/components.ts';
import { table } from '../frame/table.ts';
import type { Visit } from '../frame/visit.ts';
import { amountCell, amountHeading } from '../words.ts';

type Tone = 'good' | 'bad' | 'waiting' | 'plain';
type Words<Status extends string> = Readonly<Record<Status, readonly [Tone, MessageKey]>>;

const MANDATES: Words<ShownMandate['status']> = {
  PENDING: ['waiting', 'dashboard.mandates.pending'],
  ACTIVE: ['good', 'dashboard.mandates.active'],
  REJECTED: ['plain', 'dashboard.mandates.rejected'],
  EXPIRED: ['plain', 'dashboard.mandates.expired'],
  CANCELLED: ['plain', 'dashboard.mandates.cancelled'],
  UNKNOWN: ['waiting', 'dashboard.mandates.unknown'],
};

const DEBITS: Words<ShownMandate['debits'][number]['status']> = {
  PLANNED: ['waiting', 'dashboard.debits.planned'],
  ORDERED: ['waiting', 'dashboard.debits.ordered'],
  BEGUN: ['waiting', 'dashboard.debits.begun'],
  DROPPING: ['waiting', 'dashboard.debits.dropping'],
  PAID: ['good', 'dashboard.debits.paid'],
  FAILED: ['bad', 'dashboard.debits.failed'],
  REFUSED: ['bad', 'dashboard.debits.refused'],
  DROPPED: ['plain', 'dashboard.debits.dropped'],
};

/** The authorizations of a subscription, newest first: since when, how they stand, and what they allow. */
export function mandatesTable(visit: Visit, mandates: readonly ShownMandate[]): Html {
  const { say } = visit;
  return table({
    caption: say('dashboard.mandates'),
    headings: [
      say('dashboard.mandates.asked'),
      say('dashboard.state2'),
      amountHeading(say('dashboard.amount')),
      say('dashboard.mandates.page'),
    ],
    rows: mandates.map((mandate) => [
      time(visit, mandate.createdAt),
      badge(MANDATES[mandate.status][0], say(MANDATES[mandate.status][1])),
      mandate.amount === null
        ? html`<span class="amount">${say('dashboard.mandates.variable')}</span>`
        : amountCell(mandate.amount),
      mandate.url === null ? '' : html`<a href="${mandate.url}">${say('dashboard.mandates.openPage')}</a>`,
    ]),
    empty: '',
  });
}

/** Their debits: when the amount was fixed, when it is due, and how it went. */
export function debitsTable(visit: Visit, debits: ShownMandate['debits']): Html {
  const { say } = visit;
  return table({
    caption: say('dashboard.debits'),
    headings: [
      say('dashboard.cycle'),
      say('dashboard.debits.orderedOn'),
      say('dashboard.debits.dueOn'),
      amountHeading(say('dashboard.amount')),
      say('dashboard.state2'),
    ],
    rows: debits.map((debit) => [
      String(debit.cycleNumber),
      time(visit, debit.createdAt),
      dayText(visit.locale, debit.dueDate),
      amountCell(debit.amount),
      html`${badge(DEBITS[debit.status][0], say(DEBITS[debit.status][1]))}${debit.failure !== null && html` ${debit.failure}`}`,
    ]),
    empty: '',
  });
}

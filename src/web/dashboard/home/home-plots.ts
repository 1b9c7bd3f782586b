import { PAYMENT_METHODS, type PaymentMethod } from '../../../domain/charge.ts';
import { monthStart, weekday } from '../../../domain/civil-date.ts';
import type { DayOfPayments } from '../../../ledger/daily-payments.ts';
import { type MonthOfMrr, MRR_CHANGES, type MrrChange } from '../../../subscriptions/mrr-history.ts';
import type { Html } from '../../frame/html.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import { shortDay, shortMonth } from '../../i18n/dates.ts';
import type { Visit } from '../frame/visit.ts';
import { renderBarPlot } from '../plots/bar-plot.ts';
import { amount, methodName, shortAmount } from '../words.ts';

const MONDAY = 1;
const COLOURS = { PIX: 1, CARD: 2, BOLETO: 3 } as const;

/** Payments per day, by method; per month if there are more days than bars fit. */
export function paidPlot(visit: Visit, days: readonly DayOfPayments[]): Html {
  return days.length > MOST_BARS ? monthlyPlot(visit, days) : dailyPlot(visit, days);
}

const MOST_BARS = 62;

function dailyPlot({ say, locale }: Visit, days: readonly DayOfPayments[]): Html {
  const isShort = days.length <= 8;
  return renderBarPlot({
    ...common({ say, locale }),
    title: say('dashboard.home.paidPerDay'),
    ofBars: say('dashboard.home.day'),
    bars: days.map(({ day }) => {
      const name = shortDay(locale, day);
      return { name, tick: isShort || weekday(day) === MONDAY ? name : null };
    }),
    series: seriesOf(
      { say },
      days.map(({ cents }) => cents),
    ),
  });
}

function monthlyPlot({ say, locale }: Visit, days: readonly DayOfPayments[]): Html {
  const months = [...Map.groupBy(days, ({ day }) => monthStart(day))];
  const sums = months.map(([, those]) => {
    const centsOf = (method: PaymentMethod) => those.reduce((sum, { cents }) => sum + cents[method], 0);
    return { PIX: centsOf('PIX'), CARD: centsOf('CARD'), BOLETO: centsOf('BOLETO') };
  });
  return renderBarPlot({
    ...common({ say, locale }),
    title: say('dashboard.home.paidPerMonth'),
    ofBars: say('dashboard.home.month'),
    bars: months.map(([month], index) => {
      const name = shortMonth(locale, month);
      return { name, tick: index % 2 === 1 ? name : null };
    }),
    series: seriesOf({ say }, sums),
  });
}

function common({ say, locale }: Pick<Visit, 'say' | 'locale'>) {
  return {
    id: 'paid',
    format: amount,
    formatTick: (cents: number) => shortAmount(cents, locale),
    words: plotWords({ say }, say('dashboard.home.total'), say('dashboard.home.nothingPaid')),
  };
}

function plotWords({ say }: Pick<Visit, 'say'>, total: string, empty: string) {
  const table = say('dashboard.home.showAsATable');
  const choose = say('dashboard.home.chooseABarWithThe');
  return { table, choose, total, empty };
}

function seriesOf({ say }: Pick<Visit, 'say'>, bars: readonly DayOfPayments['cents'][]) {
  return PAYMENT_METHODS.map((method) => ({
    name: methodName(method, say),
    colour: COLOURS[method],
    values: bars.map((cents) => cents[method]),
  }));
}

const CHANGE_NAMES: Readonly<Record<MrrChange, MessageKey>> = {
  NEW: 'dashboard.home.changeNames.new',
  EXPANSION: 'dashboard.home.changeNames.expansion',
  CONTRACTION: 'dashboard.home.changeNames.contraction',
  CHURN: 'dashboard.home.changeNames.churn',
};
const CHANGE_COLOURS = { NEW: 1, EXPANSION: 3, CONTRACTION: 2, CHURN: 4 } as const;

/** The monthly change of recurring revenue, by reason. */
export function mrrPlot({ say, locale }: Visit, months: readonly MonthOfMrr[]): Html {
  const isLoss = (change: MrrChange) => change === 'CONTRACTION' || change === 'CHURN';
  return renderBarPlot({
    id: 'mrr',
    title: say('dashboard.home.changeOfRecurringRevenue'),
    ofBars: say('dashboard.home.month'),
    bars: months.map(({ month, mrrCents }, index) => {
      const name = shortMonth(locale, month);
      return { name: `${name} (${amount(mrrCents)})`, tick: index % 2 === 1 ? name : null };
    }),
    series: MRR_CHANGES.map((change) => ({
      name: say(CHANGE_NAMES[change]),
      colour: CHANGE_COLOURS[change],
      values: months.map(({ changeCents }) => (isLoss(change) ? -changeCents[change] : changeCents[change])),
    })),
    format: amount,
    formatTick: (cents) => shortAmount(cents, locale),
    words: plotWords({ say }, say('dashboard.home.net'), say('dashboard.home.recurringRevenueDidNotChange')),
  });
}

import { PAYMENT_METHODS } from '../../../domain/charge.ts';
import { weekday } from '../../../domain/civil-date.ts';
import type { Html } from '../../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { renderBarPlot } from '../plots/bar-plot.ts';
import { amount, methodName, shortAmount, shortDay, shortMonth } from '../words.ts';
import type { DayOfPayments } from './daily-payments.ts';
import { type MonthOfMrr, MRR_CHANGES, type MrrChange } from './mrr-history.ts';

const MONDAY = 1;
const COLOURS = { PIX: 1, CARD: 2, BOLETO: 3 } as const;

/** Payments per day, by method. */
export function dailyPlot({ say, locale }: Visit, days: readonly DayOfPayments[]): Html {
  return renderBarPlot({
    id: 'daily',
    title: say('Recebido por dia', 'Paid per day'),
    ofBars: say('Dia', 'Day'),
    bars: days.map(({ day }) => {
      const name = shortDay(day, locale);
      return { name, tick: weekday(day) === MONDAY ? name : null };
    }),
    series: PAYMENT_METHODS.map((method) => ({
      name: methodName(method, say),
      colour: COLOURS[method],
      values: days.map(({ cents }) => cents[method]),
    })),
    format: amount,
    formatTick: (cents) => shortAmount(cents, locale),
    words: { table: say('Ver como tabela', 'Show as a table'), total: say('Total', 'Total') },
  });
}

const CHANGE_NAMES: Readonly<Record<MrrChange, readonly [string, string]>> = {
  NEW: ['Novas', 'New'],
  EXPANSION: ['Expansão', 'Expansion'],
  CONTRACTION: ['Redução', 'Contraction'],
  CHURN: ['Cancelamentos', 'Churn'],
};
const CHANGE_COLOURS = { NEW: 1, EXPANSION: 3, CONTRACTION: 2, CHURN: 4 } as const;

/** The monthly change of recurring revenue, by reason. */
export function mrrPlot({ say, locale }: Visit, months: readonly MonthOfMrr[]): Html {
  const isLoss = (change: MrrChange) => change === 'CONTRACTION' || change === 'CHURN';
  return renderBarPlot({
    id: 'mrr',
    title: say('Variação da receita recorrente', 'Change of recurring revenue'),
    ofBars: say('Mês', 'Month'),
    bars: months.map(({ month, mrrCents }, index) => {
      const name = shortMonth(month, locale);
      return { name: `${name} (${amount(mrrCents)})`, tick: index % 2 === 1 ? name : null };
    }),
    series: MRR_CHANGES.map((change) => ({
      name: say(...CHANGE_NAMES[change]),
      colour: CHANGE_COLOURS[change],
      values: months.map(({ changeCents }) => (isLoss(change) ? -changeCents[change] : changeCents[change])),
    })),
    format: amount,
    formatTick: (cents) => shortAmount(cents, locale),
    words: { table: say('Ver como tabela', 'Show as a table'), total: say('Saldo', 'Net') },
  });
}

import { type CivilDate, daysBetween, lastOfMonth, monthStart } from '../../../src/domain/civil-date.ts';
import type { AskedMandate } from './asked.ts';

const MONTHS = { MENSAL: 1, TRIMESTRAL: 3, SEMESTRAL: 6, ANUAL: 12 } as const;

/** The number of the cycle that a date belongs to, from 0 for the one that starts on `dataInicial`. */
export function cycleOf({ dataInicial, periodicidade }: AskedMandate['calendario'], date: string): number {
  const [first, day] = [dataInicial as CivilDate, date as CivilDate];
  if (periodicidade === 'SEMANAL') return Math.floor(daysBetween(first, day) / 7);
  const months = monthsOf(day) - monthsOf(first);
  // The cycle of the 31st starts on the last day of a shorter month.
  const anchor = Math.min(Number(first.slice(8)), Number(lastOfMonth(monthStart(day)).slice(8)));
  const whole = Number(day.slice(8)) < anchor ? months - 1 : months;
  return Math.floor(whole / MONTHS[periodicidade]);
}

const monthsOf = (date: CivilDate) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));

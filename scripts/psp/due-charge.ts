import { nextBusinessDay } from '../../src/domain/business-days.ts';
import { addDays, type CivilDate, civilDate, daysBetween } from '../../src/domain/civil-date.ts';
import { centsOfDecimal, roundHalfUpDivide } from '../../src/domain/money.ts';
import type { BankCharge, BankPayment } from './state.ts';

/** The default of Bacen's document for the days of late payment. */
const DEFAULT_DAYS_AFTER_DUE = 30;

/**
 * The amount due on a day, by Bacen's rule: if the due date is no business day, fine and interest count from the next
 * business day (document, `CobVValor`). Only interest mode 3 is supported: percent a month by calendar days.
 */
export function amountDue(
  { kind, asked }: BankCharge,
  today: CivilDate,
): Pick<BankPayment, 'amountCents' | 'originalCents' | 'fineCents' | 'interestCents'> {
  const originalCents = centsOfDecimal(asked.valor.original) ?? 0;
  const daysLate = kind === 'cobv' ? Math.max(0, daysBetween(dueDay(asked.calendario), today)) : 0;
  const { multa, juros } = asked.valor;
  const percent = (text: string | undefined) => BigInt(centsOfDecimal(text ?? '') ?? 0);
  const base = BigInt(originalCents);
  let fineCents = 0;
  let interestCents = 0;
  if (daysLate > 0) {
    fineCents =
      multa?.modalidade === 1
        ? Number(percent(multa.valorPerc))
        : roundHalfUpDivide(base * percent(multa?.valorPerc), 10_000n);
    if (juros?.modalidade === 3)
      interestCents = roundHalfUpDivide(base * percent(juros.valorPerc) * BigInt(daysLate), 300_000n);
  }
  return { amountCents: originalCents + fineCents + interestCents, originalCents, fineCents, interestCents };
}

/** Whether a payer's bank still accepts a payment: the last valid day also moves to a business day. */
export function isPayableOn({ asked: { calendario } }: BankCharge, today: CivilDate): boolean {
  const days = calendario.validadeAposVencimento ?? DEFAULT_DAYS_AFTER_DUE;
  return today <= nextBusinessDay(addDays(dueDay(calendario), days));
}

function dueDay({ dataDeVencimento = '' }: BankCharge['asked']['calendario']): CivilDate {
  return nextBusinessDay(civilDate(dataDeVencimento));
}

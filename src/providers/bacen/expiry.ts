import { nextBusinessDay } from '../../domain/business-days.ts';
import { addDays, civilDate, isCivilDate, saoPauloMidnight } from '../../domain/civil-date.ts';
import { LOCAL_HOLIDAYS_DAYS } from '../../domain/last-day-to-pay.ts';
import type { BankCharge } from './wire.ts';

/** `expiracao` is an int32. */
export const MAX_EXPIRY_SECONDS = 2 ** 31 - 1;
/** The default of a charge without `expiracao` (Bacen's document, `CobExpiracao`). */
const DEFAULT_EXPIRY_SECONDS = 86_400;
/** The default of a charge without `validadeAposVencimento` (Bacen's document, `CobDataDeVencimento`). */
const DEFAULT_DAYS_AFTER_DUE = 30;
/** Payers' banks refuse an expired code. Their clocks may differ a little, and a payment takes seconds. */
const EXPIRED_FOR_SURE_MS = 10 * 60_000;

/**
 * When payers' banks start to refuse the charge: `criacao` + `expiracao`. The charge stays ATIVA, as there is no
 * status for it. Null if the bank does not return `criacao`.
 * @param fresh set for a new charge: if the bank's clock is far off, its time is measured by that clock.
 */
export function expiryOf(
  { calendario }: Pick<BankCharge, 'calendario'>,
  fresh?: { readonly createdAbout: Date },
): Date | null {
  const { criacao, expiracao = DEFAULT_EXPIRY_SECONDS } = calendario ?? {};
  if (criacao === undefined) return null;
  const isFarOff =
    fresh !== undefined && Math.abs(criacao.getTime() - fresh.createdAbout.getTime()) > EXPIRED_FOR_SURE_MS;
  return new Date((isFarOff ? fresh.createdAbout : criacao).getTime() + expiracao * 1_000);
}

/** The `expiracao` that keeps the charge payable until then. */
export function secondsToLastUntil({ calendario }: Pick<BankCharge, 'calendario'>, until: Date): number {
  const createdMs = (calendario?.criacao ?? until).getTime();
  return Math.min(MAX_EXPIRY_SECONDS, Math.max(1, Math.ceil((until.getTime() - createdMs) / 1_000)));
}

/** Whether every payer's bank refuses the charge by now, despite clock differences. */
export function isExpiredForSure(charge: Pick<BankCharge, 'calendario'>, nowMs: number): boolean {
  const { expiracao, dataDeVencimento } = charge.calendario ?? {};
  if (dataDeVencimento !== undefined) return isPastDueForSure(charge, nowMs);
  if (expiracao === undefined) return false;
  const expiresAt = expiryOf(charge);
  return expiresAt !== null && expiresAt.getTime() + EXPIRED_FOR_SURE_MS < nowMs;
}

/** Whether the last day of a charge with a due date is over, wherever its payer lives. */
function isPastDueForSure({ calendario }: Pick<BankCharge, 'calendario'>, nowMs: number): boolean {
  const { dataDeVencimento = '', validadeAposVencimento = DEFAULT_DAYS_AFTER_DUE } = calendario ?? {};
  if (!isCivilDate(dataDeVencimento)) return false;
  const due = nextBusinessDay(civilDate(dataDeVencimento));
  const lastDay = nextBusinessDay(addDays(due, validadeAposVencimento));
  return saoPauloMidnight(addDays(lastDay, LOCAL_HOLIDAYS_DAYS + 1)).getTime() <= nowMs;
}

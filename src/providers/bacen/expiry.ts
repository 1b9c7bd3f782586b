import type { BankCharge } from './wire.ts';

/** `expiracao` is an int32. */
export const MAX_EXPIRY_SECONDS = 2 ** 31 - 1;
/** What a charge has that names no `expiracao` (Bacen's document, `CobExpiracao`). */
const DEFAULT_EXPIRY_SECONDS = 86_400;
/** Payers' banks refuse a code that has expired. Their clocks may be a little apart, and a payment takes seconds. */
const EXPIRED_FOR_SURE_MS = 10 * 60_000;

/**
 * When payers' banks begin to refuse the charge: `criacao` + `expiracao`. The charge stays ATIVA, as there is no status
 * for it. Null if the bank does not say when it made the charge.
 * @param fresh set for a charge that was made just now: a bank whose clock is far off measures its time by that clock.
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

/** The `expiracao` that has a charge last until then. */
export function secondsToLastUntil({ calendario }: Pick<BankCharge, 'calendario'>, until: Date): number {
  const createdMs = (calendario?.criacao ?? until).getTime();
  return Math.min(MAX_EXPIRY_SECONDS, Math.max(1, Math.ceil((until.getTime() - createdMs) / 1_000)));
}

/** Whether no payer's bank takes the charge any more, whatever its clock says. */
export function isExpiredForSure(charge: Pick<BankCharge, 'calendario'>, nowMs: number): boolean {
  if (charge.calendario?.expiracao === undefined) return false;
  const expiresAt = expiryOf(charge);
  return expiresAt !== null && expiresAt.getTime() + EXPIRED_FOR_SURE_MS < nowMs;
}

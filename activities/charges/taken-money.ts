import type { Charge } from '../../src/database/entities/charge.ts';
import type { TakenMoney } from '../../src/domain/ledger.ts';

/** A paid charge as far as the ledger is concerned. */
export function takenMoneyOf(charge: Charge): TakenMoney {
  return {
    paidCents: charge.paidAmountCents ?? 0,
    feeCents: charge.platformFeeCents,
    isSettled: charge.settledAt !== null,
  };
}

/**
 * When what was set aside becomes available, should it be the store's again at `now`: its day may have come meanwhile, and the
 * settlement of that day has passed it over.
 */
export function settledAtAfter({ settledAt, settlesAt }: Charge, now: Date): Date | null {
  if (settledAt !== null) return settledAt;
  return settlesAt !== null && settlesAt <= now ? now : null;
}

import { noteAttention } from '../database/attention.ts';
import type { Charge } from '../database/entities/charge.ts';
import { LOOKED_UP_FOR_MS } from '../domain/reconciliation.ts';
import type { ChargeDeps } from './effects.ts';
import { unfoundSubject, wasNotedUnfound } from './unfound-payments.ts';

/** A payment that a provider notified or listed. */
export interface NamedPayment {
  readonly providerPaymentId: string;
  /** Since when its provider does not know it, in milliseconds since 1970; absent on the first look-up. */
  readonly unknownSinceMs?: number;
}

/**
 * A provider named a payment of a charge, but its look-up does not find it. The run looks it up again for {@link
 * LOOKED_UP_FOR_MS}. Then Recebe asks a person, once per payment. The note is also the row from which the
 * reconciliation continues the look-ups, so nothing depends on a run. A payment with a note costs the run one
 * look-up each time that it is named.
 */
export async function lookUpAgainOrAskAPerson(
  deps: ChargeDeps,
  charge: Charge,
  { providerPaymentId, unknownSinceMs }: NamedPayment,
  now: Date,
): Promise<void> {
  const since = new Date(unknownSinceMs ?? now);
  const subjectId = unfoundSubject(charge, providerPaymentId);
  if (await wasNotedUnfound(deps.database, subjectId)) return;
  if (now.getTime() - since.getTime() < LOOKED_UP_FOR_MS) {
    deps.lookUpAgain?.();
    return;
  }
  const { storeId, devMode } = charge;
  const noted = {
    kind: 'PAYMENT_NOT_FOUND',
    subjectId,
    storeId,
    devMode,
    since,
    now,
  } as const;
  await noteAttention(deps.database, noted, deps.log);
}

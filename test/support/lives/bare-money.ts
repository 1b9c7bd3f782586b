import { expect } from '@jest/globals';
import type { ActivityDeps } from '../../../activities/deps.ts';
import type { Activities } from '../../../activities/index.ts';
import { type Charge, ChargeEntity } from '../../../src/database/entities/charge.ts';
import type { ChargeStatus } from '../../../src/domain/charge.ts';
import type { ProviderPayment } from '../../../src/providers/provider.ts';
import type { BareWorld } from './bare-world.ts';
import { plainStatus } from './plain-status.ts';

// Money in a world without Temporal, where activities are called by hand.

const HOLDS_MONEY: readonly ChargeStatus[] = ['PAID', 'UNDER_DISPUTE'];

export const holdsMoney = ({ status }: Charge) => HOLDS_MONEY.includes(status);

/** What activities tell, told to nobody; only charges are cancelled. @param worker a new one each time. */
export function toldToNobody(worker: () => Activities): Partial<ActivityDeps> {
  return {
    startDelivery: async () => {},
    startSettlement: async () => {},
    startAttempt: async () => {},
    tellCheckout: async () => {},
    tellSubscription: async () => {},
    cancelCharge: ({ id }) => plainStatus(worker().cancelCharge({ chargeId: id, nowMs: Date.now() })),
  };
}

/** The service hears of a payment, if there is one. */
export async function takeIn(
  { database }: Pick<BareWorld, 'database'>,
  worker: Activities,
  payment: ProviderPayment | null,
): Promise<void> {
  if (payment === null) return;
  const { reference, providerPaymentId } = payment;
  const { id } = await database.em.fork().findOneOrFail(ChargeEntity, { providerReference: reference });
  await worker.recordPayment({ chargeId: id, providerPaymentId, nowMs: Date.now() });
}

/** Expects that the provider has of each charge what its row says. @returns that, in cents. */
export function expectKeptAsWritten(
  { provider }: Pick<BareWorld, 'provider'>,
  charges: readonly Charge[],
): number[] {
  const kept = charges.map(({ providerReference }) => provider.keptCents(providerReference));
  const written = charges.map((charge) =>
    holdsMoney(charge) ? (charge.paidAmountCents ?? 0) - charge.refundedCents : 0,
  );
  expect(kept).toEqual(written);
  return kept;
}

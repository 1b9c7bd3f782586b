import { LockMode } from '@mikro-orm/core';
import { ApplicationFailure } from '@temporalio/common';
import { type Charge, ChargeEntity } from '../database/entities/charge.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { ChargeStatus, FailureReason } from '../domain/charge.ts';
import { isDebit } from '../domain/charge.ts';
import type { ChargeId } from '../domain/ids.ts';
import { debiting } from '../providers/debited-charges.ts';
import type { PaymentProvider } from '../providers/provider.ts';
import { issuerOrRetry } from '../providers/serving-provider.ts';
import type { ChargeDeps } from './effects.ts';
import { findChargeById } from './find-charge.ts';

const READ_STATUS = statement<{ chargeId: ChargeId }, { status: ChargeStatus }>(
  'read the status of a charge',
  () => 'select status from charges where id = :chargeId',
);

/** A charge with the provider that issued it, and its own unit of work. */
export interface Loaded {
  readonly em: Em;
  readonly charge: Charge;
  readonly provider: PaymentProvider;
}

/**
 * @param now the store's time.
 * @throws a non-retryable failure if there is no such charge.
 */
export async function loadCharge(deps: ChargeDeps, chargeId: ChargeId, now = new Date()): Promise<Loaded> {
  const em = deps.database.em.fork();
  const charge = await findChargeById(em, chargeId);
  if (charge === null) throw noCharge(chargeId);
  const provider = await issuerOrRetry(deps, charge);
  return { em, charge, provider: isDebit(charge) ? debiting(provider, now) : provider };
}

/** Loads and locks the charge until the transaction ends: no refund, dispute or settlement can change it meanwhile. */
export async function lockCharge(em: Em, id: ChargeId): Promise<Charge> {
  const held = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
  const charge = await em.findOne(ChargeEntity, { id }, held);
  if (charge === null) throw noCharge(id);
  return charge;
}

/** The status in Postgres at this moment. */
export async function statusOf(em: Em, chargeId: ChargeId): Promise<ChargeStatus> {
  const [row] = await READ_STATUS(em, { chargeId });
  if (row === undefined) throw noCharge(chargeId);
  return row.status;
}

/** Why a charge FAILED, as Postgres holds it at this moment. */
export async function failureReasonOf(em: Em, id: ChargeId): Promise<FailureReason | null> {
  const failed = await em.findOneOrFail(ChargeEntity, { id }, { disableIdentityMap: true });
  return failed.failureReason;
}

/** A retry would not find it either. */
function noCharge(chargeId: ChargeId): ApplicationFailure {
  return ApplicationFailure.nonRetryable(`No charge ${chargeId}`, 'CHARGE_NOT_FOUND');
}

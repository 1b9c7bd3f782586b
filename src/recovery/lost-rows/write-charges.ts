import { resolveAttention } from '../../database/attention.ts';
import { type Charge, ChargeEntity, NEW_CHARGE } from '../../database/entities/charge.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Em } from '../../database/orm.ts';
import { type ChargeId, ID_PREFIX } from '../../domain/ids.ts';
import { type PlatformFees, platformFeeCentsOf } from '../../domain/platform-fee.ts';
import { RECOVERED_CONTENT } from '../../domain/recovered.ts';
import { ownPartOf } from '../../ids.ts';
import type { RecalledCharge } from '../../providers/ports/listing.ts';
import type { Account } from './lost-charges.ts';
import { deadlinesOf } from './recalled-charge.ts';
import { dropOrder } from './recovered-charges.ts';

/**
 * Inserts the rows of charges that a restore lost, PENDING as when they were created. Their workflows start as usual and record
 * payments that the bank received. Safe to run twice.
 * @returns how many rows were inserted.
 */
export async function writeCharges(
  em: Em,
  { storeId, provider: { name: provider } }: Account,
  charges: readonly RecalledCharge[],
  { platformFees, now }: { readonly platformFees: PlatformFees; readonly now: Date },
): Promise<number> {
  let stored = 0;
  for (const recalled of charges) {
    const row = { ...rowOf(recalled, platformFees, now), storeId, provider };
    const isNew = await em.transactional(async (tx) => {
      await dropOrder(tx, { chargeId: row.id });
      for (const paymentId of recalled.providerPaymentIds)
        await resolveAttention(tx, { kind: 'UNKNOWN_PAYMENT', subjectId: `${provider}/${paymentId}`, now });
      return insertNew(tx, ChargeEntity, row);
    });
    if (isNew) stored += 1;
  }
  return stored;
}

function rowOf(
  recalled: RecalledCharge,
  platformFees: PlatformFees,
  now: Date,
): Omit<Charge, 'storeId' | 'provider'> {
  const { reference, amountCents, description, createdAt, terms, payer, brCode } = recalled;
  return {
    ...NEW_CHARGE,
    id: `${ID_PREFIX.pixCharge}${ownPartOf(reference)}` as ChargeId,
    devMode: false,
    method: 'PIX',
    amountCents,
    platformFeeCents: platformFeeCentsOf(platformFees, 'PIX', amountCents),
    description,
    contentHash: RECOVERED_CONTENT,
    payerName: payer.name,
    payerTaxId: payer.taxId,
    providerReference: reference,
    brCode,
    ...('dueDate' in terms && terms),
    ...deadlinesOf(recalled),
    createdAt,
    updatedAt: now,
  };
}

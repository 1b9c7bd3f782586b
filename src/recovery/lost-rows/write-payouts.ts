import { resolveAttention } from '../../database/attention.ts';
import { NEW_PAYOUT, type Payout, PayoutEntity } from '../../database/entities/payout.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Em } from '../../database/orm.ts';
import { payoutReservedAmounts, sentMoneyOf } from '../../domain/ledger.ts';
import { payeeKeyOf } from '../../domain/payee.ts';
import type { PixDestination } from '../../domain/payout.ts';
import { PIX_KEY_TYPES, parsePixKey } from '../../domain/pix-key.ts';
import { RECOVERED_CONTENT } from '../../domain/recovered.ts';
import { noteMoneyOrder } from '../../ledger/note-money-order.ts';
import { writeMovement } from '../../ledger/write-movement.ts';
import { payeeHashOf } from '../../payouts/payee-hash.ts';
import { mayBeSameKey } from '../../providers/same-key.ts';
import type { Account } from './lost-charges.ts';
import type { LostPayout } from './lost-payouts.ts';

/**
 * Inserts the rows of payouts and transfers that a restore lost, PENDING as when they were created, and debits them. Their money
 * has left, even if the restored balance does not cover it. Their workflows start as usual, read the result from the bank, and
 * order nothing. Safe to run twice.
 * @returns how many rows were inserted.
 */
export async function writePayouts(
  em: Em,
  account: Account,
  lost: readonly LostPayout[],
  now: Date,
): Promise<number> {
  let stored = 0;
  for (const transfer of lost) {
    const row = rowOf(em, account, transfer, now);
    const isNew = await em.transactional(async (tx) => {
      if (!(await insertNew(tx, PayoutEntity, row))) return false;
      await noteMoneyOrder(tx, { subjectId: row.id, now: transfer.orderedAt });
      const subjectId = `${row.provider}/${transfer.endToEndIdentifier}`;
      await resolveAttention(tx, { kind: 'UNKNOWN_TRANSFER', subjectId, now });
      const amounts = payoutReservedAmounts(sentMoneyOf(row));
      await writeMovement(tx, row, { kind: 'PAYOUT_RESERVED', subjectId: row.id, amounts, createdAt: now });
      return true;
    });
    if (isNew) stored += 1;
  }
  return stored;
}

/**
 * A repeated request of the client has the same id and fills in what the bank does not know; until then `externalId` is the id.
 * The key tells whether it was a payout or a transfer.
 */
function rowOf(em: Em, { storeId, provider, payoutKey }: Account, transfer: LostPayout, now: Date): Payout {
  const { reference: id, amountCents, payeeKey, payeeTxid = null, orderedAt } = transfer;
  const isToOwnAccount = payeeKey === null || isSurely(payeeKey, payoutKey);
  const destination = isToOwnAccount ? null : destinationOf(payeeKey);
  const paidKey = destination === null ? null : payeeKeyOf(destination);
  return {
    ...NEW_PAYOUT,
    id,
    kind: destination === null ? 'PAYOUT' : 'TRANSFER',
    storeId,
    devMode: false,
    provider: provider.name,
    amountCents,
    externalId: id,
    contentHash: RECOVERED_CONTENT,
    pixKeyType: destination?.type ?? null,
    pixKey: destination?.key ?? null,
    payeeKey: paidKey,
    payeeHash: payeeHashOf(em, { storeId, devMode: false }, paidKey),
    payeeTxid: destination === null ? null : payeeTxid,
    createdAt: orderedAt,
    updatedAt: now,
  };
}

/** A masked key matches several people. */
function isSurely(shown: string, key: string | null): boolean {
  return key !== null && !shown.includes('*') && mayBeSameKey(shown, key);
}

const CPF_LENGTH = 11;

/** A key in its stored format. Banks mask tax ids only. */
function destinationOf(shown: string): PixDestination {
  for (const type of PIX_KEY_TYPES) {
    const key = type === 'BR_CODE' ? null : parsePixKey(type, shown);
    if (key !== null) return { type, key };
  }
  const key = shown.replace(/[^\dA-Za-z*]/g, '');
  return { type: key.length === CPF_LENGTH ? 'CPF' : 'CNPJ', key };
}

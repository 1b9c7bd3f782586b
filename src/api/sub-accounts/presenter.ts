import type { SubAccount } from '../../database/entities/sub-account.ts';
import type { SubAccountEntry } from '../../database/entities/sub-account-entry.ts';
import { formatTaxId } from '../../domain/tax-id.ts';
import type { ShownEntry, ShownSubAccount } from './schema.ts';

/** A sub-account as the API returns it. */
export function presentSubAccount(account: SubAccount): ShownSubAccount {
  return {
    id: account.id,
    devMode: account.devMode,
    name: account.name,
    taxId: formatTaxId(account.taxId),
    externalId: account.externalId,
    balance: account.balanceCents,
    metadata: account.metadata,
    createdAt: account.createdAt.toISOString(),
    updatedAt: account.updatedAt.toISOString(),
  };
}

/** A change of a sub-account's balance as the API returns it. */
export function presentEntry(entry: SubAccountEntry): ShownEntry {
  return {
    id: entry.id,
    devMode: entry.devMode,
    subAccountId: entry.subAccountId,
    kind: entry.kind,
    amount: entry.amountCents,
    balanceAfter: entry.balanceAfterCents,
    paymentId: entry.chargeId,
    transferId: entry.payoutId,
    createdAt: entry.createdAt.toISOString(),
  };
}

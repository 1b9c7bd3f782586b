import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { LedgerOwner } from '../ledger/ledger.ts';

const HELD = statement<LedgerOwner, { cents: number }>(
  'what a store holds for its sub-accounts',
  () => `
  select sub_accounts_cents as cents from ledger_balances where store_id = :storeId and dev_mode = :devMode`,
);

/** What all sub-accounts of a store have, in cents. */
export async function heldForSubAccountsCents(em: Em, { storeId, devMode }: LedgerOwner): Promise<number> {
  const [held] = await HELD(em, { storeId, devMode });
  return held?.cents ?? 0;
}

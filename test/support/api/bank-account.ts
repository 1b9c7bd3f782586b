import type { Psp } from '../../../scripts/psp/start-psp.ts';
import { addAccount } from '../../../src/accounts/accounts.ts';
import type { ProviderAccount } from '../../../src/database/entities/provider-account.ts';
import type { ProviderUse } from '../../../src/domain/provider-use.ts';
import { PROVIDER_KINDS } from '../../../src/providers/kinds.ts';
import { reconciliationScheduleId } from '../../../workflows/reconciliation.contract.ts';
import { eventually } from '../waiting/eventually.ts';
import type { TestApp } from './app.ts';
import type { MoneyApp } from './money-app.ts';

/**
 * Opens an account of a store at a bank in a box, as the command line does.
 * @param options.uses what it is for; null for everything that the bank can do.
 */
export async function openBankAccount(
  { database, parts }: Pick<TestApp, 'database' | 'parts'>,
  { account: at }: Pick<Psp, 'account'>,
  storeId: string,
  {
    uses = null,
    now = new Date(),
  }: { readonly uses?: readonly ProviderUse[] | null; readonly now?: Date } = {},
): Promise<ProviderAccount> {
  const { profile, settings, secrets } = at;
  const keeping = { em: database.em.fork(), keys: parts.secretsKeys, kinds: PROVIDER_KINDS };
  const given = { storeId, kind: 'bacen', profile, uses, settings, secrets };
  return (await addAccount(keeping, given, now)).account;
}

/** From then on rounds of listing run when a test says so. */
export async function pauseReconciliation({
  temporal,
  taskQueue,
}: Pick<MoneyApp, 'temporal' | 'taskQueue'>): Promise<void> {
  await eventually(() => temporal.schedule.getHandle(reconciliationScheduleId(taskQueue)).pause());
}

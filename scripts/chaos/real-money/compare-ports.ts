import { compareDay } from '../../../src/accounts/compare-day.ts';
import { openAccount } from '../../../src/accounts/open-account.ts';
import type { ProviderAccount } from '../../../src/database/entities/provider-account.ts';
import type { Database } from '../../../src/database/orm.ts';
import { addDays, daysBetween, saoPauloDateOf } from '../../../src/domain/civil-date.ts';
import { readStatementDay } from '../../../src/notifications/statement-day.ts';
import { PROVIDER_KINDS } from '../../../src/providers/kinds.ts';
import { hasPort } from '../../../src/providers/provider.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';

/**
 * Differences that `reconcile` reports for each day of the run: the provider's list and its statement, compared with the
 * ledger.
 */
export async function comparePorts(
  database: Database,
  account: ProviderAccount,
  secretsKey: string,
): Promise<string[]> {
  const provider = openAccount(account, { keys: new SecretsKeys([secretsKey]), kinds: PROVIDER_KINDS });
  const [today, first] = [saoPauloDateOf(new Date()), saoPauloDateOf(account.createdAt)];
  const differences: string[] = [];
  for (let day = first; daysBetween(day, today) >= 0; day = addDays(day, 1)) {
    const em = database.em.fork();
    if (hasPort(provider, 'listing')) {
      const compared = await compareDay(em, account, provider, day, new Date());
      for (const each of [...compared.differences, ...(compared.sent?.differences ?? [])])
        differences.push(`the provider's list of ${day}: ${JSON.stringify(each)}`);
    }
    if (hasPort(provider, 'statement')) {
      const read = await readStatementDay(em, account, provider.statement, day, new Date());
      if (!read.isComplete || read.foreignPayments > 0)
        differences.push(`the statement of ${day} has ${read.foreignPayments} foreign payments`);
      for (const each of read.differences)
        differences.push(`the statement of ${day}: ${JSON.stringify(each)}`);
    }
  }
  return differences;
}

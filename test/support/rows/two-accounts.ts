import { randomBytes } from 'node:crypto';
import { AccountProviders } from '../../../src/accounts/account-providers.ts';
import { addAccount } from '../../../src/accounts/accounts.ts';
import type { Database } from '../../../src/database/orm.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import type { ProviderUse } from '../../../src/domain/provider-use.ts';
import type { Providers } from '../../../src/providers/providers.ts';
import { SecretsKeys } from '../../../src/secrets/secrets-keys.ts';
import { createTestStore } from '../api/app.ts';
import { TestBank } from '../outside/test-bank.ts';
import { SILENT_LOG } from '../servers/silent-temporal.ts';

/** Production accounts at a bank whose answers the test chooses. */
export interface TestAccounts {
  /** What an API of these accounts is made of. */
  readonly providers: Providers;
  /** Adds an account of a store. @returns its id. */
  add(storeId: StoreId, ...uses: ProviderUse[]): Promise<string>;
  /** A store that is paid by PIX at one account, and pays out from another one. */
  shop(): Promise<{ readonly storeId: StoreId; readonly paidAt: string; readonly sendsFrom: string }>;
}

export function testAccounts(database: Database): TestAccounts {
  const kinds = { bank: new TestBank() };
  const keys = new SecretsKeys([randomBytes(32).toString('base64')]);
  const sandbox = kinds.bank.create({
    id: 'sandbox',
    profile: 'north',
    settings: { clientId: 'sandbox' },
    secrets: { clientSecret: 'secret' },
  });
  const add = async (storeId: StoreId, ...uses: ProviderUse[]) => {
    const settings = { clientId: 'shop' };
    const secrets = { clientSecret: 'secret' };
    const given = { storeId, kind: 'bank', profile: 'north', uses, settings, secrets };
    return (await addAccount({ em: database.em.fork(), keys, kinds }, given, new Date())).account.id;
  };
  return {
    providers: new AccountProviders({ database, secretsKeys: keys, kinds, sandbox, log: SILENT_LOG }),
    add,
    async shop() {
      const { id: storeId } = await createTestStore(database);
      return { storeId, paidAt: await add(storeId, 'PIX'), sendsFrom: await add(storeId, 'PAYOUT') };
    },
  };
}

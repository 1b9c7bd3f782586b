import { randomBytes } from 'node:crypto';
import { type Psp, startPsp } from '../../../scripts/psp/start-psp.ts';
import type { ProviderAccount } from '../../../src/database/entities/provider-account.ts';
import type { StoreId } from '../../../src/domain/ids.ts';
import type { ApiClient } from './api-client.ts';
import { openBankAccount } from './bank-account.ts';
import { createMoneyApp, type MoneyApp } from './money-app.ts';

/** A store whose real money is at Efí in a box. The caller closes the app and the bank. */
export interface StoreAtBank {
  readonly app: MoneyApp;
  readonly psp: Psp;
  readonly storeId: StoreId;
  readonly account: ProviderAccount;
  /** A client with a production key that holds every permission. */
  readonly api: ApiClient;
}

/** @param secretsKeys for tests that start another process with them; the first encrypts. */
export async function createStoreAtBank(
  secretsKeys: readonly string[] = [randomBytes(32).toString('base64')],
): Promise<StoreAtBank> {
  const [app, psp] = await Promise.all([createMoneyApp({ secretsKeys }), startPsp({ profile: 'efi' })]);
  const { storeId } = await app.anotherStore();
  const account = await openBankAccount(app, psp, storeId);
  return { app, psp, storeId, account, api: await app.clientWith({ storeId, devMode: false }) };
}

import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { StoreId } from '../domain/ids.ts';

/** How far a store has come on its way to real payments. */
export interface FirstSteps {
  /** An API key that was not revoked. */
  readonly hasKey: boolean;
  /** A payment in test. */
  readonly hasTestPayment: boolean;
  readonly hasWebhook: boolean;
  /** An account at a provider of real money. */
  readonly hasAccount: boolean;
  /** A real payment. */
  readonly hasRealPayment: boolean;
}

/** Each is one row of an index. Sums per day stand for payments, of which there may be millions. */
const READ = statement<{ storeId: StoreId }, FirstSteps>(
  'read first steps of a store',
  () => `
  select exists (select from api_keys where store_id = :storeId and revoked_at is null) as "hasKey",
    exists (select from daily_payments where store_id = :storeId and dev_mode) as "hasTestPayment",
    exists (select from webhooks where store_id = :storeId and deleted_at is null) as "hasWebhook",
    exists (select from provider_accounts where store_id = :storeId and removed_at is null) as "hasAccount",
    exists (select from daily_payments where store_id = :storeId and not dev_mode) as "hasRealPayment"`,
);

const NONE: FirstSteps = {
  hasKey: false,
  hasTestPayment: false,
  hasWebhook: false,
  hasAccount: false,
  hasRealPayment: false,
};

export async function firstSteps(em: Em, storeId: StoreId): Promise<FirstSteps> {
  const [steps = NONE] = await READ(em, { storeId });
  return steps;
}

import { statement } from '../../database/statement.ts';
import type { ChargeId, StoreId, SubscriptionId } from '../../domain/ids.ts';
import { SQL_WITH_CODE } from '../../domain/payment-methods.ts';
import { OTHERS_AT_BANK_ACCOUNT } from '../../notifications/provider-listings.ts';

/** References that no charge has, of this account or of another one at the same bank account, which lists them too. */
export const unstoredReferences = statement<
  { provider: string; references: readonly string[] },
  { reference: string }
>(
  'references that no charge has',
  () => `
  with accounts as materialized (select :provider::text as id union all ${OTHERS_AT_BANK_ACCOUNT})
  select listed.reference from unnest(:references::text[]) listed (reference)
  where not exists (
    select from accounts join charges on charges.provider = accounts.id and charges.provider_reference = listed.reference
  )`,
);

/** Subscriptions that are charged by PIX codes, and the cycle that each is in. */
export const codeSubscriptions = statement<
  { storeId: StoreId; after: string; limit: number },
  { id: SubscriptionId; cycleNumber: number; maxRetry: number }
>(
  'subscriptions of a store that are paid by codes',
  () => `
  select id, cycle_number as "cycleNumber", max_retry as "maxRetry" from subscriptions
  where store_id = :storeId and not dev_mode and method in (${SQL_WITH_CODE}) and status = 'ACTIVE' and id > :after
  order by id limit :limit`,
);

/** The charge has a row, so its order at the bank is not cancelled. */
export const dropOrder = statement<{ chargeId: ChargeId }>(
  'drop the order of a recovered charge',
  () => 'delete from charge_orders where charge_id = :chargeId',
);

/** The account's payments and sent Pix, and what was returned of earlier ones, are listed again from this instant. */
export const listAgainFrom = statement<{ accountId: string; since: Date }>(
  'list the payments of an account again',
  () => `
  update provider_account_listings
  set listed_until = least(listed_until, :since), days_listed_until = null,
    sent_listed_until = least(sent_listed_until, :since), sent_days_listed_until = null
  where account_id = :accountId`,
);

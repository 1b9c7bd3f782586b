import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { CheckoutItem } from '../../domain/checkout.ts';
import type { CheckoutId, CustomerId, StoreId } from '../../domain/ids.ts';
import type { Caller } from '../keys/caller.ts';

/** What a list says of a checkout besides the API's fields. */
export interface CheckoutSummary {
  /** With the names and prices of when the checkout was created. */
  readonly items: readonly CheckoutItem[];
  /** Its customer, else who paid it; null if neither is known. A payment link has none: anybody may pay it. */
  readonly customerId: CustomerId | null;
  /** Null if the customer has no name, or was erased. */
  readonly customerName: string | null;
  /** Whether its payment was refunded in part. Its own status stays PAID. */
  readonly isPartlyRefunded: boolean;
}

const SUMMARIES = statement<
  { storeId: StoreId; devMode: boolean; ids: readonly string[] },
  CheckoutSummary & { readonly id: CheckoutId }
>(
  'summarize checkouts',
  () => `
  select checkout.id, checkout.items, customer.id as "customerId", customer.name as "customerName",
    coalesce(charge.status = 'PAID' and charge.refunded_cents > 0, false) as "isPartlyRefunded"
  from checkouts checkout
  left join charges charge on charge.id = checkout.paid_by_charge_id
  left join customers customer on customer.id = coalesce(checkout.customer_id, charge.customer_id)
  where checkout.store_id = :storeId and checkout.dev_mode = :devMode and checkout.id = any(:ids::text[])`,
);

/** The summaries of the caller's checkouts, by id. */
export async function checkoutSummaries(
  em: Em,
  { storeId, devMode }: Pick<Caller, 'storeId' | 'devMode'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CheckoutSummary>> {
  if (ids.length === 0) return new Map();
  const rows = await SUMMARIES(em, { storeId, devMode, ids });
  return new Map(rows.map((row) => [row.id, row]));
}

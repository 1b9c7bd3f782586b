import type { Subscription } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import type { CheckoutId } from '../domain/ids.ts';

const VOID = statement<{ checkoutId: CheckoutId; now: Date }>(
  'void the invoices of a subscription',
  () => `
  update invoices set status = 'VOID', voided_at = :now, updated_at = :now
  where checkout_id = :checkoutId and status = 'OPEN'`,
);

/** Voids the invoice of the unpaid cycle of a locked subscription, in the transaction that gives the cycle up. */
export async function voidInvoices(
  tx: Em,
  { checkoutId }: Pick<Subscription, 'checkoutId'>,
  now: Date,
): Promise<void> {
  await VOID(tx, { checkoutId, now });
}

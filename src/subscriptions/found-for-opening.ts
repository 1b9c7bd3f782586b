import type { Subscription } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import { presentEmailSql } from '../database/present-email.ts';
import { statement } from '../database/statement.ts';
import { NOBODY, type Payer } from '../domain/payer.ts';
import { openNumber } from '../secrets/personal-numbers.ts';

/** What opening a cycle depends on, besides the subscription. */
export interface Found {
  readonly isOpen: boolean;
  readonly hasWaitingPlan: boolean;
  /** Whether the cycle before it covers a part of a period and was given up. */
  readonly isPartGivenUp: boolean;
  readonly usageCents: number;
  readonly payer: Payer;
}

const FIND = statement<
  { subscription: Subscription; number: number },
  Omit<Found, 'payer'> & { payer: Payer | null }
>(
  'find what opens a cycle',
  () => `
  select exists (
      select from installments where subscription_id = :subscription.id and number = :number
    ) as "isOpen",
    exists (
      select from plan_updates where subscription_id = :subscription.id and status = 'PENDING'
    ) as "hasWaitingPlan",
    exists (
      select from installments
      where subscription_id = :subscription.id and number = :number - 1 and status = 'FAILED' and part is not null
    ) as "isPartGivenUp",
    usage_cents(:subscription.id, :number) as "usageCents",
    (select json_build_object('name', payer_name, 'taxId', payer_tax_id, 'email', ${presentEmailSql({ email: 'payer_email', customerId: 'charges.customer_id' })}, 'cellphone', payer_cellphone)
     from charges
     where id = (select paid_by_charge_id from checkouts where id = :subscription.checkoutId)) as payer`,
);

/**
 * Reads everything that opening a cycle depends on, in one query after the subscription is locked: nothing changes
 * it without that lock.
 */
export async function foundOf(tx: Em, subscription: Subscription, number: number): Promise<Found> {
  const [found] = await FIND(tx, { subscription, number });
  if (found === undefined) throw new Error('a select without a table has one row');
  return { ...found, payer: found.payer === null ? NOBODY : opened(found.payer) };
}

function opened(payer: Payer): Payer {
  return { ...payer, taxId: payer.taxId && openNumber(payer.taxId, 'charges.payer_tax_id') };
}

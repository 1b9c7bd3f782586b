import type { EntityName } from '@mikro-orm/core';
import { taxIdHashOf } from '../database/encryption/tax-id-search.ts';
import { ChargeEntity } from '../database/entities/charge.ts';
import { type Checkout, CheckoutEntity } from '../database/entities/checkout.ts';
import { type Coupon, CouponEntity } from '../database/entities/coupon.ts';
import { type Customer, CustomerEntity } from '../database/entities/customer.ts';
import { CycleEntity } from '../database/entities/cycle.ts';
import { DisputeEntity } from '../database/entities/dispute.ts';
import { InvoiceEntity } from '../database/entities/invoice.ts';
import { PaymentEntity } from '../database/entities/payment.ts';
import { PayoutEntity } from '../database/entities/payout.ts';
import { type Product, ProductEntity } from '../database/entities/product.ts';
import { RefundEntity } from '../database/entities/refund.ts';
import { SandboxChargeEntity } from '../database/entities/sandbox-charge.ts';
import { SubscriptionEntity } from '../database/entities/subscription.ts';
import type { Em } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';
import type { Books } from './books.ts';
import { invoicesOf, numbered } from './invoices.ts';
import { type Member, writeChanges } from './members.ts';

/** Rows per statement. */
const BATCH = 500;

/** A generated year of business that is not written yet. */
export interface Year {
  readonly storeId: StoreId;
  readonly products: readonly Product[];
  readonly coupon: Coupon;
  readonly customers: readonly Customer[];
  readonly checkouts: readonly Checkout[];
  readonly members: readonly Member[];
  readonly books: Books;
}

/** Writes the whole year, or nothing. */
export async function writeYear(
  em: Em,
  { storeId, products, coupon, customers, checkouts, members, books }: Year,
): Promise<void> {
  await em.transactional(async (tx) => {
    await insertAll(tx, ProductEntity, products);
    await tx.insert(CouponEntity, coupon);
    await insertAll(
      tx,
      CustomerEntity,
      customers.map((row) => ({ ...row, taxIdHash: taxIdHashOf(tx, row, row.taxId) })),
    );
    const cycles = members.flatMap((member) => member.cycles);
    // Rows that refer to each other are inserted without one of the references, which is then set.
    await insertAll(
      tx,
      CheckoutEntity,
      checkouts.map((row) => ({ ...row, paidByChargeId: null, subscriptionId: null })),
    );
    await insertAll(
      tx,
      SubscriptionEntity,
      members.map(({ began }) => began),
    );
    await insertAll(
      tx,
      CycleEntity,
      cycles.map((row) => ({ ...row, status: 'PENDING' as const, paidByChargeId: null })),
    );
    await insertAll(
      tx,
      ChargeEntity,
      books.charges.map((row) => ({ ...row, refundId: null })),
    );
    await insertAll(tx, PaymentEntity, books.payments);
    await insertAll(tx, RefundEntity, books.refunds);
    const paidBy = 'paid_by_charge_id = "paidByChargeId"';
    await point(tx, 'installments', `${paidBy}, status = 'PAID'`, cycles);
    const paid = checkouts.filter(({ paidByChargeId }) => paidByChargeId !== null);
    await point(tx, 'checkouts', `${paidBy}, subscription_id = "subscriptionId"`, paid);
    await point(
      tx,
      'charges',
      'refund_id = "refundId"',
      books.charges.filter(({ refundId }) => refundId !== null),
    );
    const invoices = invoicesOf({ checkouts, members, charges: books.charges });
    await insertAll(tx, InvoiceEntity, await numbered(tx, storeId, invoices));
    await insertAll(tx, DisputeEntity, books.disputes);
    await insertAll(tx, SandboxChargeEntity, books.sandboxCharges);
    await writeChanges(tx, members);
    await books.write(tx);
    await insertAll(tx, PayoutEntity, books.payouts);
  });
}

interface Pointing {
  readonly id: string;
  readonly paidByChargeId?: string | null;
  readonly subscriptionId?: string | null;
  readonly refundId?: string | null;
}

/** Sets columns that refer to rows inserted later. @param set such as `refund_id = "refundId"`. */
async function point(em: Em, table: string, set: string, rows: readonly Pointing[]): Promise<void> {
  const sql = `update ${table} set ${set}
    from json_to_recordset(:rows::json) pointed (id text, "paidByChargeId" text, "subscriptionId" text, "refundId" text)
    where ${table}.id = pointed.id`;
  const pointed = rows.map(({ id, paidByChargeId, subscriptionId, refundId }) => ({
    id,
    paidByChargeId,
    subscriptionId,
    refundId,
  }));
  await em.execute(sql, { rows: JSON.stringify(pointed) } as never, 'run');
}

async function insertAll<Row extends object>(
  em: Em,
  entity: EntityName<Row>,
  rows: readonly Row[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH)
    await em.insertMany(entity, rows.slice(from, from + BATCH) as never);
}

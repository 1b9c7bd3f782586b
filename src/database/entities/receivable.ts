import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeId, StoreId } from '../../domain/ids.ts';

/**
 * An installment of a paid card charge whose provider pays installments one by one. Charges that settle at once have none. It is
 * written with the payment, its day may move until it settles, and its amounts never change: what refunds and disputes
 * have taken is in the charge (decision 33).
 */
export const ReceivableEntity = defineEntity({
  name: 'Receivable',
  tableName: 'receivables',
  properties: {
    /** `<charge>/<number>`: the subject of its settlement in the ledger. */
    id: p.text().primary(),
    chargeId: p.text().$type<ChargeId>(),
    storeId: p.text().$type<StoreId>(),
    devMode: p.boolean(),
    /** 1 is the first. */
    number: p.integer(),
    /** What the payer pays with this installment. */
    grossCents: p.bigint('number'),
    /** Its share of the platform's fee. */
    feeCents: p.bigint('number'),
    settlesAt: p.datetime(),
    /** Null while it is pending. */
    settledAt: p.datetime().strictNullable(),
  },
});
export type Receivable = InferEntity<typeof ReceivableEntity>;

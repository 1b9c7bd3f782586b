import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ChargeMethod, ChargeStatus, Fine, Interest } from '../domain/charge.ts';
import type { CivilDate } from '../domain/civil-date.ts';
import type { ChargeId, CustomerId, StoreId } from '../domain/ids.ts';

/**
 * A PIX charge or a boleto. Its route inserts it as PENDING; from then on only activities of its workflow
 * `charge/<id>` change it, each by an update conditional on the status it expects.
 */
export const ChargeEntity = defineEntity({
  name: 'Charge',
  tableName: 'charges',
  properties: {
    id: p.string().$type<ChargeId>().primary(),
    storeId: p.string().$type<StoreId>(),
    devMode: p.boolean(),
    method: p.string().$type<ChargeMethod>(),
    status: p.string().$type<ChargeStatus>(),
    amountCents: p.bigint('number'),
    paidAmountCents: p.bigint('number').strictNullable(),
    platformFeeCents: p.bigint('number'),
    description: p.text().strictNullable(),
    externalId: p.string().strictNullable(),
    /** SHA-256 of the creating request's content, so that the same `externalId` with other content is told apart. */
    contentHash: p.string(),
    metadata: p.json().columnType('json').$type<Record<string, unknown>>(),
    utm: p.json().columnType('json').$type<Record<string, string>>().strictNullable(),
    customerId: p.string().$type<CustomerId>().strictNullable(),
    provider: p.string(),
    /** What the payment rail knows this charge by: the PIX txid or the boleto's number. */
    providerReference: p.string(),
    brCode: p.text(),
    /** 44 digits of the boleto's bar code; the digitable line follows from them. */
    barCode: p.string().strictNullable(),
    ourNumber: p.string().strictNullable(),
    dueDate: p.string().columnType('text').$type<CivilDate>().strictNullable(),
    interest: p.json().columnType('json').$type<Interest>().strictNullable(),
    fine: p.json().columnType('json').$type<Fine>().strictNullable(),
    /** What the API shows as `expiresAt`: the end of a PIX charge, the start of a boleto's due date. */
    expiresAt: p.datetime(),
    /** From this instant on no payment is accepted and the workflow expires the charge. */
    closesAt: p.datetime(),
    /** From this instant on a boleto with interest or fine costs more; null where nothing is ever added. */
    lateFrom: p.datetime().strictNullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    paidAt: p.datetime().strictNullable(),
    /** Null until the workflow's start is known; the sweeper looks for such rows. */
    workflowStartedAt: p.datetime().strictNullable(),
  },
});
export type Charge = InferEntity<typeof ChargeEntity>;

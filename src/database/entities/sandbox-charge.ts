import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { DeclineReason } from '../../domain/card.ts';
import type { PaidComponents } from '../../domain/charge.ts';
import { SealedText } from '../encryption/sealed-text.ts';

/**
 * What the simulated bank knows of a charge, from the moment it was paid or closed; an open charge has no
 * row, unless its card is PENDING. The primary key decides the race between payer and closing. Nothing but the sandbox provider touches
 * it.
 */
export const SandboxChargeEntity = defineEntity({
  name: 'SandboxCharge',
  tableName: 'sandbox_charges',
  properties: {
    reference: p.text().primary(),
    status: p.text().$type<'PAID' | 'CLOSED' | 'RETURNED' | 'DECLINED' | 'PENDING'>(),
    paymentId: p.text().strictNullable(),
    amountCents: p.bigint('number').strictNullable(),
    paidAt: p.datetime().strictNullable(),
    payerName: p.text().strictNullable(),
    payerTaxId: p.type(new SealedText('sandbox_charges.payer_tax_id')).strictNullable(),
    /** Null until the service acknowledges the payment's notification; the bank repeats it until then. */
    notifiedAt: p.datetime().strictNullable(),
    cardToken: p.text().strictNullable(),
    /** Null if no card paid in installments, and in rows of earlier releases. */
    installmentsCount: p.integer().strictNullable(),
    /** What `simulate-payment` was sent; null where nothing was. */
    metadata: p.json().columnType('json').$type<Record<string, unknown>>().strictNullable(),
    /** The parts of a payment of a PIX charge with a due date. */
    components: p.json().columnType('json').$type<PaidComponents>().strictNullable(),
    declineReason: p.text().$type<DeclineReason>().strictNullable(),
  },
});
export type SandboxCharge = InferEntity<typeof SandboxChargeEntity>;

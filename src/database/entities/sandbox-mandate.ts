import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { CivilDate } from '../../domain/civil-date.ts';
import type { ProductCycle } from '../../domain/cycle.ts';
import type { SandboxDebitBehaviour } from '../../domain/sandbox-payers.ts';

/**
 * A mandate at the sandbox bank. Its status follows from the payer's answer, the charge that its code pays, and the time. Nothing but
 * the sandbox provider touches it.
 */
export const SandboxMandateEntity = defineEntity({
  name: 'SandboxMandate',
  tableName: 'sandbox_mandates',
  properties: {
    id: p.text().primary(),
    /** The charge whose payment accepts it; null for a code that asks for consent only. */
    chargeReference: p.text().strictNullable(),
    /** By the payer's test data. Who the payer is, is not kept. */
    behaviour: p.text().$type<SandboxDebitBehaviour>(),
    periodicity: p.text().$type<ProductCycle>(),
    /** Null if each debit names its amount. */
    amountCents: p.bigint('number').strictNullable(),
    minimumCents: p.bigint('number').strictNullable(),
    firstDate: p.text().$type<CivilDate>(),
    brCode: p.text(),
    /** What somebody has done to it since; null if nobody has. */
    answer: p.text().$type<'ACCEPT' | 'REFUSE' | 'CANCEL' | 'CANCEL_BY_STORE'>().strictNullable(),
    createdAt: p.datetime(),
  },
});
export type SandboxMandate = InferEntity<typeof SandboxMandateEntity>;

/** A debit instruction at the sandbox bank. Whether it was paid or closed stands in its row of `sandbox_charges`. */
export const SandboxDebitEntity = defineEntity({
  name: 'SandboxDebit',
  tableName: 'sandbox_debits',
  properties: {
    /** The sandbox's reference of a charge. */
    reference: p.text().primary(),
    mandateId: p.text(),
    amountCents: p.bigint('number'),
    dueDate: p.text().$type<CivilDate>(),
    /** Dates of further attempts that were ordered, oldest first. */
    retryDates: p.json().columnType('json').$type<readonly CivilDate[]>(),
    /** Set if the payer's bank rejected it: the code. */
    endCode: p.text().strictNullable(),
    cancelled: p.boolean().default(false),
  },
});
export type SandboxDebit = InferEntity<typeof SandboxDebitEntity>;

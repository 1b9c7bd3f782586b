import { z } from 'zod';
import type { Debit } from '../database/entities/debit.ts';
import { amountCents, timestamp } from './fields.ts';

const DEBIT_STATUSES = [
  'PLANNED',
  'ORDERED',
  'BEGUN',
  'DROPPING',
  'PAID',
  'FAILED',
  'REFUSED',
  'DROPPED',
] as const satisfies readonly Debit['status'][];

export const debitFields = z.object({
  id: z.string().meta({ description: 'The charge that it pays, from its due date on.' }),
  devMode: z.boolean(),
  cycleNumber: z.int(),
  amount: amountCents,
  dueDate: z.string().meta({ description: 'In São Paulo.', example: '2027-01-04' }),
  status: z.enum(DEBIT_STATUSES).meta({
    description:
      '`PLANNED`: it is being ordered. `ORDERED`: the bank debits on the due date. `BEGUN`: the due date has come; attempts may follow on ' +
      'other dates. `DROPPING`, `DROPPED`: nobody wanted it any more. `REFUSED`: it was not ordered, and its cycle is paid by a code. `PAID`, ' +
      '`FAILED`: the outcome.',
  }),
  failure: z.string().nullable().meta({
    description: "The bank's code or reason of the last failure, such as `AM04`; null without one.",
  }),
  createdAt: timestamp,
});
export type ShownDebit = z.output<typeof debitFields>;

/** A debit as the API and events show it. */
export function presentDebit(debit: Debit): ShownDebit {
  return {
    id: debit.id,
    devMode: debit.devMode,
    cycleNumber: debit.number,
    amount: debit.amountCents,
    dueDate: debit.dueDate,
    status: debit.status,
    failure: debit.failureCode,
    createdAt: debit.createdAt.toISOString(),
  };
}

import type {
  DebitAttempt,
  MandatesPort,
  ProviderInstruction,
} from '../../../src/providers/ports/mandates.ts';
import { SANDBOX_MANDATE_TERMS } from '../../../src/providers/sandbox/sandbox-mandate-terms.ts';
import type { MisbehavingProvider } from './misbehaving-provider.ts';

/** How the attempts at every debit end, in order; further ones are never made. */
export type Script = readonly ('PAID' | 'FAILED')[];

const OUTCOME_HOUR_MS = 8 * 60 * 60_000;

/** Mandates of a provider in a test: each is active, and every debit follows the script. */
export function scriptedMandates(provider: MisbehavingProvider, script: Script): MandatesPort {
  const debits = new Map<
    string,
    { readonly order: ProviderInstruction; dates: string[]; isCancelled: boolean }
  >();
  const instructionOf = (reference: string, now: Date): ProviderInstruction | null => {
    const debit = debits.get(reference);
    if (debit === undefined) return null;
    const attempts = debit.dates.map((date, index): DebitAttempt => {
      const isOver = Date.parse(`${date}T03:00:00Z`) + OUTCOME_HOUR_MS <= now.getTime();
      const status = isOver ? (script[index] ?? 'FAILED') : 'OPEN';
      const kind = index === 0 ? 'FIRST' : 'RETRY';
      return { date: date as DebitAttempt['date'], kind, status, code: status === 'FAILED' ? 'AM04' : null };
    });
    const paid = attempts.find(({ status }) => status === 'PAID');
    const payment =
      paid === undefined
        ? null
        : (provider.paymentsOf(reference)[0] ??
          provider.payDespiteClosing({
            reference,
            amountCents: debit.order.amountCents,
            paidAt: new Date(Date.parse(`${paid.date}T03:00:00Z`) + OUTCOME_HOUR_MS),
          }));
    return {
      ...debit.order,
      attempts,
      status: payment !== null ? 'PAID' : debit.isCancelled ? 'CANCELLED' : 'SCHEDULED',
      providerPaymentIds: payment === null ? [] : [payment.providerPaymentId],
    };
  };
  const known = (reference: string, now: Date) => {
    const instruction = instructionOf(reference, now);
    if (instruction === null) throw new Error(`no debit ${reference}`);
    return instruction;
  };
  return {
    ...SANDBOX_MANDATE_TERMS,
    create: () => Promise.reject(new Error('no mandate is created here')),
    find: async (providerMandateId) => ({
      providerMandateId,
      reference: providerMandateId,
      status: 'ACTIVE',
      end: null,
      periodicity: 'MONTHLY',
      firstDate: '2026-01-01' as ProviderInstruction['dueDate'],
      lastDate: null,
      amount: { kind: 'VARIABLE', minimumCents: null },
      allowsRetries: true,
    }),
    cancel: async () => ({ outcome: 'CANCELLED' }),
    async instruct({ reference, providerMandateId, amountCents, dueDate, now }) {
      const order: ProviderInstruction = {
        ...{ reference, providerMandateId, amountCents, dueDate },
        ...{ status: 'SCHEDULED', attempts: [], end: null, providerPaymentIds: [] },
      };
      if (!debits.has(reference)) debits.set(reference, { order, dates: [dueDate], isCancelled: false });
      return { outcome: 'INSTRUCTED', instruction: known(reference, now) };
    },
    findInstruction: async (reference, now) => instructionOf(reference, now),
    async cancelInstruction(reference, now) {
      const debit = debits.get(reference);
      if (debit === undefined) return { outcome: 'PENDING', pollAfterMs: 1_000 };
      const instruction = known(reference, now);
      if (instruction.status === 'PAID') return { outcome: 'ENDED', instruction };
      if (now.getTime() >= Date.parse(`${instruction.dueDate}T03:00:00Z`)) return { outcome: 'TOO_LATE' };
      debit.isCancelled = true;
      return { outcome: 'CANCELLED' };
    },
    async retry({ reference, date, now }) {
      const debit = debits.get(reference);
      if (debit !== undefined && !debit.dates.includes(date)) debit.dates.push(date);
      return { outcome: 'INSTRUCTED', instruction: known(reference, now) };
    },
    listMandates: async () => ({ items: [], nextCursor: null }),
    listInstructions: async () => ({ items: [], nextCursor: null }),
  };
}

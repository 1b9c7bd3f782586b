import {
  type SandboxDebit,
  SandboxDebitEntity,
  type SandboxMandate,
  SandboxMandateEntity,
} from '../../database/entities/sandbox-mandate.ts';
import { insertNew } from '../../database/insert-new.ts';
import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import { addDays, type CivilDate, saoPauloDateOf, saoPauloMidnight } from '../../domain/civil-date.ts';
import { SANDBOX_CEILING_CENTS, type SandboxDebitBehaviour } from '../../domain/sandbox-payers.ts';
import type {
  CancelInstructionAnswer,
  DebitAttempt,
  InstructDebit,
  InstructionAnswer,
  MandatesPort,
  ProviderInstruction,
  ProviderMandate,
  RetryDebit,
} from '../ports/mandates.ts';
import type { SandboxBank } from './sandbox-bank.ts';
import { CODES, SANDBOX_MANDATE_TERMS } from './sandbox-mandate-terms.ts';
import { sandboxReferenceOf as referenceOf } from './sandbox-reference.ts';

const HOUR_MS = 60 * 60_000;
/** The outcome of a day's attempt is known at this hour. */
const DEBITED_AT_HOUR = 8;

/** Which attempt is paid: 0 is the first. */
const PAID_ATTEMPT: Readonly<Record<SandboxDebitBehaviour, number>> = {
  PAYS: 0,
  REFUSES: 0,
  IGNORES: 0,
  LEAVES: 0,
  HAS_CEILING: 0,
  PAYS_FIRST_RETRY: 1,
  PAYS_LAST_RETRY: 3,
  NEVER_PAYS: Infinity,
};

const RETRY = statement<{ reference: string; dates: readonly CivilDate[]; known: readonly CivilDate[] }>(
  'order another attempt at a sandbox debit',
  () => `update sandbox_debits set retry_dates = :dates::json
    where reference = :reference and retry_dates::text = :known::json::text`,
);

type MandateDebits = Pick<MandatesPort, 'instruct' | 'findInstruction' | 'cancelInstruction' | 'retry'>;

/**
 * Debits under the mandates of simulated payers. The row of `sandbox_charges` decides between debit and cancellation, as it does
 * between a payer and the closing of a code.
 * @param standingOf the mandate as it is at some time.
 */
export function sandboxDebits(
  database: Database,
  bank: Pick<SandboxBank, 'pay' | 'close' | 'findByReference'>,
  standingOf: (row: SandboxMandate, now: Date) => Promise<ProviderMandate>,
): MandateDebits {
  const em = () => database.em.fork();
  const debitRow = (reference: string) => em().findOne(SandboxDebitEntity, { reference });

  /** Debits until now, then returns how it went. */
  const instructionOf = async (row: SandboxDebit, now: Date): Promise<ProviderInstruction> => {
    const mandate = await em().findOneOrFail(SandboxMandateEntity, { id: row.mandateId });
    const base = {
      reference: row.reference,
      providerMandateId: row.mandateId,
      amountCents: row.amountCents,
      dueDate: row.dueDate,
    };
    if (row.endCode !== null)
      return {
        ...base,
        status: 'REJECTED',
        attempts: [],
        end: { by: null, code: row.endCode },
        providerPaymentIds: [],
      };
    const dates = [row.dueDate, ...row.retryDates];
    const paidIndex = PAID_ATTEMPT[mandate.behaviour];
    const paidDate = dates[paidIndex];
    if (!row.cancelled && paidDate !== undefined && attemptedAt(paidDate) <= now)
      await bank.pay({
        reference: row.reference,
        amountCents: row.amountCents,
        paidAt: attemptedAt(paidDate),
        payer: { name: null, taxId: null },
        metadata: null,
        // The step of the debit that asks records it too.
        notifiedAt: now,
      });
    const known = await bank.findByReference(row.reference);
    const isPaid = known.status === 'PAID';
    const attempts = dates.map((date, index): DebitAttempt => {
      const kind = index === 0 ? 'FIRST' : 'RETRY';
      if (isPaid && index === paidIndex) return { date, kind, status: 'PAID', code: null };
      if (row.cancelled && attemptedAt(date) > now) return { date, kind, status: 'CANCELLED', code: null };
      if (attemptedAt(date) > now) return { date, kind, status: 'OPEN', code: null };
      return { date, kind, status: 'FAILED', code: CODES.NO_BALANCE };
    });
    const status = isPaid ? 'PAID' : row.cancelled ? 'CANCELLED' : isOver(row, now) ? 'EXPIRED' : 'SCHEDULED';
    const end =
      row.cancelled && !isPaid ? ({ by: 'RECEIVER', code: CODES.CANCELLED_BY_STORE } as const) : null;
    const providerPaymentIds = known.payments.map(({ providerPaymentId }) => providerPaymentId);
    return { ...base, status, attempts, end, providerPaymentIds };
  };

  return {
    async instruct(request: InstructDebit): Promise<InstructionAnswer> {
      const reference = referenceOf(request.reference);
      const there = await debitRow(reference);
      if (there !== null) return sameOrRefused(there, request, await instructionOf(there, request.now));
      const row = await em().findOne(SandboxMandateEntity, { id: request.providerMandateId });
      const standing = row && (await standingOf(row, request.now));
      const refusal = row === null ? 'idRec: not found' : refusalOf(row, standing, request);
      if (row === null || refusal !== null) return { outcome: 'REFUSED', reason: refusal ?? '' };
      const debit = newDebit(reference, row, request);
      await insertNew(database, SandboxDebitEntity, debit);
      const stored = await em().findOneOrFail(SandboxDebitEntity, { reference });
      return sameOrRefused(stored, request, await instructionOf(stored, request.now));
    },
    async findInstruction(reference, now) {
      const row = await debitRow(referenceOf(reference));
      return row && instructionOf(row, now);
    },
    async cancelInstruction(reference, now): Promise<CancelInstructionAnswer> {
      const row = await debitRow(referenceOf(reference));
      if (row === null) return { outcome: 'PENDING', pollAfterMs: 60_000 };
      const before = await instructionOf(row, now);
      if (before.status === 'CANCELLED') return { outcome: 'CANCELLED' };
      if (before.status !== 'SCHEDULED') return { outcome: 'ENDED', instruction: before };
      if (saoPauloDateOf(now) >= row.dueDate) return { outcome: 'TOO_LATE' };
      const closed = await bank.close(row.reference);
      if (closed.outcome === 'PAID') return { outcome: 'ENDED', instruction: await instructionOf(row, now) };
      await em().nativeUpdate(SandboxDebitEntity, { reference: row.reference }, { cancelled: true });
      return { outcome: 'CANCELLED' };
    },
    async retry({ reference, date, now }: RetryDebit): Promise<InstructionAnswer> {
      const row = await debitRow(referenceOf(reference));
      if (row === null) throw new Error(`no sandbox debit ${reference}`);
      const before = await instructionOf(row, now);
      if (row.retryDates.includes(date)) return { outcome: 'INSTRUCTED', instruction: before };
      const refusal = retryRefusalOf(row, before, date, now);
      if (refusal !== null) return { outcome: 'REFUSED', reason: refusal };
      const known = row.retryDates;
      await RETRY(database, { reference: row.reference, dates: [...known, date], known });
      const after = await em().findOneOrFail(SandboxDebitEntity, { reference: row.reference });
      return { outcome: 'INSTRUCTED', instruction: await instructionOf(after, now) };
    },
  };
}

function newDebit(reference: string, mandate: SandboxMandate, request: InstructDebit): SandboxDebit {
  const { amountCents, dueDate } = request;
  const isAboveCeiling = mandate.behaviour === 'HAS_CEILING' && amountCents > SANDBOX_CEILING_CENTS;
  return {
    reference,
    mandateId: mandate.id,
    amountCents,
    dueDate,
    retryDates: [],
    endCode: isAboveCeiling ? CODES.ABOVE_CEILING : null,
    cancelled: false,
  };
}

function sameOrRefused(
  { mandateId, amountCents, dueDate }: SandboxDebit,
  request: InstructDebit,
  instruction: ProviderInstruction,
): InstructionAnswer {
  const isSame =
    mandateId === request.providerMandateId &&
    amountCents === request.amountCents &&
    dueDate === request.dueDate;
  return isSame
    ? { outcome: 'INSTRUCTED', instruction }
    : { outcome: 'REFUSED', reason: 'another instruction has this id' };
}

function refusalOf(
  { amountCents }: SandboxMandate,
  standing: ProviderMandate | null,
  request: InstructDebit,
): string | null {
  if (standing?.status !== 'ACTIVE') return `idRec: the mandate is ${standing?.status ?? 'unknown'}`;
  if (amountCents !== null && amountCents !== request.amountCents)
    return `valor.original: the mandate is of ${amountCents} cents`;
  const today = saoPauloDateOf(request.now);
  const { most, least } = SANDBOX_MANDATE_TERMS.noticeDays;
  if (today < addDays(request.dueDate, -most) || today > addDays(request.dueDate, -least))
    return `calendario.dataDeVencimento: must be ${least} to ${most} days ahead`;
  return null;
}

function retryRefusalOf(
  { dueDate, retryDates }: SandboxDebit,
  { status, attempts }: ProviderInstruction,
  date: CivilDate,
  now: Date,
): string | null {
  const { most, withinDays } = SANDBOX_MANDATE_TERMS.retries;
  if (status !== 'SCHEDULED') return `the instruction is ${status}`;
  if (attempts.some((attempt) => attempt.status === 'OPEN')) return 'an attempt is open';
  if (date <= saoPauloDateOf(now)) return 'data: must be in the future';
  if (date > addDays(dueDate, withinDays)) return `data: must be within ${withinDays} days of the due date`;
  return retryDates.length >= most ? `there were ${most} retries` : null;
}

function attemptedAt(date: CivilDate): Date {
  return new Date(saoPauloMidnight(date).getTime() + DEBITED_AT_HOUR * HOUR_MS);
}

/** No attempt can follow any more. */
function isOver({ dueDate }: SandboxDebit, now: Date): boolean {
  return now >= saoPauloMidnight(addDays(dueDate, SANDBOX_MANDATE_TERMS.retries.withinDays + 1));
}

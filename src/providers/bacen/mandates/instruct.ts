import { addDays } from '../../../domain/civil-date.ts';
import { decimalOf } from '../../../domain/money.ts';
import type {
  CancelInstructionAnswer,
  InstructDebit,
  InstructionAnswer,
  ProviderInstruction,
  RetryDebit,
} from '../../ports/mandates.ts';
import { ProviderError } from '../../provider-error.ts';
import type { BankClient } from '../bank-client.ts';
import { BankError } from '../bank-error.ts';
import { orderOnce } from '../order-once.ts';
import type { MandatePaths } from '../profile.ts';
import type { MandateBooks } from './books.ts';
import { CANCELLED } from './create.ts';
import { type BankInstruction, instructionOf, readInstruction } from './wire.ts';

const DESCRIPTION_MAX_LENGTH = 140;
const POLL_AFTER_MS = 5_000;
/** Bacen, PERMITE_3R_7D. */
export const RETRIES = { most: 3, withinDays: 7 };

/** The account that debits pay into, as an instruction names it. */
export interface ReceivingAccount {
  readonly agencia?: string;
  readonly conta: string;
  readonly tipoConta: string;
}

export interface InstructionOrders {
  readonly client: BankClient;
  readonly paths: MandatePaths;
  readonly books: MandateBooks;
  readonly receiver: ReceivingAccount;
}

/** The bank's id of an instruction, derived from ours: 26 to 35 letters and digits. */
export function instructionTxidOf(reference: string): string {
  const txid = reference.slice(-26);
  if (/^[A-Za-z0-9]{26}$/.test(txid)) return txid;
  throw new ProviderError('INVALID', 'an instruction needs an id that ends in 26 letters and digits');
}

/** Orders the debit of one cycle, once per reference. */
export function instructDebit(orders: InstructionOrders, request: InstructDebit): Promise<InstructionAnswer> {
  const { client, paths, books } = orders;
  const txid = instructionTxidOf(request.reference);
  return orderOnce<InstructionAnswer>({
    mayHaveBeenOrdered: request.mayHaveBeenOrdered,
    find: async (signal) => {
      const there = await books.instruction(txid, signal);
      return there && standing(there, request);
    },
    give: async (signal) => {
      const path = `${paths.cobr}/${txid}`;
      const made = await client.send({ method: 'PUT', path, body: bodyOf(orders, request), signal });
      return standing(readInstruction(made), request);
    },
    refused: (reason) => ({ outcome: 'REFUSED', reason }),
  });
}

/** The bank accepts an id once, so another instruction under it means that nothing was ordered for this one. */
function standing(there: BankInstruction, request: InstructDebit): InstructionAnswer {
  const instruction = instructionOf(there);
  const isAsAsked =
    there.idRec === request.providerMandateId &&
    instruction.amountCents === request.amountCents &&
    instruction.dueDate === request.dueDate;
  return isAsAsked
    ? { outcome: 'INSTRUCTED', instruction }
    : { outcome: 'REFUSED', reason: 'the bank has another instruction under this id' };
}

function bodyOf({ receiver }: InstructionOrders, request: InstructDebit) {
  return {
    idRec: request.providerMandateId,
    ...(request.description && { infoAdicional: request.description.slice(0, DESCRIPTION_MAX_LENGTH) }),
    calendario: { dataDeVencimento: request.dueDate },
    valor: { original: decimalOf(request.amountCents) },
    ajusteDiaUtil: true,
    recebedor: receiver,
  };
}

/** Cancels an instruction, then looks it up: the answer may be lost, and the debit may have come first. */
export async function cancelInstruction(
  { client, paths, books }: InstructionOrders,
  reference: string,
): Promise<CancelInstructionAnswer> {
  const txid = instructionTxidOf(reference);
  let refusal: unknown = null;
  try {
    await client.send({ method: 'PATCH', path: `${paths.cobr}/${txid}`, body: CANCELLED });
  } catch (error) {
    refusal = error;
  }
  const there = await books.instruction(txid);
  if (there === null) {
    if (refusal !== null) throw refusal;
    return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
  }
  const instruction = instructionOf(there);
  if (instruction.status === 'CANCELLED') return { outcome: 'CANCELLED' };
  if (['PAID', 'EXPIRED', 'REJECTED'].includes(instruction.status)) return { outcome: 'ENDED', instruction };
  if (refusal === null) return { outcome: 'PENDING', pollAfterMs: POLL_AFTER_MS };
  if (refusal instanceof BankError && refusal.refusal !== null) return { outcome: 'TOO_LATE' };
  throw refusal;
}

/** Orders an attempt on another date, once per date. The limits are checked here too: not every bank checks them. */
export async function retryDebit(
  { client, paths, books }: InstructionOrders,
  { reference, date }: RetryDebit,
): Promise<InstructionAnswer> {
  const txid = instructionTxidOf(reference);
  const find = async (signal: AbortSignal) => {
    const there = await books.instruction(txid, signal);
    return there && retriedOn(instructionOf(there), date);
  };
  const before = await books.instruction(txid);
  if (before === null) throw new BankError('RETRY', null, 'the bank does not find the instruction yet');
  const refusal = refusalOf(instructionOf(before), date);
  if (refusal !== null) return { outcome: 'REFUSED', reason: refusal };
  return orderOnce<InstructionAnswer>({
    find,
    give: async (signal) => {
      const path = `${paths.cobr}/${txid}/retentativa/${date}`;
      const instruction = instructionOf(readInstruction(await client.send({ method: 'POST', path, signal })));
      return { outcome: 'INSTRUCTED', instruction };
    },
    // A look-up that lags may hide the attempt of an earlier request: only its absence at the bank refuses for good.
    mayHaveBeenOrdered: true,
    refused: (reason) => ({ outcome: 'REFUSED', reason }),
    isImpossible: async (signal) => {
      const there = await books.instruction(txid, signal);
      return there !== null && isBlocked(instructionOf(there));
    },
  });
}

function retriedOn(instruction: ProviderInstruction, date: string): InstructionAnswer | null {
  return instruction.attempts.some((attempt) => attempt.kind === 'RETRY' && attempt.date === date)
    ? { outcome: 'INSTRUCTED', instruction }
    : null;
}

/** Whether the bank shows why it refuses: the instruction has ended, or another attempt is open. */
function isBlocked({ status, attempts }: ProviderInstruction): boolean {
  return (
    !['PENDING', 'SCHEDULED', 'UNKNOWN'].includes(status) || attempts.some((each) => each.status === 'OPEN')
  );
}

function refusalOf(instruction: ProviderInstruction, date: string): string | null {
  if (retriedOn(instruction, date) !== null) return null;
  if (date <= instruction.dueDate || date > addDays(instruction.dueDate, RETRIES.withinDays))
    return `date: a retry is within ${RETRIES.withinDays} days after the due date`;
  const dates = new Set(instruction.attempts.filter(({ kind }) => kind === 'RETRY').map((each) => each.date));
  return dates.size >= RETRIES.most ? `there were ${RETRIES.most} retries` : null;
}

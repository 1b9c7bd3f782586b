import { BankError } from './bank-error.ts';

interface Order<Answer> {
  /** Looks up the order; null if the bank does not know its id, or not yet. */
  readonly find: (signal: AbortSignal) => Promise<Answer | null>;
  readonly give: (signal: AbortSignal) => Promise<Answer>;
  /** The answer if the bank refuses for that reason. */
  readonly refused: (reason: string) => Answer;
  /** The answer to a refusal if an earlier request may have given the order; absent if asking again decides. */
  readonly refusedInDoubt?: (reason: string) => Answer;
  /** Whether an earlier request may have reached the bank. */
  readonly mayHaveBeenOrdered?: boolean | undefined;
  /** Whether the bank's books leave no room for the order, so that no earlier request can have given it. */
  readonly isImpossible?: (signal: AbortSignal) => Promise<boolean>;
}

/**
 * The limit of all requests. The activity that gives an order ends after 20 seconds (`START_TO_CLOSE_TIMEOUT`) and
 * is retried, and two requests for one order must never run at once.
 */
const ORDER_TIMEOUT_MS = 17_000;

/** How banks report a used id, besides 409: Bacen's document has 400 for it, without its own code. */
const DUPLICATE = /duplicad|já (?:foi )?(?:utilizad|existe|cadastrad)|já está em uso|already/i;

/**
 * Gives an order with an id of ours, once, however often it is called. It looks the order up first, and again after
 * any error: the answer may have been lost, or another request ran at the same time. Look-ups lag, so a refusal is
 * final only if no earlier request can have given the order and the bank does not report a used id.
 * @throws the error if the outcome is not known; a repeated call finds it by the look-up.
 */
export async function orderOnce<Answer>(order: Order<Answer>): Promise<Answer> {
  const { find, give, refused, refusedInDoubt, mayHaveBeenOrdered = false, isImpossible } = order;
  const signal = AbortSignal.timeout(ORDER_TIMEOUT_MS);
  const there = await find(signal);
  if (there !== null) return there;
  try {
    return await give(signal);
  } catch (error) {
    const made = await find(signal);
    if (made !== null) return made;
    if (!(error instanceof BankError)) throw error;
    if (isDuplicate(error) || isNotUnderstood(error)) throw unknownOutcome(error);
    if (error.refusal === null) throw error;
    if (!mayHaveBeenOrdered || (await isImpossible?.(signal))) return refused(error.refusal);
    if (refusedInDoubt === undefined) throw unknownOutcome(error);
    return refusedInDoubt(error.refusal);
  }
}

function isDuplicate({ status, refusal }: BankError): boolean {
  return status === 409 || (refusal !== null && DUPLICATE.test(refusal));
}

/** The bank's answer cannot be parsed: it may have carried the order out. */
function isNotUnderstood({ kind, status }: BankError): boolean {
  return kind === 'INVALID' && status === null;
}

function unknownOutcome(cause: BankError): BankError {
  const message = isNotUnderstood(cause)
    ? cause.message
    : 'the bank refuses an order that an earlier request may have given, and does not find it yet';
  return new BankError('RETRY', cause.status, message, { cause });
}

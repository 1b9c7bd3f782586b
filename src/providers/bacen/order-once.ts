import { BankError } from './bank-error.ts';

interface Order<Answer> {
  /** What has become of the order; null where the bank knows none of its id, or not yet. */
  readonly find: (signal: AbortSignal) => Promise<Answer | null>;
  readonly give: (signal: AbortSignal) => Promise<Answer>;
  /** What is answered where the bank will not do it, for that reason. */
  readonly refused: (reason: string) => Answer;
  /** The same where an earlier request may have given the order; left out where asking again decides. */
  readonly refusedInDoubt?: (reason: string) => Answer;
  /** Whether an earlier request may have reached the bank. */
  readonly mayHaveBeenOrdered?: boolean | undefined;
  /** Whether the bank's books leave no room for the order, so that no earlier request can have given it. */
  readonly isImpossible?: (signal: AbortSignal) => Promise<boolean>;
}

/**
 * No request outlives this: the activity that gives an order ends after 20 seconds (`START_TO_CLOSE_TIMEOUT`) and is
 * tried again, and two requests for one order must never be under way at once.
 */
const ORDER_TIMEOUT_MS = 17_000;

/** What banks say of an id that was used before, beside 409: Bacen's document has 400 for it, and no code of its own. */
const DUPLICATE = /duplicad|já (?:foi )?(?:utilizad|existe|cadastrad)|já está em uso|already/i;

/**
 * Gives an order that names an id of ours, once however often it is asked for. It is looked up first, and after whatever
 * went wrong: the answer may have been lost on its way, or two asked at once. Look-ups lag, so a refusal is final only
 * where no earlier request can have given the order and the bank does not say that the id was used.
 * @throws what went wrong, where the outcome is not known; asked again, the look-up will know it.
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

/** An answer came that cannot be read: the bank may have done what it was asked for. */
function isNotUnderstood({ kind, status }: BankError): boolean {
  return kind === 'INVALID' && status === null;
}

function unknownOutcome(cause: BankError): BankError {
  const message = isNotUnderstood(cause)
    ? cause.message
    : 'the bank refuses an order that an earlier request may have given, and does not find it yet';
  return new BankError('RETRY', cause.status, message, { cause });
}

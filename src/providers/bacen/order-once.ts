import { BankError } from './bank-error.ts';

interface Order<Answer> {
  /** What has become of the order; null where the bank knows none of its id. */
  readonly find: () => Promise<Answer | null>;
  readonly give: () => Promise<Answer>;
  /** What is answered where the bank will not do it, for that reason. */
  readonly refused: (reason: string) => Answer;
}

/**
 * Gives an order that names an id of ours, once however often it is asked for. An id may be used once, and a bank answers a
 * second use as it answers what it refuses; so it is looked up first, and after whatever went wrong: the answer may have
 * been lost on its way, or two asked at once.
 * @throws what went wrong, where the bank does not know the order and has not refused it.
 */
export async function orderOnce<Answer>({ find, give, refused }: Order<Answer>): Promise<Answer> {
  const there = await find();
  if (there !== null) return there;
  try {
    return await give();
  } catch (error) {
    const made = await find();
    if (made !== null) return made;
    if (error instanceof BankError && error.refusal !== null) return refused(error.refusal);
    throw error;
  }
}

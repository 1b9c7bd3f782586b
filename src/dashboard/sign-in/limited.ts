import { hash } from 'node:crypto';
import { Refusal } from '../frame/route.ts';
import type { Arrival } from '../frame/serve.ts';

/**
 * Counts a password or code that may be a guess, and takes it back where it was right: guesses end, for an address and for
 * an account, before any is compared. Whoever guesses at somebody keeps them out for minutes; a one-time link still lets
 * them in.
 * @param account the address that was typed, or the id of the user. It is counted by its hash.
 * @throws Refusal 429 where there were too many.
 */
export async function limited<Result>(
  { ctx, deps }: Pick<Arrival, 'ctx' | 'deps'>,
  account: string,
  compare: () => Promise<Result | null>,
): Promise<Result | null> {
  const guess = {
    request: ctx.req,
    ofAddress: 'wrongPasswordsOfAddress',
    besides: ['wrongPasswordsOfAccount', hash('sha256', account.trim().toLowerCase(), 'hex')],
  } as const;
  const seconds = await deps.gate.count(guess);
  if (seconds !== null) throw tooMany(seconds);
  const result = await compare();
  if (result !== null) await deps.gate.uncount(guess);
  return result;
}

function tooMany(seconds: number): Refusal {
  const minutes = Math.ceil(seconds / 60);
  return new Refusal(
    429,
    `Muitas tentativas. Espere ${minutes} min e tente de novo.`,
    `Too many attempts. Wait ${minutes} min and try again.`,
  );
}

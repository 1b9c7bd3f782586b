import { hash } from 'node:crypto';
import { recordActions } from '../../database/audit/record-action.ts';
import { type Membership, MembershipEntity } from '../../database/entities/membership.ts';
import type { Em } from '../../database/orm.ts';
import { accountsOf } from '../../identity/users.ts';
import { Refusal } from '../frame/route.ts';
import type { Arrival } from '../frame/serve.ts';

type Factor = 'password' | 'code';

/**
 * Runs a sign-in, and writes into the audit log of each store of the address that it was refused (`sign-in/refused`), or
 * that too many wrong ones have ended it for a while (`sign-in/locked`, once in that time). Guesses are limited, and so are
 * these lines: forty an hour and account.
 *
 * They are written in the background. Otherwise an address that has an account would be answered later than one that has none.
 * @param compare answers null where it was wrong.
 */
export async function notingRefusals<Result>(
  arrival: Arrival,
  given: { readonly email: string; readonly factor: Factor },
  compare: () => Promise<Result | null>,
): Promise<Result | null> {
  try {
    const result = await compare();
    if (result === null) inBackground(arrival, () => note(arrival, given, 'sign-in/refused'));
    return result;
  } catch (error) {
    if (error instanceof Refusal && error.status === 429)
      inBackground(arrival, () => noteLock(arrival, given));
    throw error;
  }
}

function inBackground({ ctx }: Arrival, work: () => Promise<void>): void {
  work().catch((error: unknown) => ctx.state.log.error({ err: error }, 'a refused sign-in was not recorded'));
}

async function noteLock(arrival: Arrival, given: { readonly email: string; readonly factor: Factor }) {
  const account = hash('sha256', given.email.trim().toLowerCase(), 'hex');
  const noted = await arrival.deps.gate.countKnown(['notedLocksOfAccount', account]);
  if (noted === null) await note(arrival, given, 'sign-in/locked');
}

async function note(
  { ctx, deps, now }: Arrival,
  { email, factor }: { readonly email: string; readonly factor: Factor },
  action: 'sign-in/refused' | 'sign-in/locked',
): Promise<void> {
  const address = deps.gate.shortAddressOf(ctx.req);
  const memberships = await membershipsOf(deps.database.em.fork(), email);
  await deps.database.em.fork().transactional((em) =>
    recordActions(
      em,
      memberships.map(({ storeId, userId }) => ({
        actor: { kind: 'SYSTEM', storeId, address },
        done: { action, subjectId: userId, devMode: null, now, details: { factor } },
      })),
    ),
  );
}

/** What the accounts of an address are members of. */
async function membershipsOf(em: Em, email: string): Promise<Membership[]> {
  const userIds = (await accountsOf(em, email)).map(({ id }) => id);
  return em.find(MembershipEntity, { userId: { $in: userIds } }, { disableIdentityMap: true });
}

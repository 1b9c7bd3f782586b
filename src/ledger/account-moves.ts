import { type AccountMove, AccountMoveEntity } from '../database/entities/account-move.ts';
import { ProviderAccountEntity } from '../database/entities/provider-account.ts';
import type { Em } from '../database/orm.ts';
import type { AccountMoveId, StoreId } from '../domain/ids.ts';
import { movedAmounts } from '../domain/ledger.ts';
import { formatBrl, formatSignedBrl } from '../domain/money.ts';
import { mintId } from '../ids.ts';
import { lockBalance } from './balance.ts';
import { accountsOf, moneyThere } from './clearing.ts';
import { writeMovement } from './write-movement.ts';

/** A move that cannot be recorded: the message names the wrong option and the valid values. */
export class WrongMove extends Error {
  constructor(option: string, problem: string) {
    super(`${option}: ${problem}`);
    this.name = 'WrongMove';
  }
}

export interface RecordedMove {
  readonly move: AccountMove;
  /** False if it was recorded before. */
  readonly isNew: boolean;
}

export type NewMove = Omit<AccountMove, 'id' | 'storeId' | 'createdAt'>;

/**
 * Records, in the caller's transaction, that a store moved money between two of its accounts at the banks
 * themselves. It writes two movements, which leave the store's balance unchanged. It locks that balance, so a
 * concurrent payout comes before or after. The same `reference` with the same content is recorded once.
 *
 * @throws WrongMove if an account does not belong to the store, has less to send than was moved, or the reference
 *   belongs to another move.
 */
export async function recordMove(em: Em, given: NewMove, now: Date): Promise<RecordedMove> {
  const { fromProvider, toProvider, amountCents, reference } = given;
  const storeId = await storeOf(em, fromProvider, toProvider);
  const owner = { storeId, devMode: false };
  await lockBalance(em, owner);
  const known = await em.findOne(AccountMoveEntity, { storeId, reference }, { disableIdentityMap: true });
  if (known !== null) return { move: requireSame(known, given), isNew: false };
  const from = (await accountsOf(em, owner)).find(({ id }) => id === fromProvider);
  const availableCents = from === undefined ? 0 : moneyThere(from);
  if (availableCents < amountCents)
    throw new WrongMove(
      '--amount',
      `must be at most ${availableCents} cents, which is what Recebe has booked at ${fromProvider} and can be sent from ` +
        `there (${formatSignedBrl(availableCents)}). Money that came from elsewhere is not in these books`,
    );
  const move = { ...given, id: mintId<AccountMoveId>('accountMove', now), storeId, createdAt: now };
  await em.insert(AccountMoveEntity, move);
  const amounts = movedAmounts(amountCents);
  const movement = { subjectId: move.id, createdAt: now };
  await writeMovement(
    em,
    { ...owner, provider: fromProvider },
    { ...movement, kind: 'MOVED_OUT', amounts: amounts.out },
  );
  await writeMovement(
    em,
    { ...owner, provider: toProvider },
    { ...movement, kind: 'MOVED_IN', amounts: amounts.in },
  );
  return { move, isNew: true };
}

/** Both accounts must be of one store; one that was removed may still hold money. */
async function storeOf(em: Em, fromProvider: string, toProvider: string): Promise<StoreId> {
  if (fromProvider === toProvider) throw new WrongMove('--to', 'must be another account than --from');
  const find = (id: string) => em.findOne(ProviderAccountEntity, { id: id as never });
  const [from, to] = [await find(fromProvider), await find(toProvider)];
  if (from === null) throw new WrongMove('--from', 'must be an account; see "accounts list"');
  if (to === null || to.storeId !== from.storeId)
    throw new WrongMove('--to', 'must be an account of the same store; see "accounts list"');
  return from.storeId;
}

function requireSame(known: AccountMove, given: NewMove): AccountMove {
  const fields = ['fromProvider', 'toProvider', 'amountCents'] as const;
  if (fields.every((field) => known[field] === given[field])) return known;
  throw new WrongMove(
    '--reference',
    `is that of another move (${formatBrl(known.amountCents)} from ${known.fromProvider} to ${known.toProvider}); use another one`,
  );
}

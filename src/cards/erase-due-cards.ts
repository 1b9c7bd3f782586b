import pLimit from 'p-limit';
import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import { statement } from '../database/statement.ts';
import { hasPort, type PaymentProvider } from '../providers/provider.ts';
import type { Providers } from '../providers/providers.ts';
import type { CardErasure } from './card-erasures.ts';
import { noteStuckErasures, resolveEndedNotes } from './stuck-erasures.ts';

const BATCH = 50;
const AT_ONCE = 4;
/** A process that dies leaves its cards to the next round after this. */
const LEASE_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 30 * 60_000;
const LONGEST_PAUSE_MS = 24 * 60 * 60_000;
/** An account with this many failures in a round is away, so the rest of its cards wait for the next one. */
const MOST_FAILURES = 3;

export interface EraseCardsDeps {
  readonly database: Database;
  readonly providers: Providers;
  readonly log: Logger;
}

/** One card that this process works on until the lease ends. */
interface LeasedErasure extends CardErasure {
  readonly failures: number;
  /** Postgres's own text: a Date would lose its last three digits. */
  readonly lease: string;
}

/**
 * Erases the stored cards that are due at their providers, outside of transactions. A card that an active subscription
 * pays with, or that its payer has saved, is kept. A failure is repeated after a pause of half an hour, which doubles up to a day, until it succeeds;
 * after three days a person is asked. Any number of processes may do so at once, and stop at any point.
 * @param isOver called between two batches; throws to stop early.
 * @returns the number of erased cards.
 */
export async function eraseDueCards(
  deps: EraseCardsDeps,
  now: Date,
  isOver: () => void = () => {},
): Promise<number> {
  const failures = new Map<string, number>();
  const limit = pLimit(AT_ONCE);
  let erased = 0;
  for (;;) {
    isOver();
    const until = new Date(now.getTime() + LEASE_MS);
    const leased = await LEASE(deps.database, { now, until, limit: BATCH });
    const done = await limit.map(leased, (erasure) => eraseOne(deps, erasure, failures, now));
    erased += done.filter((isErased) => isErased).length;
    if (leased.length < BATCH) break;
  }
  await noteStuckErasures(deps.database, now, deps.log);
  await resolveEndedNotes(deps.database, now);
  return erased;
}

const LEASE = statement<{ now: Date; until: Date; limit: number }, LeasedErasure>(
  'lease cards to erase',
  () => `
  update card_erasures erasure set due_at = :until
  from (
    select store_id, token from card_erasures where due_at <= :now order by due_at limit :limit
    for update skip locked
  ) due
  where erasure.store_id = due.store_id and erasure.token = due.token
  returning erasure.store_id as "storeId", dev_mode as "devMode", erasure.token, provider, failures,
    due_at::text as lease`,
);

/** @returns whether the card was erased. */
async function eraseOne(
  deps: EraseCardsDeps,
  erasure: LeasedErasure,
  failures: Map<string, number>,
  now: Date,
): Promise<boolean> {
  const { storeId, provider } = erasure;
  const account = provider ?? storeId;
  if ((await DROP_NEEDED(deps.database, erasure)).length > 0) return false;
  const failed = failures.get(account) ?? 0;
  if (failed >= MOST_FAILURES) return postpone(deps.database, erasure, now);
  try {
    for (const each of await issuersOf(deps, erasure)) await each.cards?.forget(erasure.token);
  } catch (error) {
    failures.set(account, failed + 1);
    deps.log.warn({ storeId, accountId: provider, err: error }, 'card not erased');
    return postpone(deps.database, erasure, now);
  }
  await FORGET(deps.database, erasure);
  return true;
}

/** Without a known account, each account of the store that takes cards is asked: a token that it has not issued is unknown. */
async function issuersOf(
  { database, providers }: EraseCardsDeps,
  { storeId, devMode, provider }: CardErasure,
): Promise<readonly PaymentProvider[]> {
  if (provider !== null) return [await providers.issuerOf({ provider, devMode })];
  const names = devMode ? ['sandbox'] : (await ACCOUNTS(database, { storeId })).map(({ id }) => id);
  const all = await Promise.all(names.map((name) => providers.issuerOf({ provider: name, devMode })));
  return all.filter((each) => hasPort(each, 'cards'));
}

const ACCOUNTS = statement<{ storeId: string }, { id: string }>(
  'find accounts that may have issued a card',
  () => 'select id from provider_accounts where store_id = :storeId order by id',
);

/** Compares the lease: a subscription that ends at the same moment has renewed it, and its wish stays. */
const DROP_NEEDED = statement<LeasedErasure, { token: string }>(
  'keep a card that is needed',
  () => `
  delete from card_erasures
  where store_id = :storeId and token = :token and due_at = :lease::timestamptz
    and (exists (select from subscriptions where card_token = :token and store_id = :storeId and status = 'ACTIVE')
      or exists (select from saved_cards where token = :token and store_id = :storeId and removed_at is null))
  returning token`,
);

async function postpone(database: Database, erasure: LeasedErasure, now: Date): Promise<false> {
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(erasure.failures, 10), LONGEST_PAUSE_MS);
  await POSTPONE(database, { ...erasure, dueAt: new Date(now.getTime() + pauseMs) });
  return false;
}

const POSTPONE = statement<LeasedErasure & { dueAt: Date }>(
  'erase a card later',
  () => `
  update card_erasures set failures = failures + 1, due_at = :dueAt
  where store_id = :storeId and token = :token and due_at = :lease::timestamptz`,
);

/** The token is of no use any more. That of a charge that is still open stays: its run compares it. */
const FORGET = statement<CardErasure>(
  'forget an erased card',
  () => `
  with erased as (delete from card_erasures where store_id = :storeId and token = :token),
    of_saved as (delete from saved_cards where store_id = :storeId and token = :token and removed_at is not null),
    of_subscription as (
      update subscriptions set card_token = null
      where card_token = :token and store_id = :storeId and status <> 'ACTIVE' returning checkout_id
    )
  update charges set card_token = null
  where card_token = :token and status <> 'PENDING' and checkout_id in (select checkout_id from of_subscription)`,
);

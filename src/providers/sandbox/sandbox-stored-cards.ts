import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { CardToken } from '../../domain/card.ts';

const ERASE = statement<{ token: string }>(
  'erase a test card',
  () => `
  insert into sandbox_cards (token, erased_at) values (:token, now())
  on conflict (token) do update set erased_at = coalesce(sandbox_cards.erased_at, excluded.erased_at)`,
);

const IS_ERASED = statement<{ token: string }, { token: string }>(
  'whether a test card was erased',
  () => 'select token from sandbox_cards where token = :token and erased_at is not null',
);

/** Erases a stored test card. The sandbox declines it from now on. */
export async function forgetSandboxCard(database: Database, token: string): Promise<void> {
  await ERASE(database, { token });
}

export async function isErased(database: Database, token: string): Promise<boolean> {
  return (await IS_ERASED(database, { token })).length > 0;
}

/** What a card's issuer has printed on the card that replaces it. */
export interface ReplacedCard {
  readonly lastFour: string;
  /** `YYYY-MM`. */
  readonly expiryMonth: string;
}

const REPLACE = statement<ReplacedCard & { token: string }>(
  'replace a test card',
  () => `
  insert into sandbox_cards (token, last_four, expiry_month) values (:token, :lastFour, :expiryMonth)
  on conflict (token) do update set last_four = excluded.last_four, expiry_month = excluded.expiry_month`,
);

/** The issuer of a stored test card replaces it. The token stays, and behaves as before. */
export async function replaceSandboxCard(
  database: Database,
  token: string,
  card: ReplacedCard,
): Promise<void> {
  await REPLACE(database, { token, ...card });
}

const FIND = statement<{ token: string }, ReplacedCard>(
  'find a replaced test card',
  () => `
  select last_four as "lastFour", expiry_month as "expiryMonth" from sandbox_cards
  where token = :token and last_four is not null and erased_at is null`,
);

/** A stored test card that was replaced. The sandbox has no row of any other. */
export async function findSandboxCard(database: Database, token: string): Promise<CardToken | null> {
  const [found] = await FIND(database, { token });
  return found === undefined ? null : { token, brand: 'visa', ...found };
}

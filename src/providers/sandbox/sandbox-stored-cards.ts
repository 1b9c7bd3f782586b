import type { Database } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';

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

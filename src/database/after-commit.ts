import type { EntityManager, EventSubscriber, MikroORM, TransactionEventArgs } from '@mikro-orm/core';

/** What waits for the commit of a transaction. What is rolled back is forgotten with it. */
const WAITING = new WeakMap<object, (() => void)[]>();

/**
 * Calls `hook` once what was written on `on` is committed: at once where no transaction is open there, and never
 * where it is rolled back. For what may be lost should the process die right after the commit, such as counts.
 */
export function afterCommit(on: EntityManager | MikroORM, hook: () => void): void {
  const transaction: object | undefined = 'em' in on ? undefined : on.getTransactionContext();
  if (transaction === undefined) hook();
  else WAITING.set(transaction, [...(WAITING.get(transaction) ?? []), hook]);
}

/** Has every database call what waits for its commits. */
export const COMMIT_LISTENER: EventSubscriber = {
  afterTransactionCommit({ transaction }: TransactionEventArgs) {
    const waiting = WAITING.get(transaction as object) ?? [];
    WAITING.delete(transaction as object);
    for (const hook of waiting) hook();
  },
};

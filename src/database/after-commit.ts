import type { EntityManager, EventSubscriber, MikroORM, TransactionEventArgs } from '@mikro-orm/core';

/** Hooks that wait for a transaction's commit. A rollback discards them. */
const WAITING = new WeakMap<object, (() => void)[]>();

/**
 * Calls `hook` once the writes on `on` are committed: at once if no transaction is open there, never after a
 * rollback. For work that may be lost if the process dies right after the commit, such as counters.
 */
export function afterCommit(on: EntityManager | MikroORM, hook: () => void): void {
  const transaction: object | undefined = 'em' in on ? undefined : on.getTransactionContext();
  if (transaction === undefined) hook();
  else WAITING.set(transaction, [...(WAITING.get(transaction) ?? []), hook]);
}

/** Calls the waiting hooks after each commit. */
export const COMMIT_LISTENER: EventSubscriber = {
  afterTransactionCommit({ transaction }: TransactionEventArgs) {
    const waiting = WAITING.get(transaction as object) ?? [];
    WAITING.delete(transaction as object);
    for (const hook of waiting) hook();
  },
};

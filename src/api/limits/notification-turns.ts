import type { StoreId } from '../../domain/ids.ts';
import { type BusyEnvironments, EXPECTED_MS } from '../../temporal/busy-environments.ts';
import { owed } from './owed.ts';
import { type KindOfTurn, ThreadDebts, ThreadTurns } from './thread-turns.ts';

/** A store gets half of the process at most: some hundred notifications of a payment a second. Those that wait for a bank keep no others waiting. */
const NOTIFICATIONS: KindOfTurn = {
  alone: Number.POSITIVE_INFINITY,
  beside: 32,
  inDebt: 4,
  owedMs: owed(2),
  // Banks close the connection after ten seconds, and notify again.
  waitMs: 8_000,
  longestMs: 250,
};

/**
 * How notifications at known addresses share the main thread while other stores need it. They are no requests of strangers, but the owner of
 * a store knows its address, which may be all the proof that a provider gives.
 */
export class NotificationTurns {
  readonly #turns: ThreadTurns<StoreId>;

  constructor(busy: Pick<BusyEnvironments, 'othersThan'>) {
    const isBeside = (storeId: StoreId) => busy.othersThan({ storeId, devMode: false }, EXPECTED_MS);
    this.#turns = new ThreadTurns(new ThreadDebts(), NOTIFICATIONS, isBeside);
  }

  /** @throws ApiError 429 if the turn does not come in time; nothing has run then. */
  run(storeId: StoreId, serve: () => Promise<void>): Promise<void> {
    return this.#turns.run(storeId, serve, '', { isWhole: true });
  }
}

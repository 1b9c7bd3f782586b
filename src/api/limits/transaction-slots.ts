import type { StoreId } from '../../domain/ids.ts';
import type { RequestSlots } from '../frame/serve-route.ts';

/**
 * Where forms of the dashboard wait for their transaction, together with the requests of keys. Each holds a connection to Postgres, and many
 * need a second one: without a limit, forms of one session could hold all connections and wait for each other.
 */
export class TransactionSlots {
  readonly #slots: Pick<RequestSlots, 'audited' | 'keyed'>;

  constructor(slots: Pick<RequestSlots, 'audited' | 'keyed'>) {
    this.#slots = slots;
  }

  /**
   * @param sessionId of the member. Sessions and keys take turns, so that none of them keeps an owner from revoking it.
   * @throws ApiError 503 if no slot is free in time; nothing has run then.
   */
  run<Result>(storeId: StoreId, sessionId: string, work: () => Promise<Result>): Promise<Result> {
    const { audited, keyed } = this.#slots;
    return audited.run(storeId, () => keyed.run(storeId, work, sessionId), sessionId);
  }
}

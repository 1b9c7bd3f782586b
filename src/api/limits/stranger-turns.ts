import type { RequestCost } from '../../request-cost.ts';
import { type KindOfTurn, ThreadDebts, ThreadTurns } from './thread-turns.ts';

/** All of them together: an attacker may have any number of addresses. */
const STRANGERS = 'strangers';

/** Twice what a page takes, of which half passes while it runs: pages take half of the process at most. */
const PAID_BACK = 2;
const PAGES: KindOfTurn = {
  alone: Number.POSITIVE_INFINITY,
  beside: 16,
  inDebt: 4,
  owedMs: ({ mainThreadMs }: RequestCost) => mainThreadMs * PAID_BACK,
  waitMs: 10_000,
};

/**
 * How pages for people without a session share the main thread while stores need it: those for payers, and whatever else the Internet
 * asks for. Clients take turns, so that a flood from thousands of addresses takes half of the process at most, and one from a single IPv6
 * site delays a payer by one page.
 */
export class StrangerTurns {
  readonly #pages: ThreadTurns<typeof STRANGERS>;

  constructor(areStoresBusy: () => boolean) {
    this.#pages = new ThreadTurns(new ThreadDebts(), PAGES, areStoresBusy);
  }

  /**
   * @param client an address, or the IPv6 site of one.
   * @throws ApiError 429 if the turn does not come in time; nothing has run then.
   */
  inTurn(client: string, page: () => Promise<void>): Promise<void> {
    return this.#pages.run(STRANGERS, page, client, true);
  }
}

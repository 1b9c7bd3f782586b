import type { RequestCost } from '../../request-cost.ts';
import { type KindOfTurn, ThreadDebts, ThreadTurns } from './thread-turns.ts';

/** All of them together: an attacker may have any number of addresses. */
const STRANGERS = 'strangers';

/**
 * How much longer the main thread is busy with a request than is counted: its headers are read, its answer is logged, and memory is
 * cleared. Of pages and of forms with wrong fields three quarters are counted (2026-12-01).
 */
const REAL_PART = 4 / 3;

/** @param times how often the time of a request is paid back, of which once passes while it runs. */
const owed =
  (times: number) =>
  ({ mainThreadMs }: RequestCost) =>
    mainThreadMs * REAL_PART * times;

/** Pages take a third of the process at most. One at a time: several would take the main thread in one piece, which a create waits for at each of its statements. */
const PAGES: KindOfTurn = {
  alone: Number.POSITIVE_INFINITY,
  beside: 16,
  inDebt: 1,
  owedMs: owed(3),
  waitMs: 10_000,
};

/**
 * Those that begin no payment take a quarter of the process at most. Some wait for a bank or an issuer, and keep nobody else waiting
 * meanwhile: at least 128 a second begin.
 */
const FORMS: KindOfTurn = { ...PAGES, beside: 32, inDebt: 4, owedMs: owed(4), longestMs: 250 };

/**
 * How pages and forms for people without a session share the main thread while stores need it: those for payers, and whatever else the
 * Internet asks for. Clients take turns, so that a flood from thousands of addresses takes a third of the process at most, and one from a
 * single IPv6 site delays a payer by one page.
 */
export class StrangerTurns {
  readonly #pages: ThreadTurns<typeof STRANGERS>;
  /** Apart, so that a payer who confirms a payment does not wait for those who look at pages. */
  readonly #forms: ThreadTurns<typeof STRANGERS>;

  constructor(areStoresBusy: () => boolean) {
    this.#pages = new ThreadTurns(new ThreadDebts(), PAGES, areStoresBusy);
    this.#forms = new ThreadTurns(new ThreadDebts(), FORMS, areStoresBusy);
  }

  /**
   * @param client an address, or the IPv6 site of one.
   * @throws ApiError 429 if the turn does not come in time; nothing has run then.
   */
  page(client: string, serve: () => Promise<void>): Promise<void> {
    return this.#pages.run(STRANGERS, serve, client, { isWhole: true });
  }

  /**
   * The same for a form. One that begins a payment owes nothing: however many payers pay, none of them waits for another one.
   * @param hasPaid asked when it was answered.
   */
  form(client: string, serve: () => Promise<void>, hasPaid: () => boolean): Promise<void> {
    return this.#forms.run(STRANGERS, serve, client, { isWhole: true, isOwed: () => !hasPaid() });
  }
}

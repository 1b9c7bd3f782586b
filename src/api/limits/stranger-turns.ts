import { type BusyEnvironments, EXPECTED_MS } from '../../temporal/busy-environments.ts';
import { owed } from './owed.ts';
import { type KindOfTurn, ThreadDebts, ThreadTurns } from './thread-turns.ts';

/** All of them together: an attacker may have any number of addresses. */
const STRANGERS = 'strangers';

/** Pages take a third of the process at most. One at a time: several would take the main thread in one piece, which a create waits for at each of its statements. */
const PAGES: KindOfTurn = {
  // With more at once, the first create after a quiet minute would meet all pages of a flood.
  alone: 16,
  beside: 16,
  inDebt: 1,
  owedMs: owed(3),
  waitMs: 10_000,
};

/**
 * Those that begin no payment take a quarter of the process at most. Some wait for a bank or an issuer, and keep nobody else waiting
 * meanwhile: at least 128 a second begin.
 */
const FORMS: KindOfTurn = { ...PAGES, alone: 64, beside: 32, inDebt: 4, owedMs: owed(4), longestMs: 250 };

/** People who are signed in, and ask for what belongs to no store of theirs. Some forms of theirs wait for a password to be compared. */
const PEOPLE: KindOfTurn = { ...PAGES, longestMs: 250 };

/**
 * How pages and forms for people without a session share the main thread while stores need it: those for payers, and whatever else the
 * Internet asks for. Clients take turns, so that a flood from thousands of addresses takes a third of the process at most, and one from a
 * single IPv6 site delays a payer by one page. Requests with made-up keys, and those of people outside of their stores, take such turns, too.
 */
export class StrangerTurns {
  readonly #pages: ThreadTurns<typeof STRANGERS>;
  /** Apart, so that a payer who confirms a payment does not wait for those who look at pages. */
  readonly #forms: ThreadTurns<typeof STRANGERS>;
  /** In lines of their own, and with the same debts: all of these take no more than pages, or forms, alone. */
  readonly #people: ThreadTurns<typeof STRANGERS>;
  readonly #lookups: ThreadTurns<typeof STRANGERS>;

  constructor(areStoresBusy: () => boolean) {
    const [pages, forms] = [new ThreadDebts<typeof STRANGERS>(), new ThreadDebts<typeof STRANGERS>()];
    this.#pages = new ThreadTurns(pages, PAGES, areStoresBusy);
    this.#people = new ThreadTurns(pages, PEOPLE, areStoresBusy);
    this.#forms = new ThreadTurns(forms, FORMS, areStoresBusy);
    this.#lookups = new ThreadTurns(forms, FORMS, areStoresBusy);
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

  /** The same for what a person with a session asks for outside of their stores. */
  person(id: string, serve: () => Promise<void>): Promise<void> {
    return this.#people.run(STRANGERS, serve, id, { isWhole: true });
  }

  /**
   * The same for a request with a key that this process has not served: it may be made up. Otherwise it owes nothing.
   * @param wasFound asked when it was answered.
   */
  lookup(client: string, serve: () => Promise<void>, wasFound: () => boolean): Promise<void> {
    return this.#lookups.run(STRANGERS, serve, client, { isWhole: true, isOwed: () => !wasFound() });
  }
}

/** How strangers share this process, at all its ports. */
export function strangerTurns({ busy }: { readonly busy: Pick<BusyEnvironments, 'any'> }): StrangerTurns {
  return new StrangerTurns(() => busy.any(EXPECTED_MS));
}

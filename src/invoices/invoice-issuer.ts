import { setTimeout as sleep } from 'node:timers/promises';
import { type IssueDeps, issueInvoices } from './issue-invoices.ts';
import { CANCELLATIONS_AT_ONCE, publishCancellations } from './nfse/publish-cancellations.ts';

/** How long a new invoice waits for its number, at most. */
const LOOK_EVERY_MS = 500;

/** Issues invoices as their rows appear, and publishes which NFS-e have to be cancelled. Every worker runs one; each invoice is issued by one of them. */
export class InvoiceIssuer {
  readonly #deps: IssueDeps;
  readonly #stop = new AbortController();
  #loop: Promise<void> = Promise.resolve();

  constructor(deps: IssueDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** Resolves when the last batch has ended. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        const isFull = await issueInvoices(this.#deps, new Date());
        const published = await publishCancellations(this.#deps, new Date());
        if (isFull || published === CANCELLATIONS_AT_ONCE) continue;
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'invoices not issued: Postgres unreachable');
      }
      await sleep(LOOK_EVERY_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    }
  }
}

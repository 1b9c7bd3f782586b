/** Servers send one or two before their response, such as early hints (103, RFC 8297). */
const MOST = 10;

/**
 * Counts the informational responses (1xx) to one request. A server can send millions of them a second: they take this process's thread
 * from all others, and each starts undici's timeout of the headers again.
 */
export class InformationalResponses {
  #count = 0;

  /** Counts one. @returns whether there are too many. */
  isOver(): boolean {
    this.#count += 1;
    return this.#count > MOST;
  }
}

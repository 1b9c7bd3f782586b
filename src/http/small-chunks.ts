import type { IncomingMessage } from 'node:http';
import type { ClosedAddresses } from './closed-addresses.ts';

/** What is sent in larger chunks costs no more than its bytes. */
const SMALL_BYTES = 256;
/** A program that sends each value of the largest body that counts as one request in a chunk of its own needs a thousand. */
const MOST_SMALL = 2_000;

/**
 * Closes connections whose chunked body comes in thousands of small pieces. Each costs a microsecond of the main thread, however small it
 * is, also after the request was refused and the rest is only discarded: one stranger's connection that sent single bytes
 * kept the process busy for a minute, with one request that counts.
 */
export class SmallChunks {
  readonly #addresses: Pick<ClosedAddresses, 'close'>;

  constructor(addresses: Pick<ClosedAddresses, 'close'>) {
    this.#addresses = addresses;
  }

  /** Watches a request whose headers have arrived. */
  watch(request: IncomingMessage): void {
    if (request.headers['transfer-encoding'] === undefined) return;
    const { push } = request;
    let small = 0;
    request.push = (chunk: Buffer | null, ...more) => {
      if (chunk !== null && chunk.length < SMALL_BYTES) small += 1;
      if (small > MOST_SMALL) this.#addresses.close(request.socket);
      return Reflect.apply(push, request, [chunk, ...more]);
    };
    // Node.js' own discards what it reads without passing it on.
    Object.assign(request, { _dump: () => void request.resume() });
  }
}

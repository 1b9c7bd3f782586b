import type { IncomingMessage } from 'node:http';
import type { ClosedAddresses } from './closed-addresses.ts';
import { type RateLimit, RateLimiter } from './rate-limiter.ts';

/** What is sent in larger chunks costs no more than its bytes. */
const SMALL_BYTES = 256;
/** A program that sends each value of the largest body that counts as one request in a chunk of its own needs a thousand. */
const MOST_SMALL = 2_000;
/** All connections of an address together. Hardly any body has one: what a program writes at once arrives together. */
const OF_ADDRESS: RateLimit = { perSecond: 500, burst: 10_000 };

/**
 * Closes connections whose body comes in thousands of small pieces, in chunks or packets. Each costs a microsecond of the main thread or
 * ten, however small it is, also after the request was refused and the rest is only discarded: one stranger's connection that sent single
 * bytes kept the process busy for a minute, with one request that counts.
 */
export class SmallChunks {
  readonly #addresses: Pick<ClosedAddresses, 'close' | 'addressOf'>;
  readonly #ofAddresses = new RateLimiter(OF_ADDRESS);

  constructor(addresses: Pick<ClosedAddresses, 'close' | 'addressOf'>) {
    this.#addresses = addresses;
  }

  /** Watches a request whose headers have arrived. */
  watch(request: IncomingMessage): void {
    const { push, headers } = request;
    if (headers['transfer-encoding'] === undefined && headers['content-length'] === undefined) return;
    const address = this.#addresses.addressOf(request.socket);
    let small = 0;
    request.push = (chunk: Buffer | null, ...more) => {
      if (chunk !== null && chunk.length < SMALL_BYTES) {
        small += 1;
        const passes = address === null || this.#ofAddresses.take(address, performance.now()).isAllowed;
        if (small > MOST_SMALL || !passes) this.#addresses.close(request.socket);
      }
      return Reflect.apply(push, request, [chunk, ...more]);
    };
    // Node.js' own discards what it reads without passing it on.
    Object.assign(request, { _dump: () => void request.resume() });
  }
}

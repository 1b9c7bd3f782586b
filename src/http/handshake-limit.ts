import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { ClientAddresses } from './client-address.ts';
import { type RateLimit, RateLimiter } from './rate-limiter.ts';
import { RecentMap } from './recent-map.ts';

/** How many handshakes that prove nothing are carried out. */
export interface HandshakeRates {
  readonly ofAddress: RateLimit;
  /** All addresses together that have never proven anything to this process. */
  readonly ofStrangers: RateLimit;
}

/** More connections than a bank opens at once before its first notification on each has arrived. */
const RATES: HandshakeRates = {
  ofAddress: { perSecond: 2, burst: 50 },
  ofStrangers: { perSecond: 5, burst: 100 },
};

/** More addresses than the banks of all stores send from. */
const MOST_PROVEN = 10_000;

const ALL_STRANGERS = 'strangers';

/**
 * Limits TLS handshakes of connections that prove nothing. OpenSSL verifies every signature of the chain that a client shows, on the thread
 * of the API, before it is known who the client is: 100 kB of certificates with keys of 16,384 bits keep a core busy for 80 ms. Four such
 * connections at a time made a read of the API take 380 ms instead of 8. A bank that is refused notifies again.
 */
export class HandshakeLimit {
  readonly #addresses: ClientAddresses;
  readonly #ofAddress: RateLimiter;
  readonly #ofStrangers: RateLimiter;
  readonly #proven = new RecentMap<string, true>(MOST_PROVEN);
  readonly #returned = new WeakSet<Socket>();

  constructor(addresses: ClientAddresses, { ofAddress, ofStrangers }: HandshakeRates = RATES) {
    this.#addresses = addresses;
    this.#ofAddress = new RateLimiter(ofAddress);
    this.#ofStrangers = new RateLimiter(ofStrangers);
  }

  /** Closes new connections over a limit before their handshake. */
  watch(server: Pick<Server, 'on'>): void {
    server.on('connection', (socket: Socket) => {
      const address = this.#addressOf(socket);
      if (address === null || !this.#isAllowed(address)) socket.destroy();
    });
  }

  #isAllowed(address: string): boolean {
    const nowMs = performance.now();
    if (!this.#ofAddress.take(address, nowMs).isAllowed) return false;
    return this.#proven.has(address) || this.#ofStrangers.take(ALL_STRANGERS, nowMs).isAllowed;
  }

  /** Call it if a request has proven that its client is a bank of an account: its connection does not count. */
  proven(socket: Socket): void {
    const address = this.#addressOf(socket);
    if (address === null || this.#returned.has(socket)) return;
    this.#returned.add(socket);
    this.#ofAddress.returnToken(address);
    if (!this.#proven.has(address)) this.#ofStrangers.returnToken(ALL_STRANGERS);
    this.#proven.set(address, true);
  }

  #addressOf(socket: Socket): string | null {
    return this.#addresses.ofConnection(socket)?.address ?? null;
  }
}

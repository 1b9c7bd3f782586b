import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import { AnonymousTraffic, type Counted, type Limit } from './anonymous-traffic.ts';
import { ClientAddresses, shortened } from './client-address.ts';

/** Limits that are counted by the address of whoever asks. */
type LimitOfAddress = Extract<Limit, `${string}OfAddress`>;

/** What a request is counted by: its address, and what else is named. */
export interface CountedRequest {
  readonly request: IncomingMessage;
  readonly ofAddress: LimitOfAddress;
  readonly also?: Counted;
  /**
   * Whether `besides` is counted where a gateway holds back addresses too: guesses at one person's password come from many.
   */
  readonly always?: boolean;
}

/** Where those without a key are counted, or let pass where a gateway in front of the service does that. */
export class TrafficLimiter {
  readonly #traffic: AnonymousTraffic;
  readonly #isLimiting: boolean;
  readonly #addresses: ClientAddresses;
  readonly #log: Logger;
  /** A proxy that was forgotten is told of once. */
  #hasWarned: boolean = false;

  constructor(
    database: Database,
    config: { readonly limitAnonymousTraffic: boolean; readonly trustedProxies: readonly string[] },
    log: Logger,
  ) {
    this.#traffic = new AnonymousTraffic(database);
    this.#isLimiting = config.limitAnonymousTraffic;
    this.#addresses = new ClientAddresses(config.trustedProxies);
    this.#log = log;
  }

  /** Counts it. @returns null where it may pass, else after how many seconds it may come again. */
  async count(counted: CountedRequest): Promise<number | null> {
    if (this.#isLimiting) this.#warnAboutUntrustedProxy(counted.request);
    return this.#traffic.count(...this.#all(counted));
  }

  /** Counts what people do who are known, wherever they come from. @returns as {@link count} does. */
  countKnown(...counted: readonly Counted[]): Promise<number | null> {
    return this.#traffic.count(...counted);
  }

  /** Takes back what {@link countKnown} counted. */
  uncountKnown(...counted: readonly Counted[]): Promise<void> {
    return this.#traffic.uncount(...counted);
  }

  /** Takes back what was counted. */
  async uncount(counted: CountedRequest): Promise<void> {
    await this.#traffic.uncount(...this.#all(counted));
  }

  /** Where somebody comes from: whom the proxies of the service name. */
  addressOf(request: IncomingMessage): string {
    return this.#addresses.of(request);
  }

  /** The same as a whole address; null once the connection is gone. */
  exactAddressOf(request: IncomingMessage): string | null {
    return this.#addresses.exactly(request);
  }

  /** Where somebody comes from, for people to read: of an IPv4 address without its last number. */
  shortAddressOf(request: IncomingMessage): string {
    return shortened(this.#addresses.of(request));
  }

  #all({ request, ofAddress, also, always = false }: CountedRequest): Counted[] {
    if (!this.#isLimiting) return always && also !== undefined ? [also] : [];
    const own: Counted = [ofAddress, this.#addresses.of(request)];
    return also === undefined ? [own] : [own, also];
  }

  /** Everybody behind a proxy that is not named has its address, and shares its limits. */
  #warnAboutUntrustedProxy(request: IncomingMessage): void {
    if (this.#hasWarned || !this.#addresses.isForwardedByStranger(request)) return;
    this.#hasWarned = true;
    this.#log.warn('X-Forwarded-For was sent by who is not in TRUSTED_PROXIES');
  }
}

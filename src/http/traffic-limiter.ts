import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import type { StoreId } from '../domain/ids.ts';
import { AnonymousTraffic, type Counted } from './anonymous-traffic.ts';
import { ClientAddresses } from './client-address.ts';
import { type DeviceOfCookie, DeviceReserve } from './device-reserve.ts';
import { PasswordQueue } from './password-queue.ts';
import { placeOf } from './place-of.ts';
import type { RateLimit } from './rate-limiter.ts';
import { RecentMap } from './recent-map.ts';
import type { Limit } from './request-and-guess-limits.ts';
import { shortenIpAddress } from './shorten-ip-address.ts';
import { VisitLimits } from './visits.ts';

interface Config {
  /** Whether addresses are limited; false if a gateway does so. */
  readonly limitAnonymousTraffic: boolean;
  /** Of a store's keys; null for none. */
  readonly rateLimit: RateLimit | null;
  readonly trustedProxies: readonly string[];
}

/** Limits counted by client address. */
type LimitOfAddress = Extract<Limit, `${string}OfAddress`>;

/** A request to count by its address, and further limits. */
export interface CountedRequest {
  readonly request: IncomingMessage;
  readonly ofAddress: LimitOfAddress;
  readonly also?: Counted;
  /**
   * Whether `also` is counted even if a gateway limits addresses, because guesses of one person's password
   * may come from many addresses.
   */
  readonly always?: boolean;
}

/** More people than use one process within a day, and more pages than payers open within some minutes. */
const MOST_KNOWN = 10_000;

/** Counts requests without a key, or lets them pass if a gateway in front of the service limits them. */
export class TrafficLimiter {
  /** Of people who are not signed in. */
  readonly passwordQueue = new PasswordQueue();
  /**
   * The people of sessions that this process has seen, by the hash of the session's token. Null while a session awaits its code: it
   * counts for its address, so that someone who has only the password uses up nothing of the person's.
   */
  readonly knownSessions = new RecentMap<string, string | null>(MOST_KNOWN);
  /** Pages of payers that this process has shown, by {@link placeOf} their path. */
  readonly #knownPages = new RecentMap<string, true>(MOST_KNOWN);
  /** The stores of addresses at which this process has accepted notifications, by {@link placeOf} their path. Providers prove themselves by a secret in it. */
  readonly knownNotifications = new RecentMap<string, StoreId>(MOST_KNOWN);
  readonly visits: VisitLimits;
  readonly #traffic: AnonymousTraffic;
  readonly #isLimiting: boolean;
  readonly #addresses: ClientAddresses;
  readonly #log: Logger;
  /** Warns about a missing proxy only once. */
  #hasWarned: boolean = false;

  /** @param deviceOf reads the cookie of a browser in which somebody has signed in to the dashboard. */
  constructor(database: Database, config: Config, log: Logger, deviceOf: DeviceOfCookie = () => null) {
    this.#traffic = new AnonymousTraffic(database);
    this.#isLimiting = config.limitAnonymousTraffic;
    this.#addresses = new ClientAddresses(config.trustedProxies);
    this.#log = log;
    const devices = new DeviceReserve(database, log, deviceOf);
    const known = { sessions: this.knownSessions, notifications: this.knownNotifications };
    this.visits = new VisitLimits(config, this.#addresses, known, devices);
  }

  /** Whether this process has shown the page of a path. */
  isKnownPage(path: string): boolean {
    return this.#knownPages.has(placeOf(path));
  }

  notePage(path: string): void {
    this.#knownPages.set(placeOf(path), true);
  }

  /** Counts a request. @returns null if it may pass, otherwise the seconds until a retry. */
  async count(counted: CountedRequest): Promise<number | null> {
    if (this.#isLimiting) this.#warnAboutUntrustedProxy(counted.request);
    return this.#traffic.count(...this.#all(counted));
  }

  /**
   * The same without counting, and without a query: whether this process remembers that the client's address is far over a limit.
   */
  refusedFromMemory(request: IncomingMessage, ofAddress: LimitOfAddress): number | null {
    if (!this.#isLimiting) return null;
    const refused = this.#ofClient(request, ofAddress).map((counted) => this.#traffic.refusedFor(counted));
    return refused.find((seconds) => seconds !== null) ?? null;
  }

  /** Counts actions of signed-in people, independent of their address. @returns as {@link count} does. */
  countKnown(...counted: readonly Counted[]): Promise<number | null> {
    return this.#traffic.count(...counted);
  }

  /**
   * Counts towards a limit of an object that strangers share with payers: a public key, or the checkout of a link. The first requests of
   * an address have a reserve of the same size, so that a few addresses that send many leave the others their place.
   * @param always whether it is counted even if a gateway limits addresses.
   * @returns as {@link count} does.
   */
  async countShared(
    request: IncomingMessage,
    [limit, of]: Counted,
    { always = false } = {},
  ): Promise<number | null> {
    if (!this.#isLimiting && !always) return null;
    const firsts = this.#ofClient(request, 'firstsOfAddress', `${limit} ${of} `);
    const isFirst = (await this.#traffic.count(...firsts)) === null;
    if (isFirst && (await this.#traffic.count([limit, `reserved ${of}`])) === null) return null;
    return this.#traffic.count([limit, of]);
  }

  /** Undoes {@link countKnown}. */
  uncountKnown(...counted: readonly Counted[]): Promise<void> {
    return this.#traffic.uncount(...counted);
  }

  /** Undoes {@link count}. */
  async uncount(counted: CountedRequest): Promise<void> {
    await this.#traffic.uncount(...this.#all(counted));
  }

  /** The client address, as named by trusted proxies. */
  addressOf(request: IncomingMessage): string {
    return this.#addresses.of(request);
  }

  /** The IPv6 site of the client; null for IPv4. */
  siteOf(request: IncomingMessage): string | null {
    return this.#addresses.siteOf(request);
  }

  /** The full client address; null once the connection is closed. */
  exactAddressOf(request: IncomingMessage): string | null {
    return this.#addresses.exactly(request);
  }

  /** The client address for people to read; an IPv4 address without its last number. */
  shortAddressOf(request: IncomingMessage): string {
    return shortenIpAddress(this.#addresses.of(request));
  }

  #all({ request, ofAddress, also, always = false }: CountedRequest): Counted[] {
    if (!this.#isLimiting) return always && also !== undefined ? [also] : [];
    const own = this.#ofClient(request, ofAddress);
    return also === undefined ? own : [...own, also];
  }

  /** Once for the address, and once for its IPv6 site: otherwise a site would have the limit 65,536 times. */
  #ofClient(request: IncomingMessage, limit: LimitOfAddress, prefix = ''): Counted[] {
    const site = this.siteOf(request);
    const own: Counted = [limit, prefix + this.#addresses.of(request)];
    return site === null ? [own] : [own, [limit, prefix + site, 'SITE']];
  }

  /** All clients behind an untrusted proxy share the proxy's address and its limits. */
  #warnAboutUntrustedProxy(request: IncomingMessage): void {
    if (this.#hasWarned || !this.#addresses.isForwardedByStranger(request)) return;
    this.#hasWarned = true;
    this.#log.warn('X-Forwarded-For was sent by an address that is not in TRUSTED_PROXIES');
  }
}

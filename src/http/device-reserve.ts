import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import type { Database } from '../database/orm.ts';
import { type RateLimit, RateLimiter } from './rate-limiter.ts';
import { SharedRates } from './shared-rates.ts';

/** The id of the device whose cookie this is; null if the service has not signed it, or it has expired. Costs no query. */
export type DeviceOfCookie = (cookie: string, now: Date) => string | null;

/** Enough to sign in twice, with all pages and files: a device needs it only while others use up its address. */
const DEVICE: RateLimit = { perSecond: 1, burst: 30 };
/** All devices of an address together: somebody with many accounts gets no more through than without a device. */
const DEVICES_OF_ADDRESS: RateLimit = { perSecond: 50, burst: 200 };

const COOKIE = /(?:^|;\s*)(?:__Host-)?recebe_device=([\w.-]{50,200})(?:;|$)/;

/** The dashboard and its files. Payers have no device. */
const SERVED = /^\/(?:dashboard|assets|js)(?:[/?]|$)/;

/**
 * What a browser in which somebody has signed in may do whatever others of its address do, across all processes. The cookie signs nobody
 * in: a sign-in compares its proof with the account, so a revoked one opens the form and nothing else.
 */
export class DeviceReserve {
  readonly #devices = new RateLimiter(DEVICE);
  readonly #addresses = new RateLimiter(DEVICES_OF_ADDRESS);
  readonly #shared: SharedRates;
  readonly #deviceOf: DeviceOfCookie;

  constructor(database: Database, log: Pick<Logger, 'warn'>, deviceOf: DeviceOfCookie) {
    this.#shared = new SharedRates(database, this.#devices, log);
    this.#deviceOf = deviceOf;
  }

  /** Who sends a request to the dashboard, if it has the cookie of a device; otherwise null. */
  clientOf({ headers, url = '' }: IncomingMessage, nowMs: number): string | null {
    if (!SERVED.test(url)) return null;
    const [, cookie] = COOKIE.exec(headers.cookie ?? '') ?? [];
    const id = cookie === undefined ? null : this.#deviceOf(cookie, new Date(nowMs));
    return id === null ? null : `device ${id}`;
  }

  /** Counts a request that its address may not send any more. @returns whether it passes as one of a device. */
  take(request: IncomingMessage, address: string, nowMs: number, cost: number): boolean {
    const device = this.clientOf(request, nowMs);
    if (device === null) return false;
    this.#shared.note(device, nowMs);
    return (
      this.#devices.take(device, nowMs, cost).isAllowed &&
      this.#addresses.take(address, nowMs, cost).isAllowed
    );
  }
}

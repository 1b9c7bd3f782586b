import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { StoreId } from '../domain/ids.ts';
import type { ClientAddresses } from './client-address.ts';
import type { DeviceReserve } from './device-reserve.ts';
import { placeOf } from './place-of.ts';
import { type RateLimit, RateLimiter } from './rate-limiter.ts';
import type { RecentMap } from './recent-map.ts';

/**
 * All requests of one client address without a known API key or session: pages of payers, sign-ins, documentation. As much as its limit of
 * pages in a minute, without its burst: every request here costs milliseconds of a core.
 */
const ADDRESS: RateLimit = { perSecond: 50, burst: 200 };
/** The same for an IPv6 site, which many people may share. */
const SITE: RateLimit = { perSecond: 500, burst: 2_000 };

/** Files of pages, beyond these limits: an address that is refused sees why, and not without a style. They are in memory. */
const FILES: RateLimit = { perSecond: 2, burst: 20 };
const FILE = /^\/assets\//;
/** The same, and scripts. */
const FILE_OF_PAGES = /^\/(?:assets|js)\//;

/**
 * What a person with a session may ask for outside of the turns of a store, such as the list of their stores or pages that do not exist,
 * before it takes the turns of people.
 */
const STRAY: RateLimit = { perSecond: 0.2, burst: 10 };

/** What a session is for, and the files of those pages. At other paths its cookie changes nothing. */
const FOR_SESSIONS = /^\/(?:dashboard|assets|js)(?:[/?]|$)/;

/** Of the limit for a store's keys: a page of the dashboard costs several times what a request of a key does. */
const SESSION_PART = 0.1;
/** All sessions of a person together. Someone with a stolen session must not keep its owner from ending it, or from revoking a key. */
const PERSON_PART = 3 * SESSION_PART;
/** All members of a store together: otherwise members would be a way around the limit, as keys would. */
const STORE_PART = 0.5;
/**
 * What a session may do in a store whatever other members do: open a page and send its form. Their floods must not keep an owner from
 * revoking a key, ending a session or removing a member.
 */
const RESERVED_PART = 0.01;
const RESERVED_BURST_PART = 0.05;

const SESSION = /(?:^|;\s*)(?:__Host-)?recebe_session=([\w-]{43})(?:;|$)/;

/** What a request counts, by the start of its path, as {@link pathOf} returns it. A search looks through all guides; files are in memory. */
const COSTS: readonly (readonly [start: string, cost: number])[] = [
  ['/docs/search', 5],
  ['/assets/', 0.2],
  ['/js/', 0.2],
];

/** Load balancers ask for these. */
const PROBE = /^\/(?:healthz|readyz)$/;
/** Providers send many notifications from few addresses. */
const NOTIFICATION = /^(\/notifications\/[^?]*)/;

/** The path as routes understand it: in any case, after an origin (`http://…`), and with a backslash in place of a slash. */
function pathOf(url: string): string {
  return url
    .replace(/^[^/?#]+:\/\/[^/\\?#]*/, '')
    .replaceAll('\\', '/')
    .toLowerCase();
}

/** Limits of requests without an API key, in the memory of one process: refusing costs microseconds, and no query. */
export class VisitLimits {
  readonly #addresses: RateLimiter | null;
  readonly #sites = new RateLimiter(SITE);
  readonly #files = new RateLimiter(FILES);
  readonly #sessions: RateLimiter | null;
  readonly #people: RateLimiter | null;
  readonly #strays = new RateLimiter(STRAY);
  readonly #stores: RateLimiter | null;
  readonly #reserves: ReturnType<typeof reservesOf> | null;
  readonly #addressesOf: ClientAddresses;
  readonly #devices: DeviceReserve;
  readonly #known: Known;

  /** @param known what this process has served. */
  constructor(
    config: { readonly limitAnonymousTraffic: boolean; readonly rateLimit: RateLimit | null },
    addressesOf: ClientAddresses,
    known: Known,
    devices: DeviceReserve,
  ) {
    const part = (of: number) =>
      config.rateLimit &&
      new RateLimiter({ perSecond: config.rateLimit.perSecond * of, burst: config.rateLimit.burst * of * 2 });
    this.#addresses = config.limitAnonymousTraffic ? new RateLimiter(ADDRESS) : null;
    this.#sessions = part(SESSION_PART);
    this.#people = part(PERSON_PART);
    this.#stores = part(STORE_PART);
    this.#reserves = config.rateLimit && reservesOf(config.rateLimit);
    this.#addressesOf = addressesOf;
    this.#known = known;
    this.#devices = devices;
  }

  /**
   * Counts a request by its session and person, or else by its address. If the person or the address has sent too many, it counts by
   * its device. @returns null if it may pass, otherwise the seconds until a retry.
   */
  count(request: IncomingMessage, nowMs: number): number | null {
    if (this.#isUncounted(request)) return null;
    const path = pathOf(request.url ?? '');
    const [, cost = 1] = COSTS.find(([start]) => path.startsWith(start)) ?? [];
    const known = this.#knownOf(request);
    const ofSession = known && refusalOf(this.#sessions, known.session, nowMs, cost);
    if (ofSession !== null) return ofSession;
    const seconds =
      known === null
        ? this.#countStranger(request, nowMs, cost)
        : refusalOf(this.#people, known.person, nowMs, cost);
    if (seconds === null) return null;
    return this.#devices.take(request, this.#placeOf(request), nowMs, cost) ? null : seconds;
  }

  #countStranger(request: IncomingMessage, nowMs: number, cost: number): number | null {
    if (this.#addresses === null) return null;
    const site = this.#addressesOf.siteOf(request);
    const seconds =
      refusalOf(this.#addresses, this.#addressesOf.of(request), nowMs, cost) ??
      (site === null ? null : refusalOf(this.#sites, site, nowMs, cost));
    if (seconds === null) return null;
    const isFile = FILE.test(request.url ?? '');
    return isFile && this.#files.take(this.#placeOf(request), nowMs, cost).isAllowed ? null : seconds;
  }

  /** The IPv6 site of a client, or its address. */
  #placeOf(request: IncomingMessage): string {
    return this.#addressesOf.siteOf(request) ?? this.#addressesOf.of(request);
  }

  /** The store that a request notifies of, at an address that is known. Guessed ones count like other requests of strangers. */
  notifiedBy({ url = '' }: IncomingMessage): StoreId | null {
    const path = NOTIFICATION.exec(url)?.[1];
    return path === undefined ? null : (this.#known.notifications.get(placeOf(path)) ?? null);
  }

  #isUncounted(request: IncomingMessage): boolean {
    const isProbe = request.method === 'GET' && PROBE.test(request.url ?? '');
    return isProbe || this.notifiedBy(request) !== null;
  }

  /** Who sends a request; null if no requests like it are limited. */
  clientOf(request: IncomingMessage, nowMs: number): Client | null {
    if (this.#isUncounted(request)) return null;
    const known = this.#knownOf(request);
    if (known !== null && FOR_SESSIONS.test(pathOf(request.url ?? '')))
      return this.#sessions && this.#memberBy(known, nowMs);
    if (this.#addresses === null) return null;
    const place = this.#placeOf(request);
    const device = this.#devices.clientOf(request, nowMs);
    // A person can get any number of devices. Together they have one turn beside the strangers of their address.
    const part = device === null ? place : `devices of ${place}`;
    return { id: known?.session ?? device ?? this.#addressesOf.of(request), turn: { of: 'strangers', part } };
  }

  #memberBy({ session, person }: Session, nowMs: number): Client {
    const isStray = this.#strays.isOver(person, nowMs);
    return { id: session, turn: isStray ? { of: 'people', part: person } : null };
  }

  /** Counts a request of a session that has taken no turn of a store. */
  noteStray(request: IncomingMessage, nowMs: number): void {
    const known = this.#knownOf(request);
    if (known !== null && !FILE_OF_PAGES.test(request.url ?? '')) this.#strays.take(known.person, nowMs);
  }

  /** The IPv6 site or the address of a client whose turns its requests take; null if addresses are not limited. */
  strangerOf(request: IncomingMessage): string | null {
    return this.#addresses === null ? null : this.#placeOf(request);
  }

  #knownOf({ headers }: IncomingMessage): Session | null {
    const token = SESSION.exec(headers.cookie ?? '')?.[1];
    if (token === undefined) return null;
    const session = hash('sha256', token, 'hex');
    const person = this.#known.sessions.get(session);
    return person ? { session, person } : null;
  }

  /**
   * Counts a request of a member of a store: towards the reserve of their session, and then towards what all members share. Stolen
   * sessions and other members together may use up both, so a browser of the member has a reserve that neither of them reaches. Call it
   * once the membership is known. @returns as {@link count} does.
   */
  countMember(member: Member, request: IncomingMessage, nowMs: number): number | null {
    if (this.#reserves === null) return null;
    const { storeId, sessionId, personId, isOwnDevice } = member;
    const { ofSessions, ofPeople, ofDevices } = this.#reserves;
    const person = `${storeId} ${personId}`;
    const isReserved =
      ofSessions.take(`${storeId} ${sessionId}`, nowMs).isAllowed && ofPeople.take(person, nowMs).isAllowed;
    if (isReserved) return null;
    const seconds = refusalOf(this.#stores, storeId, nowMs, 1);
    if (seconds === null || !isOwnDevice) return seconds;
    const passes =
      this.#devices.take(request, this.#placeOf(request), nowMs, 1) &&
      ofDevices.take(person, nowMs).isAllowed;
    return passes ? null : seconds;
  }
}

/** Who sends a request. */
interface Client {
  /** Their session, device or address. */
  readonly id: string;
  /** With whom they take turns, before any of a store; null for none. Strangers do by IPv6 site or address. */
  readonly turn: { readonly of: 'strangers' | 'people'; readonly part: string } | null;
}

interface Session {
  /** The hash of its token. */
  readonly session: string;
  readonly person: string;
}

/** What a process has served. */
interface Known {
  /** The people of sessions, by the hash of the session's token; null while a session awaits its code. */
  readonly sessions: RecentMap<string, string | null>;
  readonly notifications: RecentMap<string, StoreId>;
}

/** A session of a person at a store. */
interface Member {
  readonly storeId: string;
  readonly sessionId: string;
  readonly personId: string;
  /** Whether the person has given their password in this browser. */
  readonly isOwnDevice: boolean;
}

function reservesOf({ perSecond, burst }: RateLimit) {
  const times = (count: number) =>
    new RateLimiter({
      perSecond: perSecond * RESERVED_PART * count,
      burst: Math.max(1, burst * RESERVED_BURST_PART) * count,
    });
  return { ofSessions: times(1), ofPeople: times(3), ofDevices: times(3) };
}

function refusalOf(limiter: RateLimiter | null, owner: string, nowMs: number, cost: number): number | null {
  if (limiter === null) return null;
  const { isAllowed, headers } = limiter.take(owner, nowMs, cost);
  return isAllowed ? null : Number(headers['Retry-After']);
}

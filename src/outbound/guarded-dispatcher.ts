import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isPublicAddress } from './address-guard.ts';
import { isLoopbackHost, LOOPBACK_ADDRESSES } from './loopback.ts';
import { isWebPort, portOf } from './ports.ts';
import { type ResolveAddresses, resolveThroughDns } from './resolve-addresses.ts';
import { countingBodies, withResponseBudget } from './response-budget.ts';

export interface DispatcherOptions {
  /** Connects anywhere, also without TLS: for development and tests, never in production. */
  readonly allowPrivateEndpoints: boolean;
  /** Certificate authorities (PEM) trusted instead of Node's: for tests and private networks. */
  readonly ca?: string | Buffer;
  /**
   * Resolves host names; defaults to DNS, or to the operating system with `allowPrivateEndpoints`. Tests
   * replace it.
   */
  readonly lookup?: ResolveAddresses;
}

export interface GuardedDispatcher {
  readonly dispatcher: Dispatcher;
  /** Lets running requests finish, then closes all connections. */
  close(): Promise<void>;
}

/** The connection would have left the public internet or used plain HTTP. Nothing was sent. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
  readonly code = 'FORBIDDEN_ADDRESS';
}

/**
 * A host that accepts no connection within this time counts as down. Leaves most of an attempt's 30 s for the
 * response.
 */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Shorter than the 5 s of Apache and older Node servers, so that requests rarely hit a closing connection.
 */
const KEEP_ALIVE_MS = 4_000;

/** Limits how long a server may keep a connection, and thus how long a changed DNS answer has no effect. */
const KEEP_ALIVE_MAX_MS = 60_000;

/**
 * Creates the connection pool for webhooks: keep-alive HTTP/1.1, verified TLS certificates, no proxies from
 * the environment, no redirects.
 *
 * Each connection is checked when it is made (contract section 7, "Endpoints"). The lookup that the
 * connection uses filters a name's addresses, so they cannot change between check and use. Other requests
 * fail with {@link ForbiddenAddressError}.
 */
export function createDispatcher(options: DispatcherOptions): GuardedDispatcher {
  const { allowPrivateEndpoints, ca, lookup } = options;
  return pool(
    allowPrivateEndpoints
      ? tlsConnector(ca, lookup && lookupFunction(lookup))
      : guarded(tlsConnector(ca, lookupFunction(publicOnly(lookup ?? resolveThroughDns))), refusalOf),
  );
}

/**
 * Creates the connection pool for endpoints of a development instance on this machine: it connects to loopback addresses and nowhere
 * else, also without TLS. Names are not looked up in DNS, so none can lead elsewhere.
 */
export function createLoopbackDispatcher(): GuardedDispatcher {
  const lookup = lookupFunction(async () => LOOPBACK_ADDRESSES);
  return pool(guarded(tlsConnector(undefined, lookup), refusalByLoopback));
}

function pool(connect: buildConnector.connector): GuardedDispatcher {
  const agent = new Agent({
    connect: withResponseBudget(connect),
    // Stores can share an origin, so a limit per origin would let one store's slow endpoint hold up the others. Deliveries are limited per
    // endpoint and store (`endpoint-queues.ts`), and downloads per store (`file-downloads.ts`).
    connections: null,
    pipelining: 1,
    // For the pool, too: it would otherwise make its first connections one at a time, to ask for the protocol.
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
  });
  return { dispatcher: agent.compose(countingBodies), close: () => agent.close() };
}

function tlsConnector(
  ca: DispatcherOptions['ca'],
  lookup: LookupFunction | undefined,
): buildConnector.connector {
  return buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    // With HTTP/2, cancelling one response would leave its remaining data on the connection that other
    // deliveries share.
    allowH2: false,
    ...(ca !== undefined && { ca }),
    ...(lookup !== undefined && { lookup }),
  });
}

type Refuse = (target: buildConnector.Options) => ForbiddenAddressError | null;

/** Asks before each connection, and connects only if there is no refusal. */
function guarded(connect: buildConnector.connector, refuse: Refuse): buildConnector.connector {
  return (target, callback) => {
    const refusal = refuse(target);
    if (refusal === null) return connect(target, callback);
    // undici expects the callback to run after the call returns.
    queueMicrotask(() => callback(refusal, null));
  };
}

function refusalByLoopback({
  protocol,
  hostname,
  port,
}: buildConnector.Options): ForbiddenAddressError | null {
  if (!isLoopbackHost(hostname)) return new ForbiddenAddressError('the endpoint is not on this machine');
  return isWebPort(portOf({ port, protocol })) ? null : new ForbiddenAddressError(NO_WEB_PORT);
}

/** Refuses IP literals, which sockets connect to without a lookup, and plain HTTP, which exposes secrets. */
function refusalOf({ protocol, hostname, port }: buildConnector.Options): ForbiddenAddressError | null {
  if (protocol !== 'https:') return new ForbiddenAddressError('webhooks are sent over HTTPS only');
  if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) {
    return new ForbiddenAddressError('the endpoint is not a public address');
  }
  return isWebPort(portOf({ port, protocol })) ? null : new ForbiddenAddressError(NO_WEB_PORT);
}

const NO_WEB_PORT = "the endpoint's port is not a web server's";

function publicOnly(lookup: ResolveAddresses): ResolveAddresses {
  return async (hostname) => {
    const addresses = await lookup(hostname);
    const publicAddresses = addresses.filter(isPublicAddress);
    if (addresses.length > 0 && publicAddresses.length === 0) {
      throw new ForbiddenAddressError('the endpoint resolves to no public address');
    }
    return publicAddresses;
  };
}

/** The lookup for sockets: returns all addresses, or the first one if the socket asks for one. */
function lookupFunction(resolve: ResolveAddresses): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) return callback(noAddress(), '', 0);
        if (!all) return callback(null, first, isIP(first));
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        );
      },
      (error: Error) => callback(error, '', 0),
    );
  };
}

function noAddress(): NodeJS.ErrnoException {
  return Object.assign(new Error('the name has no address'), { code: 'ENODATA', syscall: 'query' });
}

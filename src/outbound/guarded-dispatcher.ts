import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import { isPublicAddress } from './address-guard.ts';
import { isWebPort, portOf } from './ports.ts';
import { type ResolveAddresses, resolveThroughDns } from './resolve-addresses.ts';

export interface DispatcherOptions {
  /** Connect anywhere, also without TLS: for development and tests, never in production. */
  readonly allowPrivateEndpoints: boolean;
  /** Certificate authorities (PEM) trusted instead of Node's: for tests and private networks. */
  readonly ca?: string | Buffer;
  /**
   * Resolves host names; DNS (or, with `allowPrivateEndpoints`, the operating system) unless a test replaces
   * it.
   */
  readonly lookup?: ResolveAddresses;
}

export interface GuardedDispatcher {
  readonly dispatcher: Dispatcher;
  /** Lets running requests finish, then closes every connection. */
  close(): Promise<void>;
}

/** The connection would have left the public internet, or would have been plain HTTP; nothing was sent. */
export class ForbiddenAddressError extends Error {
  override readonly name = 'ForbiddenAddressError';
  readonly code = 'FORBIDDEN_ADDRESS';
}

/**
 * A host that takes longer to accept a connection is down for us; it leaves most of an attempt's 30 s to the
 * answer.
 */
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * What one origin may hold open in one process, so that a slow one exhausts neither file descriptors nor
 * memory.
 */
const CONNECTIONS_PER_ORIGIN = 64;

/**
 * Shorter than the 5 s of Apache and older Node servers, so that a request seldom meets a connection being
 * closed.
 */
const KEEP_ALIVE_MS = 4_000;

/** However long a server offers to keep a connection: bounds how long a changed DNS answer goes unnoticed. */
const KEEP_ALIVE_MAX_MS = 60_000;

/**
 * Makes the connection pool that webhooks are posted through: keep-alive HTTP/1.1, TLS certificates verified,
 * proxies from the environment ignored, redirects never followed.
 *
 * Each connection is checked when it is made (contract section 7, "Endpoints"): the addresses that a name
 * resolves to are filtered by the very lookup whose answer is connected to, so a name cannot change between
 * check and use. Requests that would connect elsewhere fail with {@link ForbiddenAddressError}.
 */
export function createDispatcher(options: DispatcherOptions): GuardedDispatcher {
  const { allowPrivateEndpoints, ca, lookup } = options;
  const agent = new Agent({
    connect: allowPrivateEndpoints
      ? tlsConnector(ca, lookup && lookupFunction(lookup))
      : guarded(tlsConnector(ca, lookupFunction(publicOnly(lookup ?? resolveThroughDns)))),
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
  });
  return { dispatcher: agent, close: () => agent.close() };
}

function tlsConnector(
  ca: DispatcherOptions['ca'],
  lookup: LookupFunction | undefined,
): buildConnector.connector {
  return buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    // On HTTP/2 giving up on one answer would leave the connection, and what it still sends, to the other
    // deliveries.
    allowH2: false,
    ...(ca !== undefined && { ca }),
    ...(lookup !== undefined && { lookup }),
  });
}

/**
 * Refuses what the lookup cannot: sockets connect to IP literals without one. Also plain HTTP, where secrets
 * can be read.
 */
function guarded(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) => {
    const refusal = refusalOf(target);
    if (refusal === null) return connect(target, callback);
    // undici expects its answer later than the call.
    queueMicrotask(() => callback(refusal, null));
  };
}

function refusalOf({ protocol, hostname, port }: buildConnector.Options): ForbiddenAddressError | null {
  if (protocol !== 'https:') return new ForbiddenAddressError('webhooks are sent over HTTPS only');
  if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) {
    return new ForbiddenAddressError('the endpoint is not a public address');
  }
  if (!isWebPort(portOf({ port, protocol }))) {
    return new ForbiddenAddressError("the endpoint's port is not a web server's");
  }
  return null;
}

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

/** Gives sockets the lookup they call: all addresses, or the first where they ask for one. */
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

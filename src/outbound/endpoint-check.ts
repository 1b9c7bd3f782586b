import { isIP } from 'node:net';
import { isPublicAddress } from './address-guard.ts';
import { isWebPort, portOf } from './ports.ts';
import { type ResolveAddresses, resolveThroughDns } from './resolve-addresses.ts';

export interface EndpointCheckOptions {
  /** Accept `http`, private addresses and local names: for development and tests, never in production. */
  readonly allowPrivateEndpoints: boolean;
  /** Resolves the host name; DNS unless a test replaces it. */
  readonly lookup?: ResolveAddresses;
}

/**
 * `url` is the normalized form to store and post to; `reason` is a sentence that names the field `endpoint`.
 */
export type EndpointCheck =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: string };

/** Longest endpoint that is stored: what browsers, proxies and servers commonly accept as a URL. */
const MAX_ENDPOINT_LENGTH = 2048;

/**
 * An integrator waits for the answer while DNS is asked; what is not known by then is looked up when
 * something is sent.
 */
const DNS_TIMEOUT_MS = 3_000;

/** Whitespace, controls and backslashes, which URL parsers drop or rewrite silently and in different ways. */
const AMBIGUOUS_CHARACTERS = /[\s\p{Cc}\\]/u;

/** Characters nobody sees and nobody means, which come along when an address is copied. */
const INVISIBLE_CHARACTERS = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

/**
 * Names that resolve inside a machine or a private network only (RFC 6761, 6762, 8375, and customary ones).
 */
const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/;

/**
 * Says whether webhooks may be sent to `endpoint` (contract section 7, "Endpoints"): an absolute HTTPS URL
 * without user name and password, to a port that is a web server's, whose host is public in every notation of
 * an address and through every DNS answer. A name that does not resolve now is accepted: registering must not
 * depend on DNS at that moment.
 *
 * The answer holds for this moment only: DNS may change, so the dispatcher checks again on the connection it
 * makes. With `allowPrivateEndpoints` DNS is not asked. Never rejects.
 */
export async function checkEndpoint(endpoint: string, options: EndpointCheckOptions): Promise<EndpointCheck> {
  const { allowPrivateEndpoints, lookup = resolveThroughDns } = options;
  const parsed = parseEndpoint(endpoint.replaceAll(INVISIBLE_CHARACTERS, ''), allowPrivateEndpoints);
  if (!parsed.ok || allowPrivateEndpoints) return parsed;

  const host = bareHost(parsed.url);
  if (isIP(host) !== 0) return isPublicAddress(host) ? parsed : refuse(NOT_PUBLIC);
  if (!host.includes('.') || PRIVATE_NAME.test(host)) return refuse(NOT_PUBLIC);
  // One private answer is enough to refuse: which one a connection uses is for the name's owner to choose.
  // The answers stay out of the reason, which would otherwise let a caller read this network's internal DNS.
  const addresses = await resolveInTime(host, lookup);
  return addresses.every(isPublicAddress) ? parsed : refuse(NOT_PUBLIC);
}

const NOT_PUBLIC =
  'endpoint must point to a public host, not to a local, private or reserved address or name; use a host that the internet can reach, such as https://example.com/webhooks';

function parseEndpoint(endpoint: string, allowPrivateEndpoints: boolean): EndpointCheck {
  if (endpoint.length > MAX_ENDPOINT_LENGTH) {
    return refuse(`endpoint must be at most ${MAX_ENDPOINT_LENGTH} characters long`);
  }
  if (AMBIGUOUS_CHARACTERS.test(endpoint) || !endpoint.isWellFormed()) {
    return refuse(
      'endpoint must not contain spaces, control characters, backslashes or broken text; percent-encode them',
    );
  }
  const allowedScheme = allowPrivateEndpoints ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i;
  const url = URL.parse(endpoint);
  if (url === null || !allowedScheme.test(endpoint)) {
    const scheme = allowPrivateEndpoints ? 'http:// or https://' : 'https://';
    return refuse(`endpoint must be a complete ${scheme} URL, such as https://example.com/webhooks`);
  }
  if (url.username !== '' || url.password !== '') {
    return refuse(
      'endpoint must not contain a user name or password; webhooks are authenticated by their signature',
    );
  }
  if (!isWebPort(portOf(url))) {
    return refuse('endpoint must use a port that web servers use, such as 443, not one of another service');
  }
  return withoutTrailingDot(url);
}

/** `example.com.` is `example.com`, but TLS server names must not end in a dot (RFC 6066, section 3). */
function withoutTrailingDot(url: URL): EndpointCheck {
  if (!url.hostname.endsWith('.')) return { ok: true, url };
  const hostname = url.hostname.slice(0, -1);
  if (hostname === '' || hostname.endsWith('.')) {
    return refuse('endpoint must name a host without empty parts, such as https://example.com/webhooks');
  }
  url.hostname = hostname;
  return { ok: true, url };
}

/** @returns no address where DNS has none to give, or none in time. */
async function resolveInTime(hostname: string, lookup: ResolveAddresses): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<readonly string[]>((resolve) => {
    timer = setTimeout(resolve, DNS_TIMEOUT_MS, []);
  });
  try {
    return await Promise.race([lookup(hostname).catch(() => []), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The host as the resolver and `isIP` want it: IPv6 literals without their brackets. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function refuse(reason: string): EndpointCheck {
  return { ok: false, reason };
}

import { isIP } from 'node:net';
import { isPublicAddress } from './address-guard.ts';
import { type ResolveAddresses, resolveThroughDns } from './resolve-addresses.ts';

export interface EndpointCheckOptions {
  /** Accept `http`, private addresses and local names: for development and tests, never in production. */
  readonly allowPrivateEndpoints: boolean;
  /** Resolves the host name; DNS unless a test replaces it. */
  readonly lookup?: ResolveAddresses;
}

/** `url` is the normalized form to store and post to; `reason` is a sentence that names the field `endpoint`. */
export type EndpointCheck =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: string };

/** Longest endpoint that is stored: what browsers, proxies and servers commonly accept as a URL. */
const MAX_ENDPOINT_LENGTH = 2048;

/** An integrator waits for the answer while DNS is asked; slower names are refused with a reason. */
const DNS_TIMEOUT_MS = 3_000;

/** Whitespace, controls and backslashes, which URL parsers drop or rewrite silently and in different ways. */
const AMBIGUOUS_CHARACTERS = /[\s\p{Cc}\\]/u;

/** Names that resolve inside a machine or a private network only (RFC 6761, 6762, 8375, and customary ones). */
const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/;

/**
 * Says whether webhooks may be sent to `endpoint` (contract section 7, "Endpoints"): an absolute HTTPS URL without user
 * name and password, whose host is public in every notation of an address and through every DNS answer.
 *
 * The answer holds for this moment only: DNS may change, so the dispatcher checks again on the connection it makes.
 * With `allowPrivateEndpoints` DNS is not asked. Never rejects.
 */
export async function checkEndpoint(endpoint: string, options: EndpointCheckOptions): Promise<EndpointCheck> {
  const { allowPrivateEndpoints, lookup = resolveThroughDns } = options;
  const parsed = parseEndpoint(endpoint, allowPrivateEndpoints);
  if (!parsed.ok || allowPrivateEndpoints) return parsed;

  const host = bareHost(parsed.url);
  if (isIP(host) !== 0) return isPublicAddress(host) ? parsed : refuse(NOT_PUBLIC);
  if (!host.includes('.') || PRIVATE_NAME.test(host)) return refuse(NOT_PUBLIC);
  return (await dnsRefusal(host, lookup)) ?? parsed;
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
  if (url.port === '0')
    return refuse('endpoint must use a port from 1 to 65535, or none for the default port');
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

async function dnsRefusal(hostname: string, lookup: ResolveAddresses): Promise<EndpointCheck | null> {
  const addresses = await resolveInTime(hostname, lookup);
  if (addresses === 'timeout') {
    return refuse(
      `endpoint must have a host name that DNS resolves; "${hostname}" gave no answer within ${DNS_TIMEOUT_MS / 1_000} s, so try again or check its name servers`,
    );
  }
  if (addresses.length === 0) {
    return refuse(
      `endpoint must have a host name that DNS resolves; "${hostname}" has no address, so check its spelling`,
    );
  }
  // One private answer is enough to refuse: which one a connection uses is for the name's owner to choose. The
  // answers stay out of the reason, which would otherwise let a caller read this network's internal DNS.
  return addresses.every(isPublicAddress) ? null : refuse(NOT_PUBLIC);
}

async function resolveInTime(
  hostname: string,
  lookup: ResolveAddresses,
): Promise<readonly string[] | 'timeout'> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(resolve, DNS_TIMEOUT_MS, 'timeout');
  });
  try {
    return await Promise.race([lookup(hostname).catch(emptyUnlessTimeout), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function emptyUnlessTimeout(error: NodeJS.ErrnoException): readonly string[] | 'timeout' {
  return error.code === 'ETIMEOUT' ? 'timeout' : [];
}

/** The host as the resolver and `isIP` want it: IPv6 literals without their brackets. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function refuse(reason: string): EndpointCheck {
  return { ok: false, reason };
}

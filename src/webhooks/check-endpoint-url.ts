import { isIP } from 'node:net';
import { isPublicAddress } from '../outbound/address-guard.ts';
import { isLoopbackHost } from '../outbound/loopback.ts';
import { isWebPort, portOf } from '../outbound/ports.ts';
import { type ResolveAddresses, resolveThroughDns } from '../outbound/resolve-addresses.ts';

export interface EndpointUrlCheckOptions {
  /** Accepts `http`, private addresses and local names: for development and tests, never in production. */
  readonly allowPrivateEndpoints: boolean;
  /** Accepts addresses of this machine, also over `http`, and nothing else that is not public. */
  readonly allowLoopback?: boolean;
  /** Resolves the host name; tests replace DNS here. */
  readonly lookup?: ResolveAddresses;
}

/**
 * `url` is the normalized form to store and post to; `reason` is a sentence that names the field `endpoint`.
 */
export type EndpointUrlCheck =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly reason: string };

/** The maximum length of a stored endpoint; browsers, proxies and servers commonly support it. */
const MAX_ENDPOINT_LENGTH = 2048;

/**
 * The integrator's request waits for DNS. A name that does not resolve in time is checked when a webhook is
 * sent.
 */
const DNS_TIMEOUT_MS = 3_000;

/**
 * Whitespace, control characters and backslashes, which URL parsers silently drop or rewrite in different
 * ways.
 */
const AMBIGUOUS_CHARACTERS = /[\s\p{Cc}\\]/u;

/** Invisible characters that are often copied along with an address. */
const INVISIBLE_CHARACTERS = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

/**
 * Names that resolve only inside a machine or a private network (RFC 6761, 6762, 8375, and customary ones).
 */
const PRIVATE_NAME =
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa)$/;

/**
 * Checks whether webhooks may be sent to `endpoint` (contract section 7, "Endpoints"): an absolute HTTPS URL
 * without user name and password, to a web server's port, whose host is public in every address notation and
 * every DNS answer. A name that does not resolve now is accepted, because registration must not depend on
 * DNS.
 *
 * The result holds only at this moment: DNS may change, so the dispatcher checks each connection again. With
 * `allowPrivateEndpoints`, and for an allowed loopback address, DNS is not queried. Never rejects.
 */
export async function checkEndpointUrl(
  endpoint: string,
  options: EndpointUrlCheckOptions,
): Promise<EndpointUrlCheck> {
  const { allowPrivateEndpoints, allowLoopback = false, lookup = resolveThroughDns } = options;
  const text = endpoint.replaceAll(INVISIBLE_CHARACTERS, '');
  const isLoopback = isLoopbackUrl(text);
  if (isLoopback && !allowPrivateEndpoints && !allowLoopback) return refuse(onThisMachine(text));
  const allowHttp = allowPrivateEndpoints || isLoopback;
  const parsed = parseEndpoint(text, allowHttp);
  if (!parsed.ok || allowHttp) return parsed;

  const host = bareHost(parsed.url);
  if (isIP(host) !== 0) return isPublicAddress(host) ? parsed : refuse(NOT_PUBLIC);
  if (!host.includes('.') || PRIVATE_NAME.test(host)) return refuse(NOT_PUBLIC);
  // One private answer is enough to refuse, because the name's owner controls which one a connection uses.
  // The reason omits the answers, so that a caller cannot read this network's internal DNS.
  const addresses = await resolveInTime(host, lookup);
  return addresses.every(isPublicAddress) ? parsed : refuse(NOT_PUBLIC);
}

const NOT_PUBLIC =
  'endpoint must point to a public host, not to a local, private or reserved address or name; use a host that the internet can reach, such as https://example.com/webhooks';

/** A refusal that says how events reach a program on the integrator's machine without a registered endpoint. */
function onThisMachine(endpoint: string): string {
  const forwardTo = PLAIN_URL.test(endpoint) ? endpoint : 'http://localhost:4000/hooks';
  return `endpoint must point to a public host, not to a local address; to receive events on your own machine, run \`npx recebe listen --forward-to ${forwardTo}\`, which needs no webhook`;
}

/** An address that a shell takes as it is. */
const PLAIN_URL = /^https?:\/\/[\w.:-]{1,100}[\w./-]{0,200}$/i;

function isLoopbackUrl(endpoint: string): boolean {
  const url = URL.parse(endpoint);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') return false;
  return isLoopbackHost(url.hostname.replace(/\.$/, ''));
}

function parseEndpoint(endpoint: string, allowHttp: boolean): EndpointUrlCheck {
  if (endpoint.length > MAX_ENDPOINT_LENGTH) {
    return refuse(`endpoint must be at most ${MAX_ENDPOINT_LENGTH} characters long`);
  }
  if (AMBIGUOUS_CHARACTERS.test(endpoint) || !endpoint.isWellFormed()) {
    return refuse(
      'endpoint must not contain spaces, control characters, backslashes or broken text; percent-encode them',
    );
  }
  const allowedScheme = allowHttp ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i;
  const url = URL.parse(endpoint);
  if (url === null || !allowedScheme.test(endpoint)) {
    const scheme = allowHttp ? 'http:// or https://' : 'https://';
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
function withoutTrailingDot(url: URL): EndpointUrlCheck {
  if (!url.hostname.endsWith('.')) return { ok: true, url };
  const hostname = url.hostname.slice(0, -1);
  if (hostname === '' || hostname.endsWith('.')) {
    return refuse('endpoint must name a host without empty parts, such as https://example.com/webhooks');
  }
  url.hostname = hostname;
  return { ok: true, url };
}

/** @returns an empty list if DNS has no address or does not answer in time. */
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

/** The host in the form that the resolver and `isIP` need: IPv6 literals without brackets. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function refuse(reason: string): EndpointUrlCheck {
  return { ok: false, reason };
}

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = readonly [Address, number];

/** One subscriber has a whole /64 of IPv6 (RFC 6177), so its addresses count as one client. */
const IPV6_SUBSCRIBER_BITS = 64;
/** Tunnels and data centers give anyone a /48 of IPv6: 65,536 of these clients. */
const IPV6_SITE_BITS = 48;

/**
 * A proxy's address, or a network of proxies: `10.0.0.0/8`, or one address.
 * @throws if it is neither.
 */
export function parseBlock(text: string): Block {
  const [address, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), null];
  return [address, bits ?? address.toByteArray().length * 8];
}

/** The other side of a connection: null for a trusted proxy. */
interface Peer {
  /** By IPv6 site. */
  readonly address: string | null;
  /** By IPv6 subscriber. */
  readonly subscriber: string | null;
}

/**
 * Determines the client address of a request. It is the connection's address, unless that is a trusted proxy.
 * Then `X-Forwarded-For` is read from its end while its addresses are trusted proxies too. The entries before
 * the first untrusted one can be forged, and are ignored.
 */
export class ClientAddresses {
  readonly #proxies: readonly Block[];

  /** @param proxies in the format of {@link parseBlock}. */
  constructor(proxies: readonly string[]) {
    this.#proxies = proxies.map(parseBlock);
  }

  /** A text that is equal for all addresses of one client; `unknown` once the connection is closed. */
  of(request: IncomingMessage): string {
    const client = this.#client(request);
    return client === null ? 'unknown' : textOf(client);
  }

  /** The IPv6 site of a client, such as `2001:db8:1::/48`; null for IPv4, whose addresses are scarce, and once the connection is closed. */
  siteOf(request: IncomingMessage): string | null {
    const client = this.#client(request);
    return client?.kind() === 'ipv6' ? ipv6Network(client, IPV6_SITE_BITS) : null;
  }

  /** The peer of a connection; null once it is closed. */
  ofConnection({ remoteAddress }: Pick<Socket, 'remoteAddress'>): Peer | null {
    const peer = parse(remoteAddress ?? '');
    if (peer === null) return null;
    return this.#isProxy(peer)
      ? { address: null, subscriber: null }
      : { address: textOf(peer, IPV6_SITE_BITS), subscriber: textOf(peer) };
  }

  /** The full address, IPv4 in IPv4 notation; null once the connection is closed. */
  exactly(request: IncomingMessage): string | null {
    return this.#client(request)?.toString() ?? null;
  }

  #client({ socket, headers }: IncomingMessage): Address | null {
    let client = parse(socket.remoteAddress ?? '');
    if (client === null) return null;
    // Anyone can send thousands of entries, and each request is asked for its client several times.
    let entries: string | null = null;
    while (this.#isProxy(client)) {
      entries ??= [headers['x-forwarded-for'] ?? []].flat().join(',');
      const comma = entries.lastIndexOf(',');
      const before = parse(withoutPort(entries.slice(comma + 1).trim()));
      if (before === null) break;
      client = before;
      entries = entries.slice(0, Math.max(0, comma));
    }
    return client;
  }

  /** Whether an untrusted peer sends `X-Forwarded-For`: a proxy missing from the settings, or a forgery. */
  isForwardedByStranger({ socket, headers }: IncomingMessage): boolean {
    const peer = parse(socket.remoteAddress ?? '');
    return headers['x-forwarded-for'] !== undefined && peer !== null && !this.#isProxy(peer);
  }

  #isProxy(address: Address): boolean {
    return this.#proxies.some(([block, bits]) => {
      // IPv4 and IPv6 addresses cannot be compared.
      return address.kind() === block.kind() && address.match(block, bits);
    });
  }
}

function parse(text: string): Address | null {
  // A dual-stack socket shows an IPv4 address as `::ffff:192.0.2.1`.
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

/** Some proxies append the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\]/.exec(text) ?? [];
  if (bracketed !== undefined) return bracketed;
  const colon = text.indexOf(':');
  return colon !== -1 && colon === text.lastIndexOf(':') ? text.slice(0, colon) : text;
}

function textOf(address: Address, ipv6Bits: number = IPV6_SUBSCRIBER_BITS): string {
  return address.kind() === 'ipv4' ? address.toString() : ipv6Network(address, ipv6Bits);
}

function ipv6Network(address: Address, bits: number): string {
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
}

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Block = readonly [Address, number];

/** Nobody else is given addresses of the same /64 of IPv6 (RFC 6177), so all of it is one. */
const IPV6_SUBSCRIBER_BITS = 64;

/**
 * A proxy or a network of them: `10.0.0.0/8`, or one address.
 * @throws where it is neither.
 */
export function parseBlock(text: string): Block {
  const [address, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : [ipaddr.parse(text), null];
  return [address, bits ?? address.toByteArray().length * 8];
}

/**
 * From which address a request comes: that of the connection, unless it is one of our own proxies; then what
 * that says in `X-Forwarded-For`, read from its end while those named are ours too. What stands before the
 * first that is not was written by whoever it is, and is never believed.
 */
export class ClientAddresses {
  readonly #proxies: readonly Block[];

  /** @param proxies as {@link parseBlock} takes them. */
  constructor(proxies: readonly string[]) {
    this.#proxies = proxies.map(parseBlock);
  }

  /** As a text that is the same for all that counts as one client; `unknown` once the connection is gone. */
  of(request: IncomingMessage): string {
    const client = this.#client(request);
    return client === null ? 'unknown' : textOf(client);
  }

  /** Who is at the other end of a connection: `address` is null for a proxy of ours. Null once it is gone. */
  ofConnection({ remoteAddress }: Pick<Socket, 'remoteAddress'>): { readonly address: string | null } | null {
    const peer = parse(remoteAddress ?? '');
    if (peer === null) return null;
    return { address: this.#isProxy(peer) ? null : textOf(peer) };
  }

  /** The whole address, an IPv4 address always as one; null once the connection is gone. */
  exactly(request: IncomingMessage): string | null {
    return this.#client(request)?.toString() ?? null;
  }

  #client({ socket, headers }: IncomingMessage): Address | null {
    let client = parse(socket.remoteAddress ?? '');
    if (client === null) return null;
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    while (this.#isProxy(client)) {
      const before = parse(withoutPort(forwarded.pop()?.trim() ?? ''));
      if (before === null) break;
      client = before;
    }
    return client;
  }

  /** Whether somebody who is none of our proxies says for whom it asks: a proxy that was forgotten, or a lie. */
  isForwardedByStranger({ socket, headers }: IncomingMessage): boolean {
    const peer = parse(socket.remoteAddress ?? '');
    return headers['x-forwarded-for'] !== undefined && peer !== null && !this.#isProxy(peer);
  }

  #isProxy(address: Address): boolean {
    return this.#proxies.some(([block, bits]) => {
      // Addresses of the two kinds cannot be compared.
      return address.kind() === block.kind() && address.match(block, bits);
    });
  }
}

/** An address for people to read and for logs: an IPv4 address without its last number. */
export function shortened(address: string): string {
  return address.replace(/\.\d+$/, '.x');
}

function parse(text: string): Address | null {
  // An IPv4 address that a socket for both kinds shows as `::ffff:192.0.2.1` is that IPv4 address.
  return ipaddr.isValid(text) ? ipaddr.process(text) : null;
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const [, bracketed] = /^\[([^\]]*)\]/.exec(text) ?? [];
  if (bracketed !== undefined) return bracketed;
  const colon = text.indexOf(':');
  return colon !== -1 && colon === text.lastIndexOf(':') ? text.slice(0, colon) : text;
}

function textOf(address: Address): string {
  if (address.kind() === 'ipv4') return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${IPV6_SUBSCRIBER_BITS}`);
  return `${network.toString()}/${IPV6_SUBSCRIBER_BITS}`;
}

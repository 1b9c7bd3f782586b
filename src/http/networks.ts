import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Why a text is not an acceptable network. */
export type WrongNetwork =
  | { readonly problem: 'NO_NETWORK' }
  | { readonly problem: 'EVERYWHERE' }
  /** An address inside a network, written with the network's prefix length. */
  | { readonly problem: 'NOT_ITS_BEGINNING'; readonly network: string };

/** Prefix length of IPv4 addresses written as IPv6, `::ffff:192.0.2.1` (RFC 4291, section 2.5.5.2). */
const MAPPED_BITS = 96;

/**
 * The canonical text of a network in CIDR notation, or of one address: `192.0.2.0/24`, `192.0.2.7`,
 * `2001:db8::/32`. IPv4-mapped IPv6 becomes IPv4. Refuses forms that programs read differently, such as
 * `010.0.0.1`.
 */
export function canonicalNetwork(text: string): string | WrongNetwork {
  const [written = '', length, ...more] = text.split('/');
  const address = strictAddress(written);
  if (address === null || more.length > 0) return { problem: 'NO_NETWORK' };
  const width = bitsOf(address);
  const bits = length === undefined ? width : wholeNumber(length);
  if (bits === null || bits > width) return { problem: 'NO_NETWORK' };
  if (bits === 0) return { problem: 'EVERYWHERE' };
  if (isMapped(address) && bits >= MAPPED_BITS)
    return canonicalNetwork(`${address.toIPv4Address().toString()}/${bits - MAPPED_BITS}`);
  const begins = beginningOf(address, bits);
  const network = bits === width ? begins : `${begins}/${bits}`;
  return address.toString() === begins ? network : { problem: 'NOT_ITS_BEGINNING', network };
}

/**
 * Whether an address is in one of the networks.
 * @param address null if unknown, which is in no network.
 * @param networks in the format of {@link canonicalNetwork}.
 */
export function isWithin(address: string | null, networks: readonly string[]): boolean {
  if (address === null || !ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return networks.some((text) => {
    const [network, bits] = text.includes('/')
      ? ipaddr.parseCIDR(text)
      : ([ipaddr.parse(text), bitsOf(client)] as const);
    // IPv4 and IPv6 addresses cannot be compared.
    return network.kind() === client.kind() && client.match(network, bits);
  });
}

function strictAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // A zone (fe80::1%eth0) is meaningful on one machine only.
  return text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text)
    ? ipaddr.IPv6.parse(text)
    : null;
}

function wholeNumber(text: string): number | null {
  return /^(?:0|[1-9]\d{0,2})$/.test(text) ? Number(text) : null;
}

function bitsOf(address: Address): number {
  return address.kind() === 'ipv4' ? 32 : 128;
}

function isMapped(address: Address): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress();
}

function beginningOf(address: Address, bits: number): string {
  const cidr = `${address.toString()}/${bits}`;
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(cidr).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(cidr).toString();
}

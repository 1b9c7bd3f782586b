import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The current global unicast space (RFC 4291, IANA): no other IPv6 block is routed on the internet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');

/** The NAT64 well-known prefix (RFC 6052): the IPv4 destination is the last 32 bits. */
const NAT64 = ipaddr.IPv6.parse('64:ff9b::');

/** Azure's platform endpoint: inside an otherwise public block, but it serves virtual machines only. */
const AZURE_PLATFORM_ADDRESS = '168.63.129.16';

/**
 * Whether a webhook may be sent to this address: true only for addresses that are routed on the public
 * internet (contract section 7, "Endpoints").
 *
 * Refuses private, loopback, link-local, CGNAT, multicast, reserved, documentation, benchmark, unspecified,
 * broadcast and cloud metadata addresses. An IPv4-mapped or NAT64 address is judged by its IPv4 address,
 * because the connection goes there. 6to4, Teredo, IPv4-compatible and translated forms are always refused:
 * they are obsolete and can contain a private address.
 *
 * @param ip an address in the form that sockets and DNS return. Anything else (a host name, `0x7f.1`, a zone
 * index) is refused.
 */
export function isPublicAddress(ip: string): boolean {
  switch (isIP(ip)) {
    case 4:
      return isPublicIpv4(ipaddr.IPv4.parse(ip));
    case 6:
      // A zone index names a link of this machine, so the address cannot be public.
      return !ip.includes('%') && isPublicIpv6(ipaddr.IPv6.parse(inHexadecimalGroups(ip)));
    default:
      return false;
  }
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_PLATFORM_ADDRESS;
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress() || address.match(NAT64, 96)) return isPublicIpv4(lastFourBytes(address));
  return address.match(GLOBAL_UNICAST, 3) && address.range() === 'unicast';
}

/**
 * Rewrites a dotted ending, because ipaddr.js confuses the IPv4-compatible `::1.2.3.4` with the IPv4-mapped
 * `::ffff:1.2.3.4`.
 */
function inHexadecimalGroups(ip: string): string {
  return new URL(`http://[${ip}]`).hostname.slice(1, -1);
}

function lastFourBytes(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}

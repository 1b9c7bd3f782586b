/** Shortens an IP address for people and logs: an IPv4 address loses its last number. */
export function shortenIpAddress(address: string): string {
  return address.replace(/\.\d+$/, '.x');
}

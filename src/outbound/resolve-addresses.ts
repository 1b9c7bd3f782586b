import { Resolver } from 'node:dns/promises';

/** Returns every address of a host name; rejects if it has no address. Tests replace it. */
export type ResolveAddresses = (hostname: string) => Promise<readonly string[]>;

/** Retries a name server once after a lost packet, within the callers' limits of 3 s and 5 s. */
const TRY_TIMEOUT_MS = 1_000;
const TRIES = 2;

/**
 * Creates a resolver that queries DNS for the IPv4 and IPv6 addresses of a name.
 *
 * Avoids `dns.lookup`, which runs on libuv's thread pool with two lookups at a time: two names with a dead
 * name server would block the deliveries to all other endpoints. It would also read the hosts file and search
 * domains, which only name private machines. If one address family fails, the other one is enough. Rejects
 * with the resolver's error, whose `syscall` begins with `query`.
 *
 * @param servers `address:port` of the name servers; defaults to the operating system's.
 */
export function dnsResolver(servers?: readonly string[]): ResolveAddresses {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
    if (servers !== undefined) resolver.setServers(servers);
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [ipv4] = answers;
    if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
    return addresses;
  };
}

/** Queries the operating system's name servers. */
export const resolveThroughDns: ResolveAddresses = dnsResolver();

import { Resolver } from 'node:dns/promises';

/** Gives every address of a host name; rejects when there is none. Replaced in tests. */
export type ResolveAddresses = (hostname: string) => Promise<readonly string[]>;

/** A name server that has lost a packet is asked once more before the callers' own limits of 3 s and 5 s. */
const TRY_TIMEOUT_MS = 1_000;
const TRIES = 2;

/**
 * Makes a resolver that asks DNS for the IPv4 and IPv6 addresses of a name.
 *
 * Not `dns.lookup`: that runs on libuv's thread pool, two lookups at a time, so two names with a dead name
 * server would hold up the deliveries to every other endpoint. It would also read the hosts file and search
 * domains, which name private machines only. One family's failure is ignored when the other has an answer.
 * Rejects with the resolver's error, whose `syscall` begins with `query`.
 *
 * @param servers `address:port` of the name servers, instead of the operating system's.
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

/** Asks the operating system's name servers. */
export const resolveThroughDns: ResolveAddresses = dnsResolver();

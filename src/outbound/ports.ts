/**
 * Ports that browsers block, because services there could be tricked into executing a request (WHATWG Fetch,
 * "port blocking").
 */
const BLOCKED_BY_BROWSERS = [
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
];

/**
 * MySQL, PostgreSQL, Redis, Elasticsearch, memcached, MongoDB: a POST from inside a network does most harm
 * there.
 */
const DATABASES = [3306, 5432, 6379, 9200, 11211, 27017];

const REFUSED: ReadonlySet<number> = new Set([...BLOCKED_BY_BROWSERS, ...DATABASES]);

/** Whether a webhook may be sent to this port (contract section 7, "Endpoints"). */
export function isWebPort(port: number): boolean {
  return !REFUSED.has(port);
}

/** The port of an `http` or `https` address. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

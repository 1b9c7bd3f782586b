import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import type { ResolveAddresses } from '../../src/outbound/resolve-addresses.ts';
import { checkEndpointUrl } from '../../src/webhooks/check-endpoint-url.ts';
import { FORBIDDEN_IPV4_BLOCKS } from '../outbound/forbidden-blocks.ts';

const resolvesToPublic: ResolveAddresses = async () => ['93.184.215.14', '2606:2800:21f::1'];

function checkStrictly(endpoint: string, lookup = resolvesToPublic) {
  return checkEndpointUrl(endpoint, { allowPrivateEndpoints: false, lookup });
}

async function reasonFor(endpoint: string, lookup = resolvesToPublic): Promise<string> {
  const check = await checkStrictly(endpoint, lookup);
  return check.ok ? `accepted as ${check.url.href}` : check.reason;
}

const NOT_PUBLIC = /^endpoint must point to a public host/;
const NOT_HTTPS_URL = /^endpoint must be a complete https:\/\/ URL/;
const AMBIGUOUS = /^endpoint must not contain spaces/;

const REFUSED: readonly (readonly [what: string, endpoint: string, reason: RegExp])[] = [
  // Loopback and metadata in every notation of IPv4.
  ['loopback', 'https://127.0.0.1/', NOT_PUBLIC],
  ['loopback with a port', 'https://127.0.0.1:8443/', NOT_PUBLIC],
  ['loopback with a trailing dot', 'https://127.0.0.1./', NOT_PUBLIC],
  ['two parts', 'https://127.1/', NOT_PUBLIC],
  ['three parts', 'https://127.0.1/', NOT_PUBLIC],
  ['decimal', 'https://2130706433/', NOT_PUBLIC],
  ['hexadecimal', 'https://0x7f000001/', NOT_PUBLIC],
  ['upper-case hexadecimal', 'https://0X7F000001/', NOT_PUBLIC],
  ['octal', 'https://017700000001/', NOT_PUBLIC],
  ['octal parts', 'https://0177.0.0.01/', NOT_PUBLIC],
  ['hexadecimal parts', 'https://0x7f.0x0.0x0.0x1/', NOT_PUBLIC],
  ['mixed parts', 'https://0x7f.0.01/', NOT_PUBLIC],
  ['leading zeros', 'https://00000177.0.0.1/', NOT_PUBLIC],
  ['percent-encoded digits', 'https://%31%32%37.0.0.1/', NOT_PUBLIC],
  ['full-width digits', 'https://１２７.0.0.1/', NOT_PUBLIC],
  ['circled digits', 'https://①②⑦.0.0.①/', NOT_PUBLIC],
  ['ideographic full stops', 'https://127。0。0。1/', NOT_PUBLIC],
  ['zero', 'https://0/', NOT_PUBLIC],
  ['unspecified', 'https://0.0.0.0/', NOT_PUBLIC],
  ['metadata', 'https://169.254.169.254/latest/meta-data/', NOT_PUBLIC],
  ['metadata in decimal', 'https://2852039166/', NOT_PUBLIC],
  ['metadata in hexadecimal', 'https://0xa9fea9fe/', NOT_PUBLIC],
  ['metadata in two parts', 'https://169.16689662/', NOT_PUBLIC],
  ['Azure platform', 'https://168.63.129.16/', NOT_PUBLIC],
  ['private', 'https://10.1.2.3/', NOT_PUBLIC],
  ['private', 'https://172.20.0.1/', NOT_PUBLIC],
  ['private', 'https://192.168.0.1/', NOT_PUBLIC],
  ['CGNAT', 'https://100.64.0.1/', NOT_PUBLIC],
  ['multicast', 'https://224.0.0.1/', NOT_PUBLIC],
  ['broadcast', 'https://255.255.255.255/', NOT_PUBLIC],
  ['benchmark', 'https://198.18.0.1/', NOT_PUBLIC],
  ['documentation', 'https://203.0.113.9/', NOT_PUBLIC],
  // IPv6 literals.
  ['IPv6 loopback', 'https://[::1]/', NOT_PUBLIC],
  ['IPv6 loopback, written out', 'https://[0000:0000:0000:0000:0000:0000:0000:0001]/', NOT_PUBLIC],
  ['IPv6 unspecified', 'https://[::]/', NOT_PUBLIC],
  ['IPv4-mapped', 'https://[::ffff:127.0.0.1]/', NOT_PUBLIC],
  ['IPv4-mapped in hexadecimal', 'https://[::ffff:7f00:1]/', NOT_PUBLIC],
  ['IPv4-compatible', 'https://[::127.0.0.1]/', NOT_PUBLIC],
  ['NAT64', 'https://[64:ff9b::169.254.169.254]/', NOT_PUBLIC],
  ['6to4', 'https://[2002:7f00:1::1]/', NOT_PUBLIC],
  ['Teredo', 'https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/', NOT_PUBLIC],
  ['unique local', 'https://[fd00:ec2::254]/', NOT_PUBLIC],
  ['link-local', 'https://[fe80::1]/', NOT_PUBLIC],
  ['multicast', 'https://[ff02::1]/', NOT_PUBLIC],
  ['a zone index', 'https://[fe80::1%25eth0]/', NOT_HTTPS_URL],
  ['octal inside IPv6', 'https://[::ffff:0177.0.0.1]/', NOT_HTTPS_URL],
  // Names of private machines.
  ['localhost', 'https://localhost/', NOT_PUBLIC],
  ['localhost with a trailing dot', 'https://localhost./', NOT_PUBLIC],
  ['localhost in capitals', 'https://LOCALHOST/', NOT_PUBLIC],
  ['localhost in full-width letters', 'https://ｌｏｃａｌｈｏｓｔ/', NOT_PUBLIC],
  ['below localhost', 'https://hooks.localhost/', NOT_PUBLIC],
  ['localdomain', 'https://localhost.localdomain/', NOT_PUBLIC],
  ['mDNS', 'https://printer.local/', NOT_PUBLIC],
  ['cloud internal', 'https://metadata.google.internal/', NOT_PUBLIC],
  ['cluster', 'https://api.default.svc.cluster.local/', NOT_PUBLIC],
  ['home network', 'https://nas.home.arpa/', NOT_PUBLIC],
  ['a single label', 'https://kubernetes/', NOT_PUBLIC],
  // Not a plain HTTPS URL.
  ['HTTP', 'http://example.com/hooks', NOT_HTTPS_URL],
  ['another scheme', 'ftp://example.com/', NOT_HTTPS_URL],
  ['a script', 'javascript:alert(1)', NOT_HTTPS_URL],
  ['no scheme', 'example.com/hooks', NOT_HTTPS_URL],
  ['no slashes', 'https:example.com', NOT_HTTPS_URL],
  ['three slashes', 'https:///example.com', NOT_HTTPS_URL],
  ['nothing', '', NOT_HTTPS_URL],
  ['no host', 'https://', NOT_HTTPS_URL],
  ['an IPv4 part above 255', 'https://256.0.0.1/', NOT_HTTPS_URL],
  ['five IPv4 parts', 'https://127.0.0.1.1/', NOT_HTTPS_URL],
  ['port above 65535', 'https://example.com:65536/', NOT_HTTPS_URL],
  ...[0, 22, 25, 6000, 6667, 10080, 3306, 5432, 6379, 9200, 11211, 27017].map(
    (port): [string, string, RegExp] => [
      'the port of another service',
      `https://example.com:${port}/`,
      /^endpoint must use a port that web servers use/,
    ],
  ),
  ['user name', 'https://user@example.com/', /^endpoint must not contain a user name/],
  ['password', 'https://user:secret@example.com/', /^endpoint must not contain a user name/],
  [
    'a host disguised as user name',
    'https://example.com@127.0.0.1/',
    /^endpoint must not contain a user name/,
  ],
  ['two trailing dots', 'https://example.com../', /^endpoint must name a host without empty parts/],
  ['a leading space', ' https://example.com/', AMBIGUOUS],
  ['a space', 'https://example.com/a b', AMBIGUOUS],
  ['a line break', 'https://exam\nple.com/', AMBIGUOUS],
  ['NUL', 'https://example.com/\0', AMBIGUOUS],
  ['a backslash', 'https://example.com\\@127.0.0.1/', AMBIGUOUS],
  ['a lone surrogate', 'https://example.com/\ud800', AMBIGUOUS],
  ['2049 characters', `https://example.com/${'a'.repeat(2029)}`, /^endpoint must be at most 2048 characters/],
];

const ACCEPTED: readonly (readonly [what: string, endpoint: string, href: string])[] = [
  ['a name', 'https://example.com/hooks', 'https://example.com/hooks'],
  ['a port and a query', 'https://example.com:8443/h?a=1&b=%20', 'https://example.com:8443/h?a=1&b=%20'],
  ['the default port', 'https://example.com:443', 'https://example.com/'],
  ['capitals', 'HTTPS://EXAMPLE.COM/Hooks', 'https://example.com/Hooks'],
  ['zero-width characters', 'https://exam\u200bple.com/ho\u200doks\ufeff', 'https://example.com/hooks'],
  ['a trailing dot', 'https://example.com./hooks', 'https://example.com/hooks'],
  ['an accented name', 'https://padaria-pão.com.br/', 'https://xn--padaria-po-n5a.com.br/'],
  ['a name that begins like a private one', 'https://local.example.com/', 'https://local.example.com/'],
  ['a public IPv4 address', 'https://8.8.8.8/', 'https://8.8.8.8/'],
  ['a public IPv4 address in hexadecimal', 'https://0x08080808/', 'https://8.8.8.8/'],
  ['a public IPv6 address', 'https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ['2048 characters', `https://example.com/${'a'.repeat(2028)}`, `https://example.com/${'a'.repeat(2028)}`],
];

describe('checkEndpointUrl', () => {
  it.each(REFUSED)('refuses %s: %s', async (_what, endpoint, reason) => {
    expect(await reasonFor(endpoint)).toMatch(reason);
  });

  it.each(ACCEPTED)('accepts %s and normalizes it: %s', async (_what, endpoint, href) => {
    expect(await checkStrictly(endpoint)).toEqual({ ok: true, url: new URL(href) });
  });

  it('refuses every address of a forbidden block in every notation, without asking DNS', async () => {
    const lookup = jest.fn(resolvesToPublic);
    await fc.assert(
      fc.asyncProperty(forbiddenIpv4(), fc.constantFrom(...NOTATIONS), async (value, notation) => {
        const check = await checkStrictly(`https://${notation(value)}/hooks`, lookup);
        expect(check.ok).toBe(false);
      }),
      { numRuns: 2_000 },
    );
    expect(lookup).not.toHaveBeenCalled();
  });
});

describe('checkEndpointUrl asking DNS', () => {
  it.each([
    ['only private', ['10.0.0.5']],
    ['public and private', ['93.184.215.14', '127.0.0.1']],
    ['public IPv4 and loopback IPv6', ['93.184.215.14', '::1']],
    ['metadata', ['169.254.169.254']],
    ['IPv4-mapped', ['::ffff:10.0.0.5']],
  ])('refuses a name with %s answers and does not tell which', async (_what, addresses) => {
    const reason = await reasonFor('https://rebind.example.com/', async () => addresses);
    expect(reason).toMatch(NOT_PUBLIC);
    for (const address of addresses) expect(reason).not.toContain(address);
  });

  const failing = (code: string) => async () => {
    throw Object.assign(new Error(`queryA ${code}`), { code, syscall: 'queryA' });
  };
  it.each([
    ['does not exist', failing('ENOTFOUND')],
    ['has no addresses', async () => []],
    ['cannot be asked for, as there is no DNS', failing('ECONNREFUSED')],
    ['no name server answers in time', failing('ETIMEOUT')],
  ])('accepts a name that %s: it is looked up when something is sent to it', async (_what, lookup) => {
    const check = await checkStrictly('https://example.com/hook', lookup);
    expect(check).toEqual({ ok: true, url: new URL('https://example.com/hook') });
  });

  it('accepts a name that DNS does not answer within 3 s', async () => {
    jest.useFakeTimers();
    try {
      const pending = checkStrictly('https://slow.example.com/', () => new Promise(() => undefined));
      await jest.advanceTimersByTimeAsync(3_000);
      expect(await pending).toMatchObject({ ok: true });
    } finally {
      jest.useRealTimers();
    }
  });

  it('leaves no timer behind that would keep the process alive', async () => {
    jest.useFakeTimers();
    try {
      const started = jest.spyOn(globalThis, 'setTimeout');
      const stopped = jest.spyOn(globalThis, 'clearTimeout');
      await checkStrictly('https://example.com/');
      const waits = started.mock.results.filter((_, call) => started.mock.calls[call]?.[1] === 3_000);
      expect(waits).not.toEqual([]);
      for (const { value } of waits) expect(stopped).toHaveBeenCalledWith(value as NodeJS.Timeout);
    } finally {
      jest.restoreAllMocks();
      jest.useRealTimers();
    }
  });

  it('asks for the name without its trailing dot', async () => {
    const lookup = jest.fn(resolvesToPublic);
    await checkStrictly('https://example.com./', lookup);
    expect(lookup).toHaveBeenCalledWith('example.com');
  });
});

describe('checkEndpointUrl for an address of this machine', () => {
  it('offers to forward events to exactly that address', async () => {
    expect(await reasonFor('http://localhost:4000/hooks')).toBe(
      'endpoint must point to a public host, not to a local address; to receive events on your own machine, run `npx recebe listen --forward-to http://localhost:4000/hooks`, which needs no webhook',
    );
  });

  it('repeats no text in the command that a shell would run', async () => {
    const reason = await reasonFor('http://localhost:4000/$(id)?a=1&b=2');
    expect(reason).toContain('--forward-to http://localhost:4000/hooks`');
    expect(reason).not.toContain('$');
  });

  const checkLoopback = (endpoint: string, lookup: ResolveAddresses = resolvesToPublic) =>
    checkEndpointUrl(endpoint, { allowPrivateEndpoints: false, allowLoopback: true, lookup });

  it.each([
    ['http://localhost:4000/hooks', 'http://localhost:4000/hooks'],
    ['https://localhost.:4000/hooks', 'https://localhost:4000/hooks'],
    ['http://shop.localhost:4000/', 'http://shop.localhost:4000/'],
    ['http://127.1:4000/', 'http://127.0.0.1:4000/'],
    ['http://[::1]:4000/', 'http://[::1]:4000/'],
  ])('accepts %s without asking DNS if loopback is allowed', async (endpoint, href) => {
    const lookup = jest.fn(resolvesToPublic);
    const check = await checkLoopback(endpoint, lookup);
    expect(check.ok && check.url.href).toBe(href);
    expect(lookup).not.toHaveBeenCalled();
  });

  it.each([
    'http://example.com/hooks',
    'http://192.168.0.4:4000/',
    'https://192.168.0.4:4000/',
    'https://10.0.0.5/',
    'https://169.254.169.254/',
    'https://0.0.0.0/',
    'https://[::ffff:127.0.0.1]/',
    'https://receiver/',
    'https://nas.local/',
    'http://localhost.example.com/',
    'http://user@localhost:4000/',
    'http://localhost:6379/',
  ])('refuses %s if only loopback is allowed', async (endpoint) => {
    expect(await checkLoopback(endpoint)).toMatchObject({ ok: false });
  });

  it('refuses a public name that resolves to this machine', async () => {
    const check = await checkLoopback('https://hooks.example.com/', async () => ['127.0.0.1']);
    expect(check).toMatchObject({ ok: false });
  });
});

describe('checkEndpointUrl where private endpoints are allowed', () => {
  it.each([
    'http://localhost:3000/hooks',
    'http://127.0.0.1:3000/',
    'http://[::1]:3000/',
    'https://10.0.0.5/',
    'http://receiver:8080/',
    'https://example.com/',
  ])('accepts %s without asking DNS', async (endpoint) => {
    const lookup = jest.fn(resolvesToPublic);
    expect(await checkEndpointUrl(endpoint, { allowPrivateEndpoints: true, lookup })).toMatchObject({
      ok: true,
    });
    expect(lookup).not.toHaveBeenCalled();
  });

  it.each(['ftp://localhost/', 'http://user@localhost/', 'http://localhost:0/', 'localhost:3000'])(
    'refuses %s even if private endpoints are allowed',
    async (endpoint) => {
      expect(await checkEndpointUrl(endpoint, { allowPrivateEndpoints: true })).toMatchObject({ ok: false });
    },
  );
});

function forbiddenIpv4(): fc.Arbitrary<number> {
  return fc
    .tuple(fc.constantFrom(...FORBIDDEN_IPV4_BLOCKS), fc.nat(0xffffffff))
    .map(([[network, prefix], random]) => {
      const base = network.split('.').reduce((value, octet) => value * 256 + Number(octet), 0);
      return base + (random % 2 ** (32 - prefix));
    });
}

/** Every way a URL's host can say an IPv4 address, or an IPv6 address that leads to it. */
const NOTATIONS: readonly ((value: number) => string)[] = [
  (value) => octets(value).join('.'),
  (value) => `${octets(value).join('.')}.`,
  (value) => String(value),
  (value) => `0x${value.toString(16)}`,
  (value) => `0X${value.toString(16).toUpperCase()}`,
  (value) => `0${value.toString(8)}`,
  (value) =>
    octets(value)
      .map((octet) => `0x${octet.toString(16)}`)
      .join('.'),
  (value) =>
    octets(value)
      .map((octet) => `0${octet.toString(8)}`)
      .join('.'),
  (value) => `${octets(value)[0]}.${value % 2 ** 24}`,
  (value) => `${octets(value).slice(0, 2).join('.')}.${value % 2 ** 16}`,
  (value) => percentEncoded(octets(value).join('.')),
  (value) => octets(value).join('。'),
  (value) => `[::ffff:${octets(value).join('.')}]`,
  (value) => `[::ffff:${groups(value)}]`,
  (value) => `[0:0:0:0:0:ffff:${groups(value)}]`,
  (value) => `[::${octets(value).join('.')}]`,
  (value) => `[::ffff:0:${octets(value).join('.')}]`,
  (value) => `[64:ff9b::${octets(value).join('.')}]`,
  (value) => `[64:ff9b:1::${groups(value)}]`,
  (value) => `[2002:${groups(value)}::1]`,
  (value) => `[2001:0:4136:e378:8000:63bf:${groups(0xffffffff - value)}]`,
];

function octets(value: number): number[] {
  return [value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}

function groups(value: number): string {
  return `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
}

function percentEncoded(text: string): string {
  return [...text].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
}

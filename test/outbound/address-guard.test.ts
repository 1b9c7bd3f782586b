import { BlockList } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from '../../src/outbound/address-guard.ts';
import { FORBIDDEN_IPV4_BLOCKS } from './forbidden-blocks.ts';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '200.147.3.157',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2800:3f0:4001:81b::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
];

const FORBIDDEN = [
  ['unspecified', '0.0.0.0'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.255.255'],
  ['CGNAT', '100.64.0.1'],
  ['Alibaba metadata', '100.100.100.200'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['link-local', '169.254.1.1'],
  ['AWS, Google and Azure metadata', '169.254.169.254'],
  ['AWS task metadata', '169.254.170.2'],
  ['Azure platform', '168.63.129.16'],
  ['protocol assignments, Oracle metadata', '192.0.0.192'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmark', '198.18.0.1'],
  ['benchmark', '198.19.255.255'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['loopback, written out', '0:0:0:0:0:0:0:1'],
  ['IPv4-compatible', '::127.0.0.1'],
  ['IPv4-compatible public', '::8.8.8.8'],
  ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
  ['IPv4-mapped loopback in hexadecimal', '::ffff:7f00:1'],
  ['IPv4-mapped metadata', '::ffff:169.254.169.254'],
  ['IPv4-mapped unspecified', '::ffff:0.0.0.0'],
  ['IPv4-translated', '::ffff:0:127.0.0.1'],
  ['NAT64 of a private address', '64:ff9b::10.0.0.1'],
  ['NAT64 of metadata', '64:ff9b::a9fe:a9fe'],
  ['NAT64 for local use', '64:ff9b:1::8.8.8.8'],
  ['6to4 of loopback', '2002:7f00:1::'],
  ['6to4 of a private address', '2002:c0a8:101::1'],
  ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fdff::1'],
  ['AWS metadata', 'fd00:ec2::254'],
  ['Google metadata', 'fd20:ce::254'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['public with a zone', '2606:4700:4700::1111%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['documentation', '2001:db8::1'],
  ['documentation', '3fff::1'],
  ['benchmark', '2001:2::1'],
  ['ORCHID', '2001:20::1'],
  ['discard', '100::1'],
  ['segment routing', '5f00::1'],
  ['not assigned', '4000::1'],
  ['not assigned', '0:0:0:1::1'],
] as const;

const NOT_AN_ADDRESS = [
  '',
  'localhost',
  'example.com',
  '8.8.8',
  '0x8.8.8.8',
  '010.8.8.8',
  '134744072',
  '[2606:4700::1]',
  '8.8.8.8:443',
  ' 8.8.8.8',
  '8.8.8.8\0',
  '::ffff:0177.0.0.1',
];

describe('isPublicAddress', () => {
  it.each(PUBLIC)('accepts %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(true);
  });

  it.each(FORBIDDEN)('refuses %s: %s', (_kind, ip) => {
    expect(isPublicAddress(ip)).toBe(false);
  });

  it.each(NOT_AN_ADDRESS)('refuses %j, which sockets do not take for an address', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  it("matches IANA's list of special-purpose blocks for every IPv4 address", () => {
    const blocks = new BlockList();
    for (const [network, prefix] of FORBIDDEN_IPV4_BLOCKS) blocks.addSubnet(network, prefix);
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        expect(isPublicAddress(ip)).toBe(!blocks.check(ip));
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses IPv6 outside 2000::/3, unless it stands for a public IPv4 address', () => {
    const outside = fc
      .tuple(
        fc.integer({ min: 0x4000, max: 0xffff }),
        fc.array(fc.nat(0xffff), { minLength: 7, maxLength: 7 }),
      )
      .map(([first, rest]) => [first, ...rest].map((group) => group.toString(16)).join(':'));
    fc.assert(fc.property(outside, (ip) => expect(isPublicAddress(ip)).toBe(false)));
  });
});

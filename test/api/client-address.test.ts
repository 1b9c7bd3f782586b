import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config.ts';
import { ClientAddresses } from '../../src/http/client-address.ts';

const PROXIES = ['10.0.0.0/8', '2001:db8:ffff::/48', '192.0.2.7'];

function addressOf(peer: string | undefined, forwarded?: string, proxies = PROXIES): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage;
  return new ClientAddresses(proxies).of(request);
}

/** The CPU time of 2,000 calls, in microseconds. */
function cpuOf(call: () => unknown): number {
  const before = process.cpuUsage();
  for (let time = 0; time < 2_000; time++) call();
  return process.cpuUsage(before).user;
}

it.each([
  ['the whole IPv6 address', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2:3:4:5:6'],
  ['IPv4 for IPv4 in the form of IPv6', '::ffff:203.0.113.9', undefined, '203.0.113.9'],
  ['what a proxy of ours says', '10.1.2.3', '203.0.113.9, 2001:db8:1::9', '2001:db8:1::9'],
  ['the peer, whatever it says of itself', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['null once the connection is gone', undefined, undefined, null],
])('returns the exact address: %s', (_, remoteAddress, forwarded, address) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const request = { socket: { remoteAddress }, headers } as unknown as IncomingMessage;
  expect(new ClientAddresses(PROXIES).exactly(request)).toBe(address);
});

describe('the address a request counts for', () => {
  it.each([
    ['the peer', '203.0.113.9', undefined, '203.0.113.9'],
    ['the peer, whatever it says of itself', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['what a proxy of ours says', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['the last that is not ours', '10.1.2.3', '1.1.1.1, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['only the last one, not those before it', '10.1.2.3', '10.4.4.4, 198.51.100.1', '198.51.100.1'],
    ['the proxy, where it says nothing', '192.0.2.7', undefined, '192.0.2.7'],
    ['the proxy, where it says what is no address', '192.0.2.7', 'unknown', '192.0.2.7'],
    ['without a port', '10.1.2.3', '198.51.100.1:4711', '198.51.100.1'],
    ['of IPv6 the network of its subscriber', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
    ['of IPv6 behind a proxy, in brackets', '2001:db8:ffff::1', '[2001:db8:1:2::9]:80', '2001:db8:1:2::/64'],
    ['of IPv4 in the form of IPv6 that of IPv4', '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    ['of IPv4 in the form of IPv6, behind a proxy', '10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1'],
    ['the first, where all are ours', '10.1.2.3', '10.4.4.4, 10.5.5.5', '10.4.4.4'],
    ['the last that is an address', '10.1.2.3', '198.51.100.1,, 10.5.5.5', '10.5.5.5'],
    ['nobody, once the connection is gone', undefined, undefined, 'unknown'],
  ])('counts a request against the address: %s', (_, peer, forwarded, address) => {
    expect(addressOf(peer, forwarded)).toBe(address);
  });

  it('reads no more entries than it needs', () => {
    const entries = `${','.repeat(15_000)}198.51.100.1`;
    const read = cpuOf(() => addressOf('10.1.2.3', entries));
    expect(read).toBeLessThan(cpuOf(() => entries.split(',')) / 2);
  });

  it('accepts only addresses and networks as trusted proxies', () => {
    const proxies = (text: string) =>
      loadConfig({ DATABASE_URL: 'postgres://unused', TRUSTED_PROXIES: text }).trustedProxies;
    expect(proxies('')).toEqual([]);
    expect(proxies(' 10.0.0.0/8, ::1 ,')).toEqual(['10.0.0.0/8', '::1']);
    for (const wrong of ['proxy.internal', '10.0.0.0/99', '*'])
      expect(() => proxies(wrong)).toThrow('TRUSTED_PROXIES');
  });
});

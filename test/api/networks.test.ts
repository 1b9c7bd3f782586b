import { describe, expect, it } from '@jest/globals';
import { MAX_NETWORKS, networksIn } from '../../src/api/keys/given-limits.ts';
import { canonicalNetwork, isWithin } from '../../src/http/networks.ts';

describe('a network', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7/32', '192.0.2.7'],
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
    ['::ffff:c000:207', '192.0.2.7'],
  ])('normalises %s to %s', (text, kept) => {
    expect(canonicalNetwork(text)).toBe(kept);
  });

  it.each([
    '',
    'example.com',
    '192.0.2',
    '192.0.2.256',
    '010.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    '192.0.2.0/33',
    '192.0.2.0/',
    '192.0.2.0/024',
    '192.0.2.0/24/8',
    '192.0.2.0/255.255.255.0',
    '2001:db8::/129',
    'fe80::1%eth0',
    '[2001:db8::1]',
    '192.0.2.7:443',
    '192.0.2.*',
  ])('refuses %j as a network', (text) => {
    expect(canonicalNetwork(text)).toEqual({ problem: 'NO_NETWORK' });
  });

  it.each([
    ['192.0.2.7/24', '192.0.2.0/24'],
    ['2001:db8::1/64', '2001:db8::/64'],
    ['::ffff:192.0.2.7/120', '192.0.2.0/24'],
  ])('refuses %s and suggests %s', (text, network) => {
    expect(canonicalNetwork(text)).toEqual({ problem: 'NOT_ITS_BEGINNING', network });
  });

  it.each(['0.0.0.0/0', '::/0', '::ffff:0.0.0.0/96'])(
    'refuses %s because it includes every address',
    (text) => {
      expect(canonicalNetwork(text)).toEqual({ problem: 'EVERYWHERE' });
    },
  );
});

describe('an address', () => {
  it.each([
    ['192.0.2.255', true],
    ['192.0.3.0', false],
    ['::ffff:192.0.2.9', true],
    ['198.51.100.7', true],
    ['198.51.100.8', false],
    ['2001:db8:1::', true],
    ['2001:db8:2::', false],
    ['unknown', false],
    ['', false],
    [null, false],
  ])('decides whether %s is within the allowed networks: %s', (address, expected) => {
    expect(isWithin(address, ['192.0.2.0/24', '198.51.100.7', '2001:db8:1::/48'])).toBe(expected);
  });
});

it('reads a list of networks with any separators and names each wrong entry', () => {
  expect(networksIn(' 192.0.2.7,192.0.2.7/32;\n2001:db8::/32 ')).toEqual({
    networks: ['192.0.2.7', '2001:db8::/32'],
    wrong: [],
    tooMany: false,
  });
  const { wrong } = networksIn('192.0.2.7, home, 192.0.2.1/24');
  expect(wrong.map(({ entry }) => entry)).toEqual(['home', '192.0.2.1/24']);
  const many = Array.from({ length: MAX_NETWORKS + 1 }, (_, index) => `192.0.2.${index}`);
  expect(networksIn(many.join(' ')).tooMany).toBe(true);
});

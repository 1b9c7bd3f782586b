import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { ClientAddresses } from '../../src/http/client-address.ts';
import { HandshakeLimit } from '../../src/http/handshake-limit.ts';

/** A connection from an address. */
class FakeSocket extends Socket {
  override readonly remoteAddress: string;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
}

/** Nothing refills within a test. */
const only = (burst: number) => ({ perSecond: 1e-9, burst });

/** A limit, and what happens to connections of some addresses at its server. */
function limited(ofAddress: number, ofStrangers: number) {
  const limit = new HandshakeLimit(new ClientAddresses([]), {
    ofAddress: only(ofAddress),
    ofStrangers: only(ofStrangers),
  });
  const server = new EventEmitter();
  limit.watch(server as never);
  const connect = (remoteAddress: string) => {
    const socket = new FakeSocket(remoteAddress);
    server.emit('connection', socket);
    return socket;
  };
  const notify = (remoteAddress: string) => {
    const socket = connect(remoteAddress);
    if (!socket.destroyed) for (let number = 0; number < 2; number += 1) limit.proven(socket);
    return !socket.destroyed;
  };
  return { notify, isOpen: (address: string) => !connect(address).destroyed };
}

it('counts connections of an address that prove nothing', () => {
  const { isOpen, notify } = limited(2, 100);
  for (let number = 0; number < 9; number += 1) expect(notify('192.0.2.1')).toBe(true);
  expect([1, 2, 3].map(() => isOpen('192.0.2.1'))).toEqual([true, true, false]);
  expect(isOpen('192.0.2.2')).toBe(true);
});

it('returns the token of a connection once, however many notifications it brings', () => {
  const { isOpen, notify } = limited(3, 100);
  expect([isOpen('192.0.2.1'), isOpen('192.0.2.1'), notify('192.0.2.1')]).toEqual([true, true, true]);
  expect([isOpen('192.0.2.1'), isOpen('192.0.2.1')]).toEqual([true, false]);
});

it('counts addresses of an IPv6 site as one', () => {
  const { isOpen } = limited(2, 100);
  expect(['2001:db8:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1'].map(isOpen)).toEqual([true, true, false]);
});

it('limits all strangers together, and none of the addresses that have notified', () => {
  const { isOpen, notify } = limited(10, 3);
  expect(notify('192.0.2.1')).toBe(true);
  expect([2, 3, 4, 5].map((last) => isOpen(`192.0.2.${last}`))).toEqual([true, true, true, false]);
  expect(notify('192.0.2.1')).toBe(true);
});

import { createSocket } from 'node:dgram';
import { describe, expect, it } from '@jest/globals';
import { dnsResolver } from '../../src/outbound/resolve-addresses.ts';

const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;
const TYPE_A = 1;

/** What the name server says to one question: an address or an error code. */
type Answer = Uint8Array | typeof SERVER_FAILURE | typeof NO_SUCH_NAME;

const IPV4 = Uint8Array.of(93, 184, 215, 14);
const IPV6 = Uint8Array.from({ length: 16 }, (_, index) => index + 0x20);

describe('dnsResolver', () => {
  it('gives the addresses of both families', async () => {
    await using server = await nameServer(IPV4, IPV6);
    expect(await server.resolve('hooks.example.com')).toEqual([
      '93.184.215.14',
      '2021:2223:2425:2627:2829:2a2b:2c2d:2e2f',
    ]);
  });

  it('gives one family when the other fails', async () => {
    await using onlyIpv4 = await nameServer(IPV4, SERVER_FAILURE);
    expect(await onlyIpv4.resolve('hooks.example.com')).toEqual(['93.184.215.14']);
    await using onlyIpv6 = await nameServer(NO_SUCH_NAME, IPV6);
    expect(await onlyIpv6.resolve('hooks.example.com')).toHaveLength(1);
  });

  it('rejects a name that does not exist, with an error that is known as one of DNS', async () => {
    await using server = await nameServer(NO_SUCH_NAME, NO_SUCH_NAME);
    await expect(server.resolve('typo.example.com')).rejects.toMatchObject({
      code: 'ENOTFOUND',
      syscall: expect.stringMatching(/^query/),
    });
  });
});

async function nameServer(ipv4: Answer, ipv6: Answer) {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const answer = query.readUInt16BE(endOfName(query)) === TYPE_A ? ipv4 : ipv6;
    socket.send(reply(query, answer), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    resolve: dnsResolver([`127.0.0.1:${socket.address().port}`]),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  };
}

/**
 * RFC 1035, section 4.1: the question's name follows the 12 bytes of the header and ends with a zero byte.
 */
function endOfName(query: Buffer): number {
  return query.indexOf(0, 12) + 1;
}

function reply(query: Buffer, answer: Answer): Buffer {
  const question = query.subarray(12, endOfName(query) + 4);
  const found = typeof answer !== 'number';
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (found ? 0 : answer), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(found ? 1 : 0, 6);
  if (!found) return Buffer.concat([header, question]);
  // The record's name points back to the question's; then its type and class, a TTL of 60 s and the address.
  const record = Buffer.from([0xc0, 12, ...question.subarray(-4), 0, 0, 0, 60, 0, answer.length, ...answer]);
  return Buffer.concat([header, question, record]);
}

import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect, it, jest } from '@jest/globals';
import { pagesOf } from '../../../src/api/frame/csv.ts';
import type { ApiRequest } from '../../../src/api/frame/request.ts';
import { ReadsBesideOthers } from '../../../src/api/limits/reads-beside-others.ts';
import { downloadParts } from '../../../src/web/dashboard/exports/download.ts';
import type { Visit } from '../../../src/web/dashboard/frame/visit.ts';
import { waitFor } from '../../support/waiting/wait-for.ts';

const STORE_ID = 'store_1';
const busy = { othersThan: () => true, readersOtherThan: () => true };

/** A person who downloads a file of a store while another store has work. */
function visitOf(person: string): Visit {
  return {
    store: { id: STORE_ID },
    user: { id: person },
    deps: { busy },
    requireStillAllowed: async () => undefined,
    log: { warn: () => undefined },
    request: { socket: { destroy: () => undefined } },
  } as unknown as Visit;
}

const read: string[] = [];

async function* partsOf(person: string): AsyncGenerator<string> {
  let page = 0;
  const handler = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    page += 1;
    read.push(`${person} ${page}`);
    return { items: [page], pagination: { next: page === 1 ? 'second' : null } };
  };
  const request = { query: {}, withQuery: () => request, deps: { busy }, key: { storeId: STORE_ID } };
  for await (const _ of pagesOf(handler, request as unknown as ApiRequest)) yield 'a,b\r\n';
}

async function download(person: string): Promise<void> {
  const reply = await downloadParts(visitOf(person), 'a.csv', partsOf(person));
  if (reply.kind !== 'file') throw new Error('a file is sent');
  const body = (reply.body as Readable).resume();
  await once(body, 'close');
}

it('reads for others while two downloads of the store pause', async () => {
  const { promise: pause, resolve: end } = Promise.withResolvers<void>();
  const rest = jest.spyOn(ReadsBesideOthers.prototype, 'rest');
  rest.mockImplementation((_, tookMs) => (tookMs === 0 ? Promise.resolve() : pause));
  const downloads = ['ana', 'bia'].map(download);
  await waitFor(() => rest.mock.calls.filter(([, tookMs]) => tookMs > 0).length === 2);
  downloads.push(download('caio'));
  await waitFor(() => read.includes('caio 1'));
  expect(read).toEqual(['ana 1', 'bia 1', 'caio 1']);
  end();
  await Promise.all(downloads);
  expect(read).toHaveLength(6);
});

import type { RequestListener, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDispatcher } from '../../src/outbound/guarded-dispatcher.ts';
import { createTestApp, type TestApp } from '../support/api/app.ts';
import {
  insertCharge,
  insertCheckout,
  insertProduct,
  itemOf,
  NOON,
  paid,
} from '../support/rows/checkout-rows.ts';
import { httpServer, tcpServer } from '../support/servers/loopback-servers.ts';
import { eventually } from '../support/waiting/eventually.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ clock: () => NOON, starter: { startSoon: () => undefined } });
});
afterAll(() => app.close());

/** The address where a payer downloads the file at `fileUrl`, of a paid charge by default. */
async function fileOf(on: TestApp, fileUrl: string, changes = paid(5_000)): Promise<string> {
  const product = await insertProduct(on, { fileUrl });
  const checkout = await insertCheckout(on, { items: [itemOf(product)] });
  const charge = await insertCharge(on, checkout, 'PIX', changes);
  return `${on.api.url}/pay/${checkout.id}/${charge.id}/files/${product.id}`;
}

async function download(listener: RequestListener, name = 'livro.pdf'): Promise<Response> {
  await using server = await httpServer(listener);
  return await readWhole(
    await fetch(await fileOf(app, `http://127.0.0.1:${server.port}/secret-folder/${name}`)),
  );
}

/** The body is read before its server is gone. */
async function readWhole(response: Response): Promise<Response> {
  const { status, headers } = response;
  return new Response(await response.arrayBuffer(), { status, headers });
}

describe('the file of a product', () => {
  it('sends the file to its buyer unchanged, to be saved under its name', async () => {
    const bytes = Buffer.alloc(3_000_000, 'recebe');
    const response = await download((_request, answer) => {
      answer
        .setHeader('Content-Type', 'application/pdf')
        .setHeader('Content-Length', bytes.length)
        .end(bytes);
    }, 'Livro%20de%20cora%C3%A7%C3%A3o.pdf');
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="Livro de cora__o.pdf"; filename*=UTF-8''Livro%20de%20cora%C3%A7%C3%A3o.pdf`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
  });

  it('sends a file ten times an hour and no more', async () => {
    let sent = 0;
    await using server = await httpServer((_request, answer) => {
      sent += 1;
      answer.end('a');
    });
    const address = await fileOf(app, `http://127.0.0.1:${server.port}/a.pdf`);
    const statuses: number[] = [];
    for (let time = 0; time < 12; time += 1) statuses.push((await readWhole(await fetch(address))).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429, 429]);
    expect(sent).toBe(10);
  });

  it('leaves the server of a file when its payer leaves', async () => {
    const asked = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    await using server = await httpServer((request) => {
      request.socket.once('close', () => left.resolve());
      asked.resolve();
    });
    const payer = new AbortController();
    const address = await fileOf(app, `http://127.0.0.1:${server.port}/a.pdf`);
    const answer = fetch(address, { signal: payer.signal }).catch(() => null);
    await asked.promise;
    payer.abort();
    await Promise.all([answer, left.promise]);
  });

  it('passes 64 files of a store on at once, and then one more when one has ended', async () => {
    const open: ServerResponse[] = [];
    await using server = await httpServer((_request, answer) => {
      open.push(answer);
    });
    const addresses = await Promise.all(
      Array.from({ length: 33 }, () => fileOf(app, `http://127.0.0.1:${server.port}/a.pdf`)),
    );
    const downloads = addresses
      .slice(0, 32)
      .flatMap((address) => Array.from({ length: 2 }, async () => readWhole(await fetch(address))));
    await eventually(() => expect(open).toHaveLength(64));
    const another = addresses[32] ?? '';
    const refused = await fetch(another);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await refused.text()).toContain('Muitas pessoas estão baixando arquivos desta loja');
    for (const answer of open) answer.end('a');
    expect((await Promise.all(downloads)).map(({ status }) => status)).toEqual(Array(64).fill(200));
    const again = fetch(another);
    await eventually(() => expect(open).toHaveLength(65));
    open[64]?.end('a');
    expect((await again).status).toBe(200);
  });

  it.each([
    ['status line', 'HTTP/1.1 200 ', 502],
    ['chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', null],
  ])('leaves a server whose %s never ends', async (_, start, status) => {
    await using server = await tcpServer((socket) => {
      socket.write(start);
      const more = () => {
        while (socket.writable && socket.write('a'.repeat(16_384)));
      };
      socket.on('drain', more);
      more();
    });
    const answer = fetch(await fileOf(app, `http://127.0.0.1:${server.port}/a.pdf`)).then(readWhole);
    if (status === null) await expect(answer).rejects.toThrow();
    else expect((await answer).status).toBe(status);
    await server.allClosed();
  });

  it('passes a file of small chunks on to a slow reader', async () => {
    const chunks = 40_000;
    await using server = await tcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      socket.write(`${'20\r\n0123456789abcdef0123456789abcdef\r\n'.repeat(chunks)}0\r\n\r\n`);
    });
    const answer = await fetch(await fileOf(app, `http://127.0.0.1:${server.port}/a.pdf`));
    let bytes = 0;
    for await (const part of answer.body ?? []) {
      bytes += part.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(bytes).toBe(32 * chunks);
  });

  it('counts no download that its server has failed', async () => {
    const statuses = Array(11).fill(503);
    await using server = await httpServer((_request, answer) => {
      answer.writeHead(statuses.pop() ?? 200).end('a');
    });
    const address = await fileOf(app, `http://127.0.0.1:${server.port}/a.pdf`);
    for (let time = 0; time < 11; time += 1) expect((await readWhole(await fetch(address))).status).toBe(502);
    expect((await readWhole(await fetch(address))).status).toBe(200);
  });

  it('sends a file as it is, also to browsers that take compressed ones', async () => {
    const address = async (listener: RequestListener) => {
      await using server = await httpServer(listener);
      const url = await fileOf(app, `http://127.0.0.1:${server.port}/a.txt`);
      return readWhole(await fetch(url, { headers: { 'Accept-Encoding': 'br' } }));
    };
    const response = await address((_request, answer) => answer.end('a'.repeat(100_000)));
    expect(response.headers.get('content-encoding')).toBeNull();
    expect((await response.arrayBuffer()).byteLength).toBe(100_000);
  });

  it('never serves a file as a page, whatever content type its server sends', async () => {
    const response = await download((_request, answer) => {
      answer.setHeader('Content-Type', 'text/html').setHeader('Set-Cookie', 'a=b').end('<script>');
    }, 'x.html');
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(response.headers.has('set-cookie')).toBe(false);
  });

  it.each([
    ['a redirect', 302],
    ['an error', 500],
  ])("returns 502 without the file's address if its server answers %s", async (_name, status) => {
    const response = await download((_request, answer) => {
      answer
        .writeHead(status, { Location: 'https://elsewhere.example.com/other.pdf' })
        .end('oops secret-folder');
    });
    const text = await response.text();
    expect(response.status).toBe(502);
    expect(text).toContain('Não foi possível baixar o arquivo');
    expect(text + JSON.stringify([...response.headers])).not.toMatch(
      /secret-folder|elsewhere|127\.0\.0\.1:\d+\/secret/,
    );
    expect(JSON.stringify(app.logged)).not.toMatch(/secret-folder|elsewhere/);
  });

  it('refuses a file that is too large', async () => {
    const response = await download((_request, answer) => {
      answer.writeHead(200, { 'Content-Length': 2 * 1024 ** 3 + 1 });
      answer.write('x');
    });
    expect(response.status).toBe(502);
  });

  it("returns 502 if the file's server sends informational answers only", async () => {
    await using server = await tcpServer((socket) => {
      const drip = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 5);
      socket.once('close', () => clearInterval(drip));
    });
    const response = await fetch(await fileOf(app, `http://127.0.0.1:${server.port}/a.pdf`));
    expect(response.status).toBe(502);
    await server.allClosed();
  });

  it("aborts the download if the file's server does, so that no part looks complete", async () => {
    const listener: RequestListener = (_request, answer) => {
      answer.writeHead(200, { 'Content-Length': 1_000_000 });
      answer.write(Buffer.alloc(10_000), () => answer.destroy());
    };
    await expect(download(listener)).rejects.toThrow();
  });

  it.each(['PENDING', 'EXPIRED', 'REFUNDED', 'UNDER_DISPUTE'] as const)(
    'returns 404 for the file of a charge that is %s',
    async (status) => {
      const response = await fetch(
        await fileOf(app, 'https://files.example.com/a.pdf', { ...paid(5_000), status }),
      );
      expect(response.status).toBe(404);
    },
  );

  it('returns 404 for the file of a product that was not bought', async () => {
    const other = await insertProduct(app, { fileUrl: 'https://files.example.com/b.pdf' });
    const address = await fileOf(app, 'https://files.example.com/a.pdf');
    expect((await fetch(address.replace(/prod_\w+$/, other.id))).status).toBe(404);
  });

  it('fetches files from public addresses only', async () => {
    const { dispatcher, close } = createDispatcher({ allowPrivateEndpoints: false });
    const guarded = await createTestApp({ clock: () => NOON, dispatcher });
    try {
      const response = await fetch(await fileOf(guarded, 'https://127.0.0.1:1/a.pdf'));
      expect(response.status).toBe(502);
      expect(guarded.logged).toContainEqual(expect.objectContaining({ reason: 'FORBIDDEN_ADDRESS' }));
    } finally {
      await guarded.close();
      await close();
    }
  });
});

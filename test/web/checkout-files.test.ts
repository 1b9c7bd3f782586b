import type { RequestListener } from 'node:http';
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
import { httpServer } from '../support/servers/loopback-servers.ts';

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
    const answers = await Promise.all(
      Array.from({ length: 30 }, async () => readWhole(await fetch(address))),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    expect(sent).toBe(10);
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

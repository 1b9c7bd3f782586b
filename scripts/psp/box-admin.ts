import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ZodError, z } from 'zod';
import { closed, listening } from './local-server.ts';

/** The commands of a box: `POST /pay/pay_1` has the name `POST pay` and the id `pay_1`. */
export interface BoxCommands {
  /** The page for people, at `/`. */
  page(): string | Promise<string>;
  /** @returns the answer, or null for an unknown name. @throws if the command is wrong. */
  act(name: string, id: string, body: unknown): unknown;
}

/** Serves the commands of a box, over plain HTTP on this machine. A wrong one is answered 422 with its reason. */
export async function startBoxAdmin(
  commands: BoxCommands,
  port: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const answer = (status: number, body: unknown, type = 'application/json') => {
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8` });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    try {
      if (method === 'GET' && url === '/') return answer(200, await commands.page(), 'text/html');
      const [, what = '', id = ''] = url.split('/').map(decodeURIComponent);
      const sent = await text(request);
      const done = await commands.act(`${method} ${what}`, id, sent === '' ? {} : JSON.parse(sent));
      answer(done === null ? 404 : 200, done ?? { error: 'there is no such path' });
    } catch (error) {
      answer(422, { error: error instanceof ZodError ? z.prettifyError(error) : String(error) });
    }
  });
  await listening(server, port);
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => closed(server),
  };
}

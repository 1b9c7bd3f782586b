import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Agent, type Dispatcher, request } from 'undici';
import { closed, listening } from '../psp/local-server.ts';
import type { Psp } from '../psp/start-psp.ts';

/** One request and its answer, as the relay passed them on. */
export interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly status: number;
  readonly answer: unknown;
  /** The violations that Prism reports in its header `sl-violations`. */
  readonly violations: readonly unknown[];
}

/** Headers that are not passed on: they describe the connection, or the length, which is computed again. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host']);

/** Where a request is passed on, and the headers that are added to it. */
export interface Route {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Passes requests on to `target` and records them. @param change changes the text of each answer. @param route changes where each
 * request goes.
 */
export async function startRelay(
  target: string,
  dispatcher?: Dispatcher,
  change: (reply: string, path: string) => string = (reply) => reply,
  route: (path: string, headers: Readonly<Record<string, unknown>>) => Route = (path) => ({ path }),
) {
  const exchanges: Exchange[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = '', url: path = '' } = incoming;
    const sent = await text(incoming);
    const to = route(path, incoming.headers);
    const headers = { ...passedOn(incoming.headers), ...to.headers };
    try {
      const answered = await request(`${target}${to.path}`, {
        method: method as Dispatcher.HttpMethod,
        headers,
        ...(sent !== '' && { body: sent }),
        ...(dispatcher && { dispatcher }),
      });
      const reply = change(await answered.body.text(), path);
      const violations = parsed(String(answered.headers['sl-violations'] ?? '[]'));
      exchanges.push({
        method,
        path,
        headers,
        body: parsed(sent),
        status: answered.statusCode,
        answer: parsed(reply),
        violations: Array.isArray(violations) ? violations : [],
      });
      outgoing.writeHead(answered.statusCode, passedOn(answered.headers)).end(reply);
    } catch {
      outgoing.destroy();
    }
  });
  await listening(server, 0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    close: () => closed(server),
  };
}
export type Relay = Awaited<ReturnType<typeof startRelay>>;

/** A relay to a bank that shows the client certificate, so that third-party programs can use plain HTTP. */
export function relayTo(psp: Psp, target: string, route?: Parameters<typeof startRelay>[3]): Promise<Relay> {
  const { certificate, privateKey, ca } = psp.account.secrets;
  const connect = { cert: String(certificate), key: String(privateKey), ca: String(ca) };
  return startRelay(target, new Agent({ connect }), undefined, route);
}

function passedOn(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name) && !name.startsWith('sl-'));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

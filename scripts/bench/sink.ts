import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as it arrived. */
export interface Received {
  readonly subjectId: string;
  readonly deliveryId: string;
  /** On the clock of `performance.now()`. */
  readonly atMs: number;
}

/** An integrator's endpoint that answers 200 at once and reports when the webhook of a charge or a checkout arrived. */
export interface Sink {
  readonly url: string;
  /** Resolves with the first webhook for this charge or checkout. Call it before it is paid. */
  next(subjectId: string): Promise<Received>;
  /** Calls `listener` with the subject of each webhook from now on. Only one listener at a time. */
  listen(listener: (subjectId: string) => void): void;
  close(): Promise<void>;
}

/** Longer than any delay without a lost webhook: a second attempt would come after a minute. */
const LOST_AFTER_MS = 120_000;

interface Waiting {
  resolve(received: Received): void;
  timer: NodeJS.Timeout;
}

export async function startSink(): Promise<Sink> {
  const waiting = new Map<string, Waiting>();
  let listener = (_subjectId: string): void => {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const atMs = performance.now();
      response.end();
      const { id, data } = JSON.parse(Buffer.concat(chunks).toString());
      const subjectId: string = (data.transparent ?? data.checkout ?? data.subscription).id;
      listener(subjectId);
      const found = waiting.get(subjectId);
      if (found === undefined) return;
      waiting.delete(subjectId);
      clearTimeout(found.timer);
      found.resolve({ subjectId, deliveryId: id, atMs });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    next: (subjectId) =>
      new Promise((resolve, reject) => {
        const lost = () =>
          reject(new Error(`the webhook of ${subjectId} has not come in ${LOST_AFTER_MS / 1_000} s`));
        waiting.set(subjectId, { resolve, timer: setTimeout(lost, LOST_AFTER_MS) });
      }),
    listen: (given) => {
      listener = given;
    },
    close: () =>
      new Promise((resolve) => {
        for (const { timer } of waiting.values()) clearTimeout(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

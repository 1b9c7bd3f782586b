import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook as it arrived. */
export interface Received {
  readonly chargeId: string;
  readonly deliveryId: string;
  /** On the clock of `performance.now()`. */
  readonly atMs: number;
}

/** An integrator's endpoint that answers 200 at once and tells when the webhook of a charge came. */
export interface Sink {
  readonly url: string;
  /** Resolves with the first webhook for this charge. Call it before the charge is paid. */
  next(chargeId: string): Promise<Received>;
  close(): Promise<void>;
}

/** Far beyond any delay that is not a loss: a second attempt would come after a minute. */
const LOST_AFTER_MS = 120_000;

interface Waiting {
  resolve(received: Received): void;
  timer: NodeJS.Timeout;
}

export async function startSink(): Promise<Sink> {
  const waiting = new Map<string, Waiting>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const atMs = performance.now();
      response.end();
      const { id, data } = JSON.parse(Buffer.concat(chunks).toString());
      const chargeId: string = data.transparent.id;
      const found = waiting.get(chargeId);
      if (found === undefined) return;
      waiting.delete(chargeId);
      clearTimeout(found.timer);
      found.resolve({ chargeId, deliveryId: id, atMs });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    next: (chargeId) =>
      new Promise((resolve, reject) => {
        const lost = () =>
          reject(new Error(`the webhook of ${chargeId} has not come in ${LOST_AFTER_MS / 1_000} s`));
        waiting.set(chargeId, { resolve, timer: setTimeout(lost, LOST_AFTER_MS) });
      }),
    close: () =>
      new Promise((resolve) => {
        for (const { timer } of waiting.values()) clearTimeout(timer);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { FloodCounts, FloodMessage, FloodSender, FloodTerms } from './flood.ts';

// The process that floods. flood.ts starts it and sends it messages; it ends with its parent process.

/** The most requests in flight; the next one is sent as soon as an answer came. */
const IN_FLIGHT = 128;

/** Lowers the priority of this process, because a real flood runs on another machine. */
const NICE = 10;

/** A form is answered by the page that follows it, a page that does not exist by 404, and a made-up key by 401. */
const SERVED = new Set([200, 303, 401, 404]);

setPriority(NICE);
process.on('disconnect', () => process.exit());
const [terms] = (await once(process, 'message')) as [FloodTerms];
const stopped = new AbortController();
process.once('message', () => stopped.abort());
report(await send(terms));

async function send({ url, senders, perSecond, request, before }: FloodTerms): Promise<FloodCounts> {
  const pool = new Pool(url ?? (await nothingServer()), { connections: IN_FLIGHT, pipelining: 1 });
  const counts = { sent: 0, allowed: 0, refused: 0, failed: 0 };
  let inFlight = 0;
  let flowingSinceMs = 0;
  let atFlow = { ...counts };
  const one = async (headers: FloodSender): Promise<void> => {
    const answer = await pool.request({ ...request, headers });
    await answer.body.dump();
    if (SERVED.has(answer.statusCode)) counts.allowed += 1;
    else if (answer.statusCode === 429) counts.refused += 1;
    else counts.failed += 1;
  };
  let dueMs = performance.now();
  while (!stopped.signal.aborted) {
    if (dueMs > performance.now() || inFlight >= IN_FLIGHT) {
      // Late requests are skipped: catching up would make a faster flood than requested.
      if (inFlight >= IN_FLIGHT) dueMs = Math.max(dueMs, performance.now());
      await sleep(1);
      continue;
    }
    dueMs += 1_000 / perSecond;
    inFlight += 1;
    const sender = senders[counts.sent % senders.length] ?? {};
    counts.sent += 1;
    void one(sender)
      .catch(() => {
        counts.failed += 1;
      })
      .finally(() => {
        inFlight -= 1;
      });
    if (flowingSinceMs === 0 && counts.sent >= before) {
      flowingSinceMs = performance.now();
      atFlow = { ...counts };
      report('flowing');
    }
  }
  await pool.destroy();
  return {
    sent: counts.sent - atFlow.sent,
    allowed: counts.allowed - atFlow.allowed,
    refused: counts.refused - atFlow.refused,
    failed: counts.failed - atFlow.failed,
    seconds: (performance.now() - flowingSinceMs) / 1_000,
  };
}

/** Starts a server that only refuses, like a limit. @returns its address. */
async function nothingServer(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.statusCode = 429;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function report(message: FloodMessage): void {
  process.send?.(message);
}

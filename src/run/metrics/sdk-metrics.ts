import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const TIMEOUT_MS = 2_000;

/**
 * An address for the metrics of the Temporal SDK, which wants a port of its own: a free one on this machine, so that
 * any number of processes run on it. Whoever asks for our metrics gets these with them.
 */
export async function freeSdkAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `127.0.0.1:${port}`;
}

/**
 * What the SDK says of itself, in Prometheus' words: slots, polls, how long tasks have waited. Nothing where it does not
 * answer: all else is told without it.
 */
export async function sdkMetrics(address: string | null): Promise<string> {
  if (address === null) return '';
  try {
    const answer = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return await answer.text();
  } catch {
    return '';
  }
}

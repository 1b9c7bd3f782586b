import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const TIMEOUT_MS = 2_000;

/**
 * Finds a free local port for the metrics of the Temporal SDK, which needs a port of its own. Any number of
 * processes can then run on one machine. Our metrics endpoint includes the SDK's metrics.
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
 * The SDK's metrics in Prometheus format: slots, polls, task latency. Empty if the SDK does not answer, so
 * that other metrics stay available.
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

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';

/** A delivery that has not been made by then will not be. */
const PATIENCE_MS = 30_000;
const POLL_MS = 250;

/**
 * Registers an endpoint on this machine that answers 410, and has a sample sent to it, which disables it. Needs a service that sends
 * webhooks to this machine, such as `npm start`.
 * @returns the id of the webhook. @throws ApiFailure INVALID_ENDPOINT at any other service.
 */
export async function disableWebhook(api: Api): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(410).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const { id } = await api.post('webhooks/create', {
      name: 'Made by recebe trigger',
      endpoint: `http://127.0.0.1:${port}/`,
      secret: 'made by recebe trigger',
      events: ['transparent.completed'],
    });
    await api.post('webhooks/test', { id });
    await disabled(api, id);
    return id;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function disabled(api: Api, id: string): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (performance.now() < deadlineMs) {
    const { disabledAt } = await api.get<{ disabledAt: string | null }>('webhooks/get', { id });
    if (disabledAt !== null) return;
    await sleep(POLL_MS);
  }
}

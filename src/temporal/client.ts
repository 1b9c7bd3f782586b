import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates } from 'node:tls';
import { Client, Connection, type WorkflowClientInterceptor } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';

/** How often a worker reconnects if it was started before its Temporal server. */
const CONNECT_AGAIN_MS = 2_000;

/**
 * Connects to a Temporal server, a cluster with mutual TLS, or Temporal Cloud with an API key. Worker and client
 * share one native connection: only then can a worker take the first task of a workflow that it starts itself
 * (eager start), which saves a trip through the task queue per webhook delivery.
 * @throws if the server does not answer.
 */
export function connectTemporal(temporal: Config['temporal']): Promise<NativeConnection> {
  return NativeConnection.connect(connectionOptions(temporal));
}

/** Like {@link connectTemporal}, but retries until the server answers. */
export async function connectTemporalWhenUp(
  temporal: Config['temporal'],
  log: Logger,
): Promise<NativeConnection> {
  for (;;) {
    try {
      return await connectTemporal(temporal);
    } catch (error) {
      log.warn({ address: temporal.address, err: error }, 'Temporal connection failed');
      await sleep(CONNECT_AGAIN_MS);
    }
  }
}

/**
 * A client that connects on its first call, so that the API starts and accepts charges while Temporal is down.
 *
 * @param interceptor adds traces, if tracing is on.
 */
export function lazyTemporalClient(
  temporal: Config['temporal'],
  interceptor: WorkflowClientInterceptor | null = null,
): Client {
  return clientOn(Connection.lazy(connectionOptions(temporal)), temporal, interceptor);
}

/** A client on a worker's connection. */
export function temporalClient(
  connection: NativeConnection,
  temporal: Config['temporal'],
  interceptor: WorkflowClientInterceptor | null,
): Client {
  return clientOn(connection, temporal, interceptor);
}

function clientOn(
  connection: Connection | NativeConnection,
  { namespace }: Config['temporal'],
  interceptor: WorkflowClientInterceptor | null,
): Client {
  const interceptors = interceptor === null ? {} : { interceptors: { workflow: [interceptor] } };
  return new Client({ connection, namespace, ...interceptors });
}

function connectionOptions({ address, apiKey, tls, tlsCa, tlsCert, tlsKey }: Config['temporal']) {
  return {
    address,
    ...(apiKey !== undefined && { apiKey }),
    ...(tls && {
      tls: {
        serverRootCACertificate: tlsCa ?? Buffer.from(knownAuthorities()),
        ...(tlsCert && tlsKey && { clientCertPair: { crt: tlsCert, key: tlsKey } }),
      },
    }),
  };
}

/**
 * The certificate authorities that Node and the system know, as PEM. Temporal's core would look for those of the system only, and a slim
 * image has none: a worker could then reach no server with a public certificate, such as Temporal Cloud.
 */
function knownAuthorities(): string {
  return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])].join('\n');
}

import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { Config } from '../config.ts';

/**
 * Connects to a Temporal server, a cluster with mutual TLS, or Temporal Cloud with an API key. One native connection
 * serves worker and client alike: only then can a worker hand the first task of a workflow it starts straight to itself
 * (eager start), which saves a trip through the task queue per webhook delivery.
 * @throws where the server does not answer.
 */
export function connectTemporal(temporal: Config['temporal']): Promise<NativeConnection> {
  return NativeConnection.connect(connectionOptions(temporal));
}

/** A client that connects at its first call, so that the API starts, and takes charges, while Temporal is down. */
export function lazyTemporalClient(temporal: Config['temporal']): Client {
  return new Client({
    connection: Connection.lazy(connectionOptions(temporal)),
    namespace: temporal.namespace,
  });
}

/** A client on a worker's connection. */
export function temporalClient(connection: NativeConnection, temporal: Config['temporal']): Client {
  return new Client({ connection, namespace: temporal.namespace });
}

function connectionOptions({ address, apiKey, tls, tlsCa, tlsCert, tlsKey }: Config['temporal']) {
  return {
    address,
    ...(apiKey !== undefined && { apiKey }),
    ...(tls && {
      tls: {
        ...(tlsCa && { serverRootCACertificate: tlsCa }),
        ...(tlsCert && tlsKey && { clientCertPair: { crt: tlsCert, key: tlsKey } }),
      },
    }),
  };
}

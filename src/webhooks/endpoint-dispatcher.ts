import type { Dispatcher } from 'undici';
import { isLoopbackHost } from '../outbound/loopback.ts';
import type { WebhookDeps } from './effects.ts';
import type { DeliveryToAttempt } from './load-attempt.ts';

/**
 * The connection pool for a delivery. Events of real money never go to this machine, and the pool that may connect to this machine
 * connects nowhere else.
 */
export function dispatcherFor(
  { dispatcher, loopbackDispatcher }: Pick<WebhookDeps, 'dispatcher' | 'loopbackDispatcher'>,
  { devMode, endpoint }: Pick<DeliveryToAttempt, 'devMode' | 'endpoint'>,
): Dispatcher {
  const isLoopback = devMode && isLoopbackHost(new URL(endpoint).hostname);
  return (isLoopback ? loopbackDispatcher : null) ?? dispatcher;
}

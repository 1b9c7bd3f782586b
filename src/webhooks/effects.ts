import type { Logger } from 'pino';
import type { Dispatcher } from 'undici';
import type { DeliveryToStart } from '../database/entities/delivery.ts';
import type { Database } from '../database/orm.ts';
import type { SecretsKeys } from '../secrets/secrets-keys.ts';
import type { EndpointCapacity } from './endpoint-capacity.ts';

/** What sending webhooks causes elsewhere. */
export interface WebhookEffects {
  /** Starts the delivery's workflow; succeeds if it was already started. */
  readonly startDelivery: (delivery: DeliveryToStart) => Promise<void>;
  /** Attempts a delivery now, whether it waits or has ended. */
  readonly resendDelivery: (delivery: DeliveryToStart) => Promise<void>;
}

/** What attempts at deliveries work with. */
export interface WebhookDeps extends WebhookEffects {
  readonly database: Database;
  /** Sends webhooks; refuses addresses that are not public. */
  readonly dispatcher: Dispatcher;
  /** Sends webhooks of dev mode to this machine only; null where that is not allowed. */
  readonly loopbackDispatcher: Dispatcher | null;
  /** `<service name>/<version>`, sent as `User-Agent`. */
  readonly userAgent: string;
  /** Null unless webhooks are also signed as clients of API v1/v2 expect (contract section 7). */
  readonly webhookCompatibilityKey: string | null;
  /** Decrypt webhooks' secrets. */
  readonly secretsKeys: SecretsKeys;
  /** What this process knows of endpoints. */
  readonly endpoints: EndpointCapacity;
  readonly log: Logger;
}

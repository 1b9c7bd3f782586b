import type { EventName } from '../../domain/event-names.ts';
import { type DeliveryId, type EventId, ID_PREFIX } from '../../domain/ids.ts';
import { deliveryBody } from '../../events/envelope.ts';
import { createDispatcher } from '../../outbound/guarded-dispatcher.ts';
import type { PostResult } from '../../outbound/post-result.ts';
import { USER_AGENT } from '../../version.ts';
import { postWebhook } from '../../webhooks/post-webhook.ts';
import { signWebhook } from '../../webhooks/signature.ts';
import type { StreamedEvent } from './listen.ts';

/** The result of one post. */
export type Forwarded = Pick<PostResult, 'statusCode' | 'durationMs' | 'error'> & {
  readonly deliveryId: string;
};

/** Posts events to one address in the format and with the signatures of real deliveries, using the same code. */
export class Forwarder {
  readonly #url: URL;
  readonly #secret: string;
  /** Private addresses are allowed: the address belongs to the person who runs this command. */
  readonly #dispatcher = createDispatcher({ allowPrivateEndpoints: true });

  constructor(url: URL, secret: string) {
    this.#url = url;
    this.#secret = secret;
  }

  async forward(
    event: StreamedEvent & { readonly id: EventId; readonly name: EventName },
  ): Promise<Forwarded> {
    const { id: eventId, name: eventName, devMode, data } = event;
    const deliveryId = deliveryIdOf(eventId);
    const body = deliveryBody(
      { eventId, eventName, devMode, data: JSON.stringify(data), isV2: true, isSample: false },
      deliveryId,
    );
    const timestampSeconds = Math.floor(Date.now() / 1_000);
    const headers = signWebhook({ deliveryId, body, secrets: [this.#secret], timestampSeconds });
    const { dispatcher } = this.#dispatcher;
    const { statusCode, durationMs, error } = await postWebhook({
      url: this.#url,
      body,
      headers,
      dispatcher,
      userAgent: USER_AGENT,
    });
    return { deliveryId, statusCode, durationMs, error };
  }

  close(): Promise<void> {
    return this.#dispatcher.close();
  }
}

/** The id of an event's delivery to the listener: always the same, because receivers deduplicate by it. */
function deliveryIdOf(eventId: EventId): DeliveryId {
  return `${ID_PREFIX.delivery}${eventId.slice(ID_PREFIX.event.length)}` as DeliveryId;
}

import { RecebeError, WebhookVerificationError } from './errors.ts';
import type { WebhookEvent, WebhookEvents } from './generated/resources.ts';
import { verifyWebhook } from './verify-webhook.ts';

/** A function per event. Recebe waits for it, and sends the delivery again if it throws. */
export type EventHandlers = {
  readonly [Name in keyof WebhookEvents]?: (event: WebhookEvents[Name]) => unknown;
};

/** What a {@link webhookHandler} does with deliveries. */
export interface WebhookHandlerOptions {
  /** The webhook's secret. While you change it, an array of the new and the previous one. */
  readonly secret: string | readonly string[] | undefined;
  /** Handles single events. Others are acknowledged. */
  readonly on?: EventHandlers;
  /** Handles every event, before its handler in `on`. Later releases of the service may send further events. */
  readonly onEvent?: (event: WebhookEvent) => unknown;
}

/** Recebe's own deliveries are much smaller. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Makes a function that receives webhooks, for every framework with `Request` and `Response`: it verifies the delivery,
 * waits for your handlers and acknowledges it. It answers 400 if the signature is wrong. If a handler throws, it throws
 * the same error; the framework then answers 500, and Recebe sends the delivery again.
 *
 * The same event can arrive twice: store its `id`.
 */
export function webhookHandler(options: WebhookHandlerOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    const secrets = [options.secret ?? []].flat().filter((secret) => secret !== '');
    // Not when the handler is made: builds have no secrets.
    if (secrets.length === 0) throw new RecebeError('The secret of the webhook is missing');
    const body = await boundedBody(request);
    if (body === null) return new Response('The body is too large', { status: 413 });
    let event: WebhookEvent;
    try {
      event = await verifyWebhook(body, request.headers, secrets);
    } catch (error) {
      if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 400 });
      throw error;
    }
    await options.onEvent?.(event);
    const handlers = options.on ?? {};
    // An event of a later release may be called like something that every object has.
    if (Object.hasOwn(handlers, event.event))
      await (handlers[event.event] as ((event: WebhookEvent) => unknown) | undefined)?.(event);
    return new Response(null, { status: 200 });
  };
}

/** The bytes of the body as they arrived; null if there are too many. */
async function boundedBody(request: Request): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || value === undefined) break;
    length += value.length;
    if (length > MAX_BODY_BYTES) {
      await reader?.cancel();
      return null;
    }
    chunks.push(value);
  }
  const body = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}

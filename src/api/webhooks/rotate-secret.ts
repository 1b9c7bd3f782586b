import { LockMode } from '@mikro-orm/core';
import { type Webhook, WebhookEntity } from '../../database/entities/webhook.ts';
import type { WebhookId } from '../../domain/ids.ts';
import { notFound } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { keptBy } from '../frame/rows.ts';
import type { RotateSecretBody } from './schema.ts';

/** The previous secret also signs during this time, so that receivers can switch. */
const BOTH_SIGN_MS = 24 * 60 * 60 * 1_000;

/**
 * Replaces a webhook's secret, and keeps the previous one for a day. Repeating it with the same secret, for
 * example after a lost response, changes nothing, because the previous secret would otherwise be lost.
 * @throws ApiError NOT_FOUND
 */
export function rotateSecret(request: ApiRequest<unknown, RotateSecretBody>): Promise<Webhook> {
  const { key, body, now, realNow, deps } = request;
  return request.transaction(async (em) => {
    const mine = { ...keptBy(key), id: body.id as WebhookId };
    const held = { lockMode: LockMode.PESSIMISTIC_WRITE, disableIdentityMap: true } as const;
    const webhook = (await em.findOne(WebhookEntity, mine, held)) as Webhook | null;
    if (webhook === null) throw notFound('Webhook');
    const before = readSecret(deps, webhook);
    if (before === body.secret) return webhook;
    const isReadable = before !== null;
    const change = {
      ...deps.secretsKeys.encrypt(body.secret, webhook.id),
      previousSecret: isReadable ? webhook.secret : null,
      previousSecretKeyId: isReadable ? webhook.secretKeyId : null,
      previousSecretUntil: isReadable ? new Date(realNow.getTime() + BOTH_SIGN_MS) : null,
      updatedAt: now,
    };
    await em.nativeUpdate(WebhookEntity, { id: webhook.id }, change);
    await request.recordAction(em, webhook.id);
    return { ...webhook, ...change };
  });
}

/** Null if the encryption key is lost; a new secret then repairs the webhook. */
function readSecret({ secretsKeys }: ApiRequest['deps'], webhook: Webhook): string | null {
  try {
    return secretsKeys.decrypt(webhook, webhook.id);
  } catch {
    return null;
  }
}

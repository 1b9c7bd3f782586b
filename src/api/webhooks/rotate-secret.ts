import { LockMode } from '@mikro-orm/core';
import { type Webhook, WebhookEntity } from '../../database/entities/webhook.ts';
import type { WebhookId } from '../../domain/ids.ts';
import { notFound } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { keptBy } from '../frame/rows.ts';
import type { RotateSecretBody } from './schema.ts';

/** For so long the secret before signs too, for receivers that do not know the new one yet. */
const BOTH_SIGN_MS = 24 * 60 * 60 * 1_000;

/**
 * Gives a webhook another secret, and keeps the one before for a day. The same one again, as in a request whose answer
 * was lost, changes nothing: else it would be the one before, too.
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

/** Null where its key was lost: another secret is then what helps. */
function readSecret({ secretsKeys }: ApiRequest['deps'], webhook: Webhook): string | null {
  try {
    return secretsKeys.decrypt(webhook, webhook.id);
  } catch {
    return null;
  }
}

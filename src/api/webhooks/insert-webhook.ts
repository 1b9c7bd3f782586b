import { WebhookEntity } from '../../database/entities/webhook.ts';
import type { Em } from '../../database/orm.ts';
import type { WebhookId } from '../../domain/ids.ts';
import { mintId } from '../../ids.ts';
import { brokenRule } from '../frame/errors.ts';
import type { ApiRequest } from '../frame/request.ts';
import { keptBy } from '../frame/rows.ts';
import type { Caller } from '../keys/caller.ts';
import { type CreateWebhookBody, presentWebhook, type WebhookView } from './schema.ts';

/** Per store and environment (our addition), because each event has one delivery per webhook. */
export const MOST_WEBHOOKS = 100;

/**
 * Inserts a webhook unless its store has reached the maximum.
 * @param endpoint the checked address. @param v2 whether it receives v2 payloads.
 * @throws ApiError TOO_MANY_WEBHOOKS
 */
export async function insertWebhook(
  request: ApiRequest<unknown, CreateWebhookBody>,
  endpoint: string,
  v2: boolean,
): Promise<WebhookView> {
  const { key, body, now, deps } = request;
  const { name, secret, events } = body;
  const webhook = {
    id: mintId<WebhookId>('webhook', now),
    storeId: key.storeId,
    devMode: key.devMode,
    name,
    endpoint,
    events,
    v2,
    disabledAt: null,
    previousSecretUntil: null,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  const kept = deps.secretsKeys.encrypt(secret, webhook.id);
  const row = { ...webhook, ...kept, previousSecret: null, previousSecretKeyId: null };
  await request.transaction(async (em) => {
    await requireRoom(em, key);
    await em.insert(WebhookEntity, row);
    await request.recordAction(em, webhook.id);
  });
  return presentWebhook(webhook);
}

/** Locks until the commit, so that parallel requests of the store count this row too. */
async function requireRoom(em: Em, caller: Caller): Promise<void> {
  const { storeId, devMode } = caller;
  const key = `webhooks/${storeId}/${devMode ? 'dev' : 'prod'}`;
  await em.execute('select pg_advisory_xact_lock(hashtextextended(:key, 0))', { key });
  if ((await em.count(WebhookEntity, keptBy(caller))) < MOST_WEBHOOKS) return;
  const message = `A store has at most ${MOST_WEBHOOKS} webhooks in each environment; delete one that is not needed`;
  throw brokenRule('TOO_MANY_WEBHOOKS', null, message);
}

import { type FilterQuery, raw } from '@mikro-orm/core';
import { type Webhook, WebhookEntity } from '../../database/entities/webhook.ts';
import type { Em } from '../../database/orm.ts';
import type { WebhookId } from '../../domain/ids.ts';
import type { Caller } from '../frame/caller.ts';
import { notFound } from '../frame/errors.ts';
import type { ListWebhooksQuery } from './schema.ts';

/** The caller's own webhooks: of its store and environment, and not deleted. */
function ownWebhooks({ storeId, devMode }: Caller) {
  return { storeId, devMode, deletedAt: null };
}

/** @throws ApiError NOT_FOUND, the same for one that is another's, of the other environment, deleted, or never was. */
export async function requireWebhook(em: Em, caller: Caller, id: string): Promise<Webhook> {
  const webhook = await em.findOne(
    WebhookEntity,
    { ...ownWebhooks(caller), id: id as WebhookId },
    { disableIdentityMap: true },
  );
  if (webhook === null) throw notFound('Webhook');
  return webhook;
}

/** The condition of GET `/webhooks/list`. */
export function webhookFilter(caller: Caller, { id, search }: ListWebhooksQuery): FilterQuery<Webhook> {
  return {
    ...ownWebhooks(caller),
    ...(id !== undefined && { id: id as WebhookId }),
    ...(search !== undefined && {
      $or: ['name', 'id', 'endpoint'].map((column) => containing(column, search)),
    }),
  };
}

/** `strpos` rather than `like`, so that `%` and `_` in the search stand for themselves. */
function containing(column: string, search: string): FilterQuery<Webhook> {
  return { [raw(`strpos(lower(${column}), lower(?)) > 0`, [search])]: [] };
}

import { type FilterQuery, raw } from '@mikro-orm/core';
import { type Webhook, WebhookEntity } from '../../database/entities/webhook.ts';
import type { Em } from '../../database/orm.ts';
import type { WebhookId } from '../../domain/ids.ts';
import { fieldError } from '../frame/errors.ts';
import { keptBy, requireRow } from '../frame/rows.ts';
import { createdWithin } from '../frame/time-range.ts';
import type { Caller } from '../keys/caller.ts';
import type { ListWebhooksQuery } from './schema.ts';

/** @throws ApiError NOT_FOUND, as {@link requireRow} does. */
export function requireWebhook(em: Em, caller: Caller, id: string): Promise<Webhook> {
  return requireRow(em, WebhookEntity, { ...keptBy(caller), id: id as WebhookId }, 'Webhook');
}

/** @throws ApiError WEBHOOK_INACTIVE if the webhook was deleted or disabled. */
export function requireActive({ deletedAt, disabledAt }: Pick<Webhook, 'deletedAt' | 'disabledAt'>): void {
  if (deletedAt === null && disabledAt === null) return;
  const state = deletedAt === null ? 'is disabled; webhooks/update enables it' : 'was deleted';
  throw fieldError(422, 'WEBHOOK_INACTIVE', 'id', `its webhook ${state}`);
}

/** The query condition of GET `/webhooks/list`. */
export function webhookFilter(
  caller: Caller,
  { id, search, ...created }: ListWebhooksQuery,
): FilterQuery<Webhook> {
  return {
    ...keptBy(caller),
    ...createdWithin(created),
    ...(id !== undefined && { id: id as WebhookId }),
    ...(search !== undefined && {
      $or: ['name', 'id', 'endpoint'].map((column) => containing(column, search)),
    }),
  };
}

/** Uses `strpos` instead of `like`, so that `%` and `_` in the search have no special meaning. */
function containing(column: string, search: string): FilterQuery<Webhook> {
  return { [raw(`strpos(lower(${column}), lower(?)) > 0`, [search])]: [] };
}

import { type FilterQuery, raw } from '@mikro-orm/core';
import { removeSavedCard } from '../../cards/saved-cards.ts';
import { CustomerEntity } from '../../database/entities/customer.ts';
import { type SavedCard, SavedCardEntity } from '../../database/entities/saved-card.ts';
import type { CustomerId } from '../../domain/ids.ts';
import { notFound } from '../frame/errors.ts';
import { presentPage } from '../frame/pagination.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { keptBy, ownedBy, requireRow } from '../frame/rows.ts';
import {
  exampleSavedCard,
  exampleSavedCardId,
  listSavedCardsQuery,
  presentSavedCard,
  savedCardIdBody,
  savedCardView,
} from './schema.ts';

/** Until its first charge is paid, a card is as good as unknown: nobody has proved that it is theirs. */
const IS_PROVEN = 'charge_id in (select id from charges where paid_at is not null)';

export const listSavedCards = listRoute({
  path: '/saved-cards/list',
  summary: "List a customer's saved cards, newest first",
  description: 'Those that can be charged: their first payment was made, and nobody has removed them.',
  permission: 'CUSTOMER:READ',
  query: listSavedCardsQuery,
  response: savedCardView,
  errors: ['NOT_FOUND'],
  example: { response: exampleSavedCard },
  async handler(request) {
    const { em, key, query } = request;
    const customerId = query.customerId as CustomerId;
    await requireRow(em, CustomerEntity, { ...keptBy(key), id: customerId }, 'Customer');
    const where = { ...ownedBy(key), customerId, removedAt: null, [raw(IS_PROVEN)]: [] };
    return presentPage(request, SavedCardEntity, where as FilterQuery<SavedCard>, presentSavedCard);
  },
});

export const deleteSavedCard = route({
  method: 'POST',
  path: '/saved-cards/delete',
  summary: 'Remove a saved card',
  description:
    'It is charged no more, and its provider erases it, unless an active subscription still pays with it. Its payments can still be refunded.',
  permission: 'CUSTOMER:DELETE',
  audited: true,
  body: savedCardIdBody,
  response: savedCardView,
  errors: ['NOT_FOUND'],
  example: { body: { id: exampleSavedCardId }, response: exampleSavedCard },
  async handler(request) {
    const { key, body, now } = request;
    return request.transaction(async (em) => {
      const removed = await removeSavedCard(em, key, body.id, now);
      if (removed === null) throw notFound('Saved card');
      await request.recordAction(em, removed.id);
      return presentSavedCard(removed);
    });
  },
});

/** Saved cards (our addition). */
export const savedCardRoutes: readonly Route[] = [listSavedCards, deleteSavedCard];

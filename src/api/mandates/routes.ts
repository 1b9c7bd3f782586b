import type { FilterQuery } from '@mikro-orm/core';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { type Debit, DebitEntity } from '../../database/entities/debit.ts';
import { type Mandate, MandateEntity } from '../../database/entities/mandate.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { CheckoutId, MandateId, SubscriptionId } from '../../domain/ids.ts';
import { requireDevMode } from '../frame/errors.ts';
import { paginate } from '../frame/pagination.ts';
import { reachTemporal } from '../frame/reach-temporal.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { ownedBy, requireRow } from '../frame/rows.ts';
import type { Caller } from '../keys/caller.ts';
import {
  answerBody,
  exampleMandate,
  exampleMandateId,
  type ListMandatesQuery,
  listMandatesQuery,
  mandateQuery,
  mandateView,
  presentMandate,
  type ShownMandate,
} from './schema.ts';

/** Shown with each mandate. */
const DEBITS = 12;

const NEWEST_DEBITS = statement<{ ids: readonly string[]; limit: number }, Debit>(
  'find the newest debits of mandates',
  (columns) => `
  select ${columns.read(DebitEntity, 'debit')}
  from unnest(:ids::text[]) as wanted (id), lateral (
    select * from debits where mandate_id = wanted.id order by created_at desc, id desc limit :limit
  ) debit`,
);

const list = listRoute({
  path: '/mandates/list',
  summary: 'List authorizations of Pix Automático, newest first',
  description:
    'Each was asked for with the first payment of a subscription that was created with `pixAutomatic`.',
  permission: ['SUBSCRIPTION:READ', 'CHECKOUT:READ'],
  query: listMandatesQuery,
  response: mandateView,
  errors: [],
  example: { response: exampleMandate },
  async handler(request) {
    const { em, key, query } = request;
    const page = await paginate(request, MandateEntity, await filterOf(em, key, query));
    return { ...page, items: await presented(em, page.items) };
  },
});

const get = route({
  method: 'GET',
  path: '/mandates/get',
  summary: 'Get an authorization of Pix Automático, with its debits',
  description: 'Its status is what the bank has answered last.',
  permission: ['SUBSCRIPTION:READ', 'CHECKOUT:READ'],
  query: mandateQuery,
  response: mandateView,
  errors: ['NOT_FOUND'],
  example: { response: exampleMandate },
  handler: ({ em, key, query }) => shown(em, key, query.id),
});

const answer = route({
  method: 'POST',
  path: '/dev/mandates/answer',
  summary: 'Answer an authorization of Pix Automático for its payer in dev mode',
  description:
    "Does what a payer does in their bank's app. An authorization that has ended stays as it is. Test CPFs make payers that answer by themselves.",
  permission: 'SUBSCRIPTION:CREATE',
  waitsForWorkflow: true,
  body: answerBody,
  response: mandateView,
  errors: ['NOT_FOUND', 'WRONG_ENVIRONMENT', 'TEMPORARILY_UNAVAILABLE'],
  example: {
    body: { id: exampleMandateId, answer: 'cancel' },
    response: {
      ...exampleMandate,
      status: 'CANCELLED',
      endedBy: 'PAYER',
      endCode: 'SLCR',
      debits: [],
      endedAt: '2026-12-20T09:12:44.310Z',
    },
  },
  async handler(request) {
    const { em, key, body, deps, now, about } = request;
    requireDevMode(key, 'payers answer here only in');
    const mandate = await requireMandate(em, key, body.id);
    about.checkoutId = mandate.checkoutId;
    const answers = { accept: 'ACCEPT', refuse: 'REFUSE', cancel: 'CANCEL' } as const;
    await deps.sandboxPayers.answer(mandate.providerMandateId, answers[body.answer]);
    await reachTemporal(request, () => deps.followMandate(mandate.id, now));
    return shown(em, key, body.id);
  },
});

function requireMandate(em: Em, caller: Pick<Caller, 'storeId' | 'devMode'>, id: string): Promise<Mandate> {
  return requireRow(em, MandateEntity, { ...ownedBy(caller), id: id as MandateId }, 'Mandate');
}

async function shown(em: Em, caller: Caller, id: string): Promise<ShownMandate> {
  const [view] = await presented(em, [await requireMandate(em, caller, id)]);
  if (view === undefined) throw new Error(`no view of ${id}`);
  return view;
}

async function filterOf(
  em: Em,
  caller: Caller,
  { status, subscriptionId, checkoutId }: ListMandatesQuery,
): Promise<FilterQuery<Mandate>> {
  const own = { ...ownedBy(caller), ...(status !== undefined && { status }) };
  const ids: CheckoutId[] = checkoutId === undefined ? [] : [checkoutId as CheckoutId];
  if (subscriptionId === undefined)
    return { ...own, ...(checkoutId !== undefined && { checkoutId: { $in: ids } }) };
  const subscription = await em.findOne(
    SubscriptionEntity,
    { ...ownedBy(caller), id: subscriptionId as SubscriptionId },
    { disableIdentityMap: true },
  );
  const isBoth = checkoutId === undefined || subscription?.checkoutId === checkoutId;
  return { ...own, checkoutId: { $in: subscription !== null && isBoth ? [subscription.checkoutId] : [] } };
}

async function presented(em: Em, mandates: readonly Mandate[]): Promise<ShownMandate[]> {
  if (mandates.length === 0) return [];
  const checkouts = await em.find(
    CheckoutEntity,
    { id: { $in: mandates.map(({ checkoutId }) => checkoutId) } },
    { disableIdentityMap: true },
  );
  const subscriptionOf = new Map(checkouts.map(({ id, subscriptionId }) => [id, subscriptionId]));
  const debits = await NEWEST_DEBITS(em, { ids: mandates.map(({ id }) => id), limit: DEBITS });
  return mandates.map((mandate) =>
    presentMandate(
      mandate,
      subscriptionOf.get(mandate.checkoutId) ?? null,
      debits.filter(({ mandateId }) => mandateId === mandate.id),
    ),
  );
}

/** Authorizations of Pix Automático (our addition). */
export const mandateRoutes: readonly Route[] = [list, get, answer];

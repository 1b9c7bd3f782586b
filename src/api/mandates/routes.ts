import type { FilterQuery } from '@mikro-orm/core';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import { type Debit, DebitEntity } from '../../database/entities/debit.ts';
import { type Mandate, MandateEntity } from '../../database/entities/mandate.ts';
import { SubscriptionEntity } from '../../database/entities/subscription.ts';
import type { Em } from '../../database/orm.ts';
import { statement } from '../../database/statement.ts';
import type { CheckoutId, MandateId, SubscriptionId } from '../../domain/ids.ts';
import { endAuthorization } from '../../mandates/consent/end-authorization.ts';
import { exampleSubscriptionId } from '../../wire/subscription/example.ts';
import { requireDevMode } from '../frame/errors.ts';
import { paginate } from '../frame/pagination.ts';
import { reachTemporal } from '../frame/reach-temporal.ts';
import type { ApiRequest } from '../frame/request.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { ownedBy, requireRow } from '../frame/rows.ts';
import type { Caller } from '../keys/caller.ts';
import { consentDeps, requestMandate } from './request-mandate.ts';
import {
  answerBody,
  cancelBody,
  exampleMandate,
  exampleMandateId,
  exampleRequestedMandate,
  type ListMandatesQuery,
  listMandatesQuery,
  mandateQuery,
  mandateView,
  presentMandate,
  requestBody,
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

/** Also read by the dashboard's page of a subscription. */
export const listMandates = listRoute({
  path: '/mandates/list',
  summary: 'List authorizations of Pix Automático, newest first',
  description:
    'Each was asked for with the first payment of a subscription that was created with `pixAutomatic`, or later by `mandates/create`.',
  permission: ['SUBSCRIPTION:READ', 'CHECKOUT:READ'],
  query: listMandatesQuery,
  response: mandateView,
  errors: [],
  example: { response: exampleMandate },
  async handler(request) {
    const { em, key, query } = request;
    const page = await paginate(request, MandateEntity, await filterOf(em, key, query));
    return { ...page, items: await presented(request, page.items) };
  },
});

/** Also asked for by the dashboard, before it ends one. */
export const getMandate = route({
  method: 'GET',
  path: '/mandates/get',
  summary: 'Get an authorization of Pix Automático, with its debits',
  description: 'Its status is what the bank has answered last.',
  permission: ['SUBSCRIPTION:READ', 'CHECKOUT:READ'],
  query: mandateQuery,
  response: mandateView,
  errors: ['NOT_FOUND'],
  example: { response: exampleMandate },
  handler: (request) => shown(request, request.query.id),
});

/** Also asked for by the dashboard's page of a subscription, as is {@link cancelMandate}. */
export const createMandate = route({
  method: 'POST',
  path: '/mandates/create',
  summary: 'Ask the payer of a subscription to authorize debits by PIX',
  description:
    'For a running subscription, whatever pays it now, without a payment. Show `brCode`, or send the payer to `url`. Once they have accepted, each ' +
    'later cycle is debited, a card or an earlier authorization is used no more, and `subscription.authorized` follows. Until then nothing ' +
    'changes. A repeated request returns the authorization that waits; if the payer has authorized the same before, it returns that one.',
  permission: 'SUBSCRIPTION:CREATE',
  // The bank is asked outside of a transaction.
  waitsForWorkflow: true,
  audited: true,
  body: requestBody,
  response: mandateView,
  errors: ['NOT_FOUND', 'NOT_ACCEPTABLE', 'NO_PAYMENT_PROVIDER', 'TEMPORARILY_UNAVAILABLE'],
  example: {
    body: { subscriptionId: exampleSubscriptionId, pixAutomatic: 'fixed' },
    response: exampleRequestedMandate,
  },
  async handler(request) {
    const mandate = await requestMandate(request);
    request.about.checkoutId = mandate.checkoutId;
    return shown({ ...request, em: request.em.fork() }, mandate.id);
  },
});

export const cancelMandate = route({
  method: 'POST',
  path: '/mandates/cancel',
  summary: 'End an authorization of Pix Automático',
  description:
    'The subscription continues with a code per cycle. An ordered debit is cancelled; one whose due date has begun still pays its cycle. ' +
    'The bank is informed within minutes, and `status` changes then. A repeated request changes nothing.',
  permission: 'SUBSCRIPTION:DELETE',
  audited: true,
  body: cancelBody,
  response: mandateView,
  errors: ['NOT_FOUND'],
  example: {
    body: { id: exampleMandateId },
    response: { ...exampleMandate, endedBy: 'RECEIVER', debits: [] },
  },
  async handler(request) {
    const { em, key, body, deps, now, about } = request;
    const mandate = await requireMandate(em, key, body.id);
    about.checkoutId = mandate.checkoutId;
    const { subscriptionId } = await em.findOneOrFail(CheckoutEntity, { id: mandate.checkoutId });
    if (subscriptionId !== null)
      await endAuthorization(consentDeps(deps), subscriptionId, mandate, 'RECEIVER', now, (tx) =>
        request.recordAction(tx, mandate.id),
      );
    return shown({ ...request, em: em.fork() }, body.id);
  },
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
    return shown(request, body.id);
  },
});

function requireMandate(em: Em, caller: Pick<Caller, 'storeId' | 'devMode'>, id: string): Promise<Mandate> {
  return requireRow(em, MandateEntity, { ...ownedBy(caller), id: id as MandateId }, 'Mandate');
}

type Asking = Pick<ApiRequest, 'em' | 'key' | 'deps'>;

async function shown(request: Asking, id: string): Promise<ShownMandate> {
  const [view] = await presented(request, [await requireMandate(request.em, request.key, id)]);
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

async function presented({ em, deps }: Asking, mandates: readonly Mandate[]): Promise<ShownMandate[]> {
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
      deps.publicUrl,
    ),
  );
}

/** Authorizations of Pix Automático (our addition). */
export const mandateRoutes: readonly Route[] = [
  listMandates,
  getMandate,
  createMandate,
  cancelMandate,
  answer,
];

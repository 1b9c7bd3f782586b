import { subscriptionWorkflowId } from '../../../workflows/subscription.contract.ts';
import { CheckoutEntity } from '../../database/entities/checkout.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import {
  exampleSubscriptionCheckout,
  presentSubscriptionCheckout,
  subscriptionCheckoutView,
} from '../../wire/checkout.ts';
import {
  examplePlanUpdate,
  exampleSubscription,
  exampleSubscriptionId,
  planUpdateView,
  presentPlanUpdate,
  presentSubscription,
  subscriptionView,
} from '../../wire/subscription.ts';
import { aboutCheckout } from '../checkouts/group-routes.ts';
import { checkoutFilter } from '../checkouts/queries.ts';
import { listCheckoutsQuery } from '../checkouts/schema.ts';
import { presentPage } from '../frame/pagination.ts';
import type { ApiRequest } from '../frame/request.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import { cancelSubscription, changePlan } from './cancel-or-change-plan.ts';
import { createSubscription } from './create-subscription.ts';
import { exampleCancelledSubscription, exampleSubscriptionBody, exampleUsage } from './examples.ts';
import { openChargeOf, requireSubscription } from './queries.ts';
import { recordUsage } from './record-usage.ts';
import {
  bySubscriptionId,
  changePlanBody,
  createSubscriptionBody,
  recordUsageBody,
  subscriptionIdBody,
  usageView,
} from './schema.ts';

/** Names the subscription and its workflow in the request's log line. */
function about(request: ApiRequest, { id }: Pick<Subscription, 'id'>): void {
  request.about.subscriptionId = id;
  request.about.workflowId = subscriptionWorkflowId(id);
}

async function presentOne(request: ApiRequest, subscription: Subscription) {
  about(request, subscription);
  const openCharge = await openChargeOf(request.em, subscription, request.now);
  return presentSubscription(subscription, openCharge, request.deps.publicUrl);
}

const create = route({
  method: 'POST',
  path: '/subscriptions/create',
  summary: 'Create a subscription',
  description:
    'Send the payer to `url`: the first payment (or, with a trial, leaving a card) begins the subscription, whose id is then ' +
    'in `subscriptionId`. The checkout expires after 30 days. The price per cycle is the one that the product has now.',
  permission: 'SUBSCRIPTION:CREATE',
  body: createSubscriptionBody,
  response: subscriptionCheckoutView,
  errors: ['NOT_ACCEPTABLE', 'COUPON_NOT_ACCEPTED', 'NO_PAYMENT_PROVIDER'],
  example: { body: exampleSubscriptionBody, response: exampleSubscriptionCheckout },
  async handler(request) {
    const checkout = await createSubscription(request);
    aboutCheckout(request, checkout);
    return presentSubscriptionCheckout(checkout, request.deps.publicUrl);
  },
});

const list = listRoute({
  path: '/subscriptions/list',
  summary: 'List the checkouts of subscriptions, newest first',
  permission: 'CHECKOUT:READ',
  query: listCheckoutsQuery,
  response: subscriptionCheckoutView,
  errors: [],
  example: { response: exampleSubscriptionCheckout },
  async handler(request) {
    const filter = await checkoutFilter(request.em, request.key, request.query, 'SUBSCRIPTION');
    const { publicUrl } = request.deps;
    return presentPage(request, CheckoutEntity, filter, (checkout) =>
      presentSubscriptionCheckout(checkout, publicUrl),
    );
  },
});

const get = route({
  method: 'GET',
  path: '/subscriptions/get',
  summary: 'Get a subscription',
  permission: 'CHECKOUT:READ',
  query: bySubscriptionId,
  response: subscriptionView,
  errors: ['NOT_FOUND'],
  example: { response: exampleSubscription },
  handler: async (request) =>
    presentOne(request, await requireSubscription(request.em, request.key, request.query.id)),
});

const cancel = route({
  method: 'POST',
  path: '/subscriptions/cancel',
  summary: 'Cancel a subscription',
  description:
    'At once: nothing is charged any more, and a payment that is on its way goes back to its payer. One that is not active ' +
    'answers 404. Send an `Idempotency-Key`, so that a retry after a 503 or a lost answer is answered with the ' +
    'subscription; without one the retry answers 404 once it is cancelled.',
  permission: 'SUBSCRIPTION:DELETE',
  waitsForWorkflow: true,
  body: subscriptionIdBody,
  response: subscriptionView,
  errors: ['NOT_FOUND', 'TEMPORARILY_UNAVAILABLE'],
  example: { body: { id: exampleSubscriptionId }, response: exampleCancelledSubscription },
  handler: async (request) => presentOne(request, await cancelSubscription(request)),
});

const changesPlan = route({
  method: 'POST',
  path: '/subscriptions/change-plan',
  summary: "Change a subscription's plan",
  description:
    'From the next cycle on the subscription costs `newAmount`. A plan with another cycle counts its periods from there. A ' +
    'newer change replaces one that waits.',
  permission: 'SUBSCRIPTION:CREATE',
  waitsForWorkflow: true,
  body: changePlanBody,
  response: planUpdateView,
  errors: ['NOT_FOUND', 'NOT_ACCEPTABLE', 'TEMPORARILY_UNAVAILABLE'],
  example: {
    body: { id: exampleSubscriptionId, productId: examplePlanUpdate.productId, quantity: 2 },
    response: examplePlanUpdate,
  },
  async handler(request) {
    const update = await changePlan(request);
    about(request, { id: update.subscriptionId });
    return presentPlanUpdate(update, request.key.devMode);
  },
});

const recordsUsage = route({
  method: 'POST',
  path: '/subscriptions/record-usage',
  summary: 'Record usage of a pay-as-you-go product',
  description:
    "It is charged with the next cycle, at the product's price of this moment. Send an `Idempotency-Key`, so that a retry " +
    'does not count twice. Units can be subtracted down to zero.',
  permission: 'SUBSCRIPTION:CREATE',
  body: recordUsageBody,
  response: usageView,
  errors: ['NOT_FOUND', 'NOT_ACCEPTABLE'],
  example: {
    body: { id: exampleSubscriptionId, productId: exampleUsage.productId, units: 120, action: 'add' },
    response: exampleUsage,
  },
  async handler(request) {
    const usage = await recordUsage(request);
    request.about.subscriptionId = usage.subscriptionId;
    return usage;
  },
});

/** Subscriptions (contract section 6). */
export const subscriptionRoutes: readonly Route[] = [create, list, get, cancel, changesPlan, recordsUsage];

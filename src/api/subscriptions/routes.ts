import { subscriptionWorkflowId } from '../../../workflows/subscription.contract.ts';
import type { Subscription } from '../../database/entities/subscription.ts';
import { presentSubscriptionCheckout, subscriptionCheckoutView } from '../../wire/checkout.ts';
import {
  examplePlanUpdate,
  exampleSubscription,
  exampleSubscriptionId,
} from '../../wire/subscription/example.ts';
import { planUpdateView, presentPlanUpdate } from '../../wire/subscription/plan-update.ts';
import { presentSubscription } from '../../wire/subscription/presenter.ts';
import { subscriptionView } from '../../wire/subscription/schema.ts';
import { wrongReferencesOfSubscription } from '../checkouts/draft-rules.ts';
import { aboutCheckout } from '../checkouts/group-routes.ts';
import { presentCheckouts } from '../checkouts/subscription-status.ts';
import type { ApiRequest } from '../frame/request.ts';
import { listRoute, type Route, route } from '../frame/route.ts';
import {
  cancelSubscription,
  changePlan,
  pauseSubscription,
  resumeSubscription,
} from './cancel-or-change-plan.ts';
import { changePlanBody, previewBody, updateBody } from './change-schema.ts';
import { createSubscription } from './create-subscription.ts';
import {
  exampleCancelledSubscription,
  examplePausedSubscription,
  exampleShownCheckout,
  exampleSubscriptionBody,
  exampleUsage,
} from './examples.ts';
import { listSubscriptionCheckouts } from './list-subscriptions.ts';
import { payCycle } from './pay-cycle.ts';
import { previewSubscription } from './preview-subscription.ts';
import { examplePreview, subscriptionPreviewView } from './preview-view.ts';
import { detailsOf, findSubscription } from './queries.ts';
import { recordUsage } from './record-usage.ts';
import {
  cancelBody,
  createSubscriptionBody,
  findSubscriptionQuery,
  listSubscriptionsQuery,
  pauseBody,
  subscriptionIdBody,
} from './schema.ts';
import { updateSubscription } from './update-subscription.ts';
import { recordUsageBody, usageView } from './usage-schema.ts';

/** Adds the ids of the subscription and its workflow to the request's log line. */
function about(request: ApiRequest, { id }: Pick<Subscription, 'id'>): void {
  request.about.subscriptionId = id;
  request.about.workflowId = subscriptionWorkflowId(id);
}

async function presentOne(request: ApiRequest, subscription: Subscription) {
  about(request, subscription);
  const { em, now, deps } = request;
  return presentSubscription(subscription, await detailsOf(em, subscription, now), deps.publicUrl, now);
}

const create = route({
  method: 'POST',
  path: '/subscriptions/create',
  summary: 'Create a subscription',
  description:
    'Send the payer to `url`. The first payment (or, with a trial, saving a card) starts the subscription; its id is then ' +
    'in `subscriptionId`. The checkout expires after 30 days. The subscription keeps the current price of the product.',
  permission: 'SUBSCRIPTION:CREATE',
  givesWayToPayments: true,
  body: createSubscriptionBody,
  draftRules: wrongReferencesOfSubscription,
  response: subscriptionCheckoutView,
  errors: ['NOT_ACCEPTABLE', 'COUPON_NOT_ACCEPTED', 'NO_PAYMENT_PROVIDER'],
  example: { body: exampleSubscriptionBody, response: exampleShownCheckout },
  async handler(request) {
    const checkout = await createSubscription(request);
    aboutCheckout(request, checkout);
    return presentSubscriptionCheckout(checkout, request.deps.publicUrl, null);
  },
});

const list = listRoute({
  path: '/subscriptions/list',
  summary: 'List the checkouts of subscriptions, newest first',
  description:
    'With `subscriptionStatus`, and without a filter by id, `externalId` or customer, they are ordered by the start of their ' +
    'subscriptions, `createdFrom` and `createdTo` refer to that start, and the cursors are valid for this order only.',
  permission: ['SUBSCRIPTION:READ', 'CHECKOUT:READ'],
  query: listSubscriptionsQuery,
  response: subscriptionCheckoutView,
  errors: [],
  example: { response: exampleShownCheckout },
  handler: async (request) =>
    presentCheckouts(request, await listSubscriptionCheckouts(request), presentSubscriptionCheckout),
});

const get = route({
  method: 'GET',
  path: '/subscriptions/get',
  summary: 'Get a subscription',
  description:
    'By `id`, by the `externalId` of its checkout, or by `customerId`. If several match, it is the newest.',
  permission: ['SUBSCRIPTION:READ', 'CHECKOUT:READ'],
  query: findSubscriptionQuery,
  response: subscriptionView,
  errors: ['NOT_FOUND'],
  example: { response: exampleSubscription },
  handler: async (request) =>
    presentOne(request, await findSubscription(request.em, request.key, request.query)),
});

const cancel = route({
  method: 'POST',
  path: '/subscriptions/cancel',
  summary: 'Cancel a subscription',
  description:
    'At once: nothing is charged any more, and a payment in progress is returned to its payer. With `atPeriodEnd`, it ends with ' +
    'its current cycle, at `cancelAt`: an unpaid cycle is still collected until then. If it is not active, you ' +
    'get a 404. Send an `Idempotency-Key`, so that a retry after a 503 or a lost response returns the ' +
    'subscription; without one, the retry gets a 404 once it is cancelled.',
  permission: 'SUBSCRIPTION:DELETE',
  waitsForWorkflow: true,
  audited: true,
  body: cancelBody,
  response: subscriptionView,
  errors: ['NOT_FOUND', 'TEMPORARILY_UNAVAILABLE'],
  example: { body: { id: exampleSubscriptionId }, response: exampleCancelledSubscription },
  handler: async (request) => presentOne(request, await cancelSubscription(request)),
});

const pause = route({
  method: 'POST',
  path: '/subscriptions/pause',
  summary: 'Pause a subscription',
  description:
    'At once: nothing is charged until it is resumed, by `subscriptions/resume` or at `until`. A cycle that is not paid yet is given ' +
    'up. Cycles missed in the pause are never charged. While it is paused, another request changes the pause.',
  permission: 'SUBSCRIPTION:CREATE',
  waitsForWorkflow: true,
  audited: true,
  body: pauseBody,
  response: subscriptionView,
  errors: ['NOT_FOUND', 'NOT_ACCEPTABLE', 'TEMPORARILY_UNAVAILABLE'],
  example: {
    body: { id: exampleSubscriptionId, until: '2027-03-20', keepAnchor: true },
    response: examplePausedSubscription,
  },
  handler: async (request) => presentOne(request, await pauseSubscription(request)),
});

const resume = route({
  method: 'POST',
  path: '/subscriptions/resume',
  summary: 'Resume a subscription',
  description:
    'Ends a pause, and undoes a cancellation that is scheduled for the end of the cycle. Otherwise it is returned unchanged, so ' +
    'a retry is safe. If it is not active, you get a 404.',
  permission: 'SUBSCRIPTION:CREATE',
  waitsForWorkflow: true,
  audited: true,
  body: subscriptionIdBody,
  response: subscriptionView,
  errors: ['NOT_FOUND', 'TEMPORARILY_UNAVAILABLE'],
  example: { body: { id: exampleSubscriptionId }, response: exampleSubscription },
  handler: async (request) => presentOne(request, await resumeSubscription(request)),
});

const update = route({
  method: 'POST',
  path: '/subscriptions/update',
  summary: "Change a subscription's card, method, quantity, trial or metadata",
  description:
    'One of the four per request. `metadata` replaces the old metadata. `quantity` applies from the next cycle on, for the present price per ' +
    'unit, and `subscription.plan_changed` is sent. `trialEnd` moves the end of a trial, or ends it: the first cycle is ' +
    'charged then, and `subscription.trial_changed` is sent. `card`: the issuer verifies the new card, which charges nothing. Then later cycles are charged to it, and the old one is erased at ' +
    'the provider. If an attempt at an unpaid cycle waits, it is made at once, with the new card. A declined card changes ' +
    'nothing. If the bank wants the payer to confirm, `declineReason` is `authentication_required`: the payer can do that in the ' +
    'customer portal. A retry with the same token returns the result.',
  permission: 'SUBSCRIPTION:CREATE',
  waitsForWorkflow: true,
  audited: true,
  body: updateBody,
  response: subscriptionView,
  errors: ['NOT_FOUND', 'NOT_ACCEPTABLE', 'CARD_DECLINED', 'NO_PAYMENT_PROVIDER', 'TEMPORARILY_UNAVAILABLE'],
  example: {
    body: { id: exampleSubscriptionId, card: { token: 'ctok_01KAK0Z7Q3C5D7E9F1G3H5J7KM' } },
    response: exampleSubscription,
  },
  handler: async (request) => presentOne(request, await updateSubscription(request)),
});

const pay = route({
  method: 'POST',
  path: '/subscriptions/pay',
  summary: "Charge a subscription's overdue cycle now",
  description:
    'If the current cycle is past due, it is charged at once: to the card on file, or by a new PIX code, which is then in ' +
    '`currentCharge`. The attempt does not count as one of `retryPolicy`. If an attempt is under way, or nothing is past due, the ' +
    'subscription is returned unchanged, so a retry is safe. The response waits up to three seconds for the result: the cycle is paid ' +
    'once `state` is no longer `PAST_DUE`. At most 10 such attempts can be made for a cycle. If it is not active, you get a 404.',
  permission: 'SUBSCRIPTION:CREATE',
  waitsForWorkflow: true,
  audited: true,
  body: subscriptionIdBody,
  response: subscriptionView,
  errors: ['NOT_FOUND', 'NOT_ACCEPTABLE', 'TEMPORARILY_UNAVAILABLE'],
  example: { body: { id: exampleSubscriptionId }, response: exampleSubscription },
  handler: async (request) => presentOne(request, await payCycle(request)),
});

const changesPlan = route({
  method: 'POST',
  path: '/subscriptions/change-plan',
  summary: "Change a subscription's plan",
  description:
    'From the next cycle on the subscription costs `newAmount`. If the plan has another cycle, periods are counted from there. A ' +
    'newer change replaces one that is still scheduled. With `when: now` the plan changes at once, and `proration` says how the rest of ' +
    'the current cycle is charged.',
  permission: 'SUBSCRIPTION:CREATE',
  waitsForWorkflow: true,
  audited: true,
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

const previews = route({
  method: 'POST',
  path: '/subscriptions/preview',
  summary: 'Preview what a subscription will be charged',
  description:
    'Shows every charge up to and including the next cycle, line by line, if nothing changes, after a change, or for a new subscription. ' +
    'Nothing is stored. The charge is equal to the cent; usage that is recorded meanwhile comes on top.',
  permission: ['SUBSCRIPTION:READ', 'CHECKOUT:READ'],
  body: previewBody,
  response: subscriptionPreviewView,
  errors: ['NOT_FOUND', 'NOT_ACCEPTABLE', 'COUPON_NOT_ACCEPTED'],
  example: {
    body: {
      id: exampleSubscriptionId,
      changePlan: { productId: examplePlanUpdate.productId, quantity: 2, when: 'now' },
    },
    response: examplePreview,
  },
  handler: previewSubscription,
});

const recordsUsage = route({
  method: 'POST',
  path: '/subscriptions/record-usage',
  summary: 'Record usage of a pay-as-you-go product',
  description:
    "It is charged with the next cycle, at the product's current price. Send an `Idempotency-Key`, so that a retry " +
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
export const subscriptionRoutes: readonly Route[] = [
  create,
  list,
  get,
  cancel,
  pause,
  resume,
  pay,
  update,
  changesPlan,
  previews,
  recordsUsage,
];

export {
  cancel as cancelSubscriptionRoute,
  changesPlan as changeSubscriptionPlan,
  get as getSubscription,
  list as listSubscriptions,
  pause as pauseSubscriptionRoute,
  pay as paySubscriptionRoute,
  previews as previewSubscriptionRoute,
  recordsUsage as recordSubscriptionUsage,
  resume as resumeSubscriptionRoute,
  update as updateSubscriptionRoute,
};

import type { SearchAttributePair } from '@temporalio/common';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import {
  SUBSCRIPTION_WORKFLOW,
  type SubscriptionInput,
  subscriptionWorkflowId,
} from '../../workflows/subscription.contract.ts';
import type { Subscription } from '../database/entities/subscription.ts';
import { formatBrl } from '../domain/money.ts';
import type { WorkflowStart } from './workflow-start.ts';

/** How the workflow of a subscription is started: asleep until its next cycle begins. */
export function subscriptionStart(subscription: Subscription, requestId: string | null): WorkflowStart {
  const { id, plan, amountCents, cycle, method, cycleNumber, cycleEndsAt } = subscription;
  const input: SubscriptionInput = {
    subscriptionId: id,
    nextNumber: cycleNumber + 1,
    nextChargeAtMs: cycleEndsAt.getTime(),
    plan: { productId: plan.productId, quantity: plan.quantity, amountCents, cycle },
  };
  return {
    table: 'subscriptions',
    id,
    workflowType: SUBSCRIPTION_WORKFLOW,
    sleepsUntil: cycleEndsAt,
    options: {
      workflowId: subscriptionWorkflowId(id),
      args: [input],
      staticSummary: `${cycle} ${method} ${formatBrl(amountCents)}`,
      staticDetails: `Asleep until **${cycleEndsAt.toISOString()}**, when it is charged for the first time by itself. A cancellation or a change of plan wakes it.`,
      memo: requestId === null ? {} : { requestId },
      typedSearchAttributes: searchAttributesOf(subscription),
    },
  };
}

function searchAttributesOf(subscription: Subscription): SearchAttributePair[] {
  const { storeId, devMode, amountCents, method, customerId, externalId, cycleNumber, cycleEndsAt } =
    subscription;
  return [
    { key: searchAttribute.storeId, value: storeId },
    { key: searchAttribute.devMode, value: devMode },
    { key: searchAttribute.status, value: 'ACTIVE' },
    { key: searchAttribute.method, value: method },
    { key: searchAttribute.amountCents, value: amountCents },
    { key: searchAttribute.cycleNumber, value: cycleNumber },
    { key: searchAttribute.nextChargeAt, value: cycleEndsAt },
    ...(customerId === null ? [] : [{ key: searchAttribute.customerId, value: customerId }]),
    ...(externalId === null ? [] : [{ key: searchAttribute.externalId, value: externalId }]),
  ];
}

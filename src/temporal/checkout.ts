import type { SearchAttributePair } from '@temporalio/common';
import {
  CHECKOUT_WORKFLOW,
  type CheckoutInput,
  checkoutWorkflowId,
} from '../../workflows/checkout.contract.ts';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import type { Checkout } from '../database/entities/checkout.ts';
import { formatBrl } from '../domain/money.ts';
import type { WorkflowStart } from './workflow-start.ts';

/** A payment link has no deadline; its workflow wakes once a year, only because a delay has to end. */
const LINK_SLEEP_MS = 365 * 24 * 60 * 60 * 1_000;

/** The columns that starting a checkout's workflow takes. */
export type CheckoutToStart = Pick<
  Checkout,
  | 'id'
  | 'storeId'
  | 'devMode'
  | 'frequency'
  | 'amountCents'
  | 'customerId'
  | 'externalId'
  | 'expiresAt'
  | 'createdAt'
  | 'workflowStartedAt'
>;

/** How the workflow of a checkout or payment link is started. */
export function checkoutStart(checkout: CheckoutToStart, requestId: string | null): WorkflowStart {
  const { id, frequency, amountCents, expiresAt, createdAt } = checkout;
  const input: CheckoutInput = { checkoutId: id, expiresAtMs: expiresAt?.getTime() ?? null };
  return {
    table: 'checkouts',
    id,
    workflowType: CHECKOUT_WORKFLOW,
    sleepsUntil: expiresAt ?? new Date(createdAt.getTime() + LINK_SLEEP_MS),
    options: {
      workflowId: checkoutWorkflowId(id),
      args: [input],
      staticSummary: `${frequency} ${formatBrl(amountCents)}`,
      staticDetails:
        expiresAt === null
          ? 'A payment link: each payment is a charge of its own. A cancellation wakes it.'
          : `Asleep until **${expiresAt.toISOString()}**, when it expires. A payment or a cancellation wakes it.`,
      memo: requestId === null ? {} : { requestId },
      typedSearchAttributes: searchAttributesOf(checkout),
    },
  };
}

function searchAttributesOf(checkout: CheckoutToStart): SearchAttributePair[] {
  const { storeId, devMode, amountCents, customerId, externalId } = checkout;
  return [
    { key: searchAttribute.storeId, value: storeId },
    { key: searchAttribute.devMode, value: devMode },
    { key: searchAttribute.status, value: 'PENDING' },
    { key: searchAttribute.amountCents, value: amountCents },
    ...(customerId === null ? [] : [{ key: searchAttribute.customerId, value: customerId }]),
    ...(externalId === null ? [] : [{ key: searchAttribute.externalId, value: externalId }]),
  ];
}

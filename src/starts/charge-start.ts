import type { WorkflowStartOptions } from '@temporalio/client';
import type { SearchAttributePair } from '@temporalio/common';
import { type ChargeInput, chargeWorkflowId } from '../../workflows/charge.contract.ts';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import type { Charge } from '../database/charge.ts';
import { formatBrl } from '../domain/money.ts';

/** The columns that starting a charge's workflow takes. */
export type ChargeToStart = Pick<
  Charge,
  | 'id'
  | 'storeId'
  | 'devMode'
  | 'method'
  | 'amountCents'
  | 'customerId'
  | 'externalId'
  | 'lateFrom'
  | 'closesAt'
  | 'workflowStartedAt'
>;

/** Everything of a start but the queue and the policies, which differ by who starts it. */
export function chargeStart(charge: ChargeToStart, requestId: string | null) {
  const input: ChargeInput = {
    chargeId: charge.id,
    lateFromMs: charge.lateFrom?.getTime() ?? null,
    closesAtMs: charge.closesAt.getTime(),
  };
  const firstDeadline = charge.lateFrom ?? charge.closesAt;
  return {
    workflowId: chargeWorkflowId(charge.id),
    args: [input],
    staticSummary: `${charge.method} ${formatBrl(charge.amountCents)}`,
    staticDetails: `Asleep until **${firstDeadline.toISOString()}**, when ${charge.lateFrom ? 'fine and interest begin' : 'it expires unpaid'}. A payment or a cancellation wakes it.`,
    memo: requestId === null ? {} : { requestId },
    typedSearchAttributes: searchAttributesOf(charge),
  } satisfies Partial<WorkflowStartOptions>;
}

/**
 * How long the first task can wait: until then an unpaid charge has nothing to do, and an update-with-start wakes it
 * sooner. Zero for a charge that is found without a workflow after its deadline.
 */
export function chargeStartDelayMs(charge: ChargeToStart, nowMs: number): number {
  return Math.max(0, (charge.lateFrom ?? charge.closesAt).getTime() - nowMs);
}

function searchAttributesOf(charge: ChargeToStart): SearchAttributePair[] {
  return [
    { key: searchAttribute.storeId, value: charge.storeId },
    { key: searchAttribute.devMode, value: charge.devMode },
    { key: searchAttribute.status, value: 'PENDING' },
    { key: searchAttribute.method, value: charge.method },
    { key: searchAttribute.amountCents, value: charge.amountCents },
    ...(charge.customerId === null ? [] : [{ key: searchAttribute.customerId, value: charge.customerId }]),
    ...(charge.externalId === null ? [] : [{ key: searchAttribute.externalId, value: charge.externalId }]),
  ];
}

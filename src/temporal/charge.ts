import type { SearchAttributePair } from '@temporalio/common';
import { CHARGE_WORKFLOW, type ChargeInput, chargeWorkflowId } from '../../workflows/charge.contract.ts';
import { searchAttribute } from '../../workflows/search-attributes.contract.ts';
import { METHODS } from '../charges/methods/index.ts';
import type { Charge } from '../database/entities/charge.ts';
import { formatBrl } from '../domain/money.ts';
import type { WorkflowStart } from './workflow-start.ts';

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

/** Any moment that has passed. */
const AT_ONCE = new Date(0);

/** How the workflow of a charge is started. A card payment has work at once; all others sleep to their first deadline. */
export function chargeStart(charge: ChargeToStart, requestId: string | null): WorkflowStart {
  const isDecidedAtOnce = METHODS[charge.method].decidedBy !== 'PAYER';
  const input: ChargeInput = {
    chargeId: charge.id,
    lateFromMs: charge.lateFrom?.getTime() ?? null,
    closesAtMs: charge.closesAt.getTime(),
    ...(isDecidedAtOnce && { authorizes: true }),
  };
  return {
    table: 'charges',
    id: charge.id,
    workflowType: CHARGE_WORKFLOW,
    sleepsUntil: isDecidedAtOnce ? AT_ONCE : (charge.lateFrom ?? charge.closesAt),
    options: {
      workflowId: chargeWorkflowId(charge.id),
      args: [input],
      staticSummary: `${charge.method} ${formatBrl(charge.amountCents)}`,
      staticDetails: isDecidedAtOnce ? 'Is authorized at once.' : asleep(charge),
      memo: requestId === null ? {} : { requestId },
      typedSearchAttributes: searchAttributesOf(charge),
    },
  };
}

/** How a run is opened for what comes after a charge was paid: a refund, or news of a dispute. */
export function chargeReopening(charge: ChargeToStart, requestId: string | null): WorkflowStart['options'] {
  const input: ChargeInput = {
    chargeId: charge.id,
    lateFromMs: null,
    closesAtMs: charge.closesAt.getTime(),
    reopens: true,
  };
  const { options } = chargeStart(charge, requestId);
  return { ...options, args: [input], staticDetails: 'Opened again by a refund or a dispute.' };
}

function asleep({ lateFrom, closesAt }: ChargeToStart): string {
  const until = (lateFrom ?? closesAt).toISOString();
  const reason = lateFrom ? 'fine and interest begin' : 'it expires unpaid';
  return `Asleep until **${until}**, when ${reason}. A payment or a cancellation wakes it.`;
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

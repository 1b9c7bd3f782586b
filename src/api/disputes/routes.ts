import { z } from 'zod';
import type { Charge } from '../../database/entities/charge.ts';
import { CHARGE_STATUSES } from '../../domain/charge.ts';
import { idText, text } from '../../wire/fields.ts';
import type { ErrorCode } from '../frame/errors.ts';
import { type Route, route } from '../frame/route.ts';
import { decideDispute, openDispute } from './simulate-dispute.ts';

export const exampleDisputedId = 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM';

const id = idText(exampleDisputedId).meta({
  description:
    'The id of a charge, or of the checkout that it paid. Payments of a payment link have ids of their own.',
});

const openDisputeBody = z.strictObject({
  id,
  reason: text(1, 500).nullish().meta({
    description: "The payer's reason; the dispute's events include it.",
    example: 'Não reconheço a compra',
  }),
  amount: z
    .int()
    .min(1)
    .nullish()
    .meta({
      description:
        'The disputed cents, at most the payment. By default everything that refunds have left. A card’s issuer may dispute more, ' +
        'even of a refunded payment: the difference is taken from the available balance.',
      example: 9_000,
    }),
  fee: z.int().min(1).max(100_000).nullish().meta({
    description:
      "Cents that the provider charges for the dispute, as a card's provider does; nothing by default.",
    example: 5_500,
  }),
});

const decideDisputeBody = z.strictObject({ id });
const winDisputeBody = decideDisputeBody.extend({
  returnsFee: z.boolean().optional().meta({
    description: 'Whether the provider returns the fee of the dispute. By default it keeps it.',
  }),
});

/** The charge after the dispute. */
const disputedCharge = z
  .object({
    id: z.string().meta({ description: 'The id of the charge.' }),
    devMode: z.boolean(),
    status: z.enum(CHARGE_STATUSES),
    checkoutId: z.string().optional().meta({ description: 'The checkout, if it was paid through one.' }),
  })
  .meta({ id: 'DisputedCharge' });
type DisputedCharge = z.output<typeof disputedCharge>;

const ERRORS = [
  'NOT_FOUND',
  'WRONG_ENVIRONMENT',
  'NOT_ACCEPTABLE',
  'INVALID_STATE',
  'TEMPORARILY_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

const exampleCheckoutId = 'bill_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';
const exampleOf = (status: DisputedCharge['status']) => ({
  id: exampleDisputedId,
  devMode: true,
  status,
  checkoutId: exampleCheckoutId,
});

function present({ id, devMode, status, checkoutId }: Charge): DisputedCharge {
  return { id, devMode, status, ...(checkoutId !== null && { checkoutId }) };
}

/**
 * Simulates what payers and their banks do in production (contract section 8, our addition): dev mode only.
 * The dashboard uses it too.
 */
export const disputeOperations = {
  open: route({
    method: 'POST',
    path: '/dev/disputes/open',
    summary: 'Dispute a payment in dev mode',
    description:
      'Does what a payer does at their bank: the charge becomes `UNDER_DISPUTE`, its amount is blocked, and Recebe sends ' +
      '`transparent.disputed` or `checkout.disputed`. A payment that is already disputed is returned unchanged.',
    permission: 'REFUND:CREATE',
    waitsForWorkflow: true,
    body: openDisputeBody,
    response: disputedCharge,
    errors: ERRORS,
    example: {
      body: { id: exampleDisputedId, reason: 'Não reconheço a compra' },
      response: exampleOf('UNDER_DISPUTE'),
    },
    handler: async (request) => present(await openDispute(request)),
  }),
  win: route({
    method: 'POST',
    path: '/dev/disputes/win',
    summary: 'Win a dispute in dev mode',
    description:
      'The bank decides for the store: the charge is `PAID` again and its money is no longer blocked. Recebe sends `transparent.won` or `checkout.won`. A ' +
      'dispute that was already won stays unchanged.',
    permission: 'REFUND:CREATE',
    waitsForWorkflow: true,
    body: winDisputeBody,
    response: disputedCharge,
    errors: ERRORS,
    example: { body: { id: exampleDisputedId }, response: exampleOf('PAID') },
    handler: async (request) => present(await decideDispute(request, 'WON')),
  }),
  lose: route({
    method: 'POST',
    path: '/dev/disputes/lose',
    summary: 'Lose a dispute in dev mode',
    description:
      'The bank decides for the payer, who gets the blocked amount: the charge becomes `REFUNDED`, and Recebe sends ' +
      '`transparent.lost` or `checkout.lost`. A dispute that was already lost stays unchanged.',
    permission: 'REFUND:CREATE',
    waitsForWorkflow: true,
    body: decideDisputeBody,
    response: disputedCharge,
    errors: ERRORS,
    example: { body: { id: exampleDisputedId }, response: exampleOf('REFUNDED') },
    handler: async (request) => present(await decideDispute(request, 'LOST')),
  }),
};

export const disputeRoutes: readonly Route[] = Object.values(disputeOperations);

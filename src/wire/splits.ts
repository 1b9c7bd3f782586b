import { z } from 'zod';
import type { Split } from '../domain/sub-account.ts';
import { amountCents, idText } from './fields.ts';

export const exampleSubAccountId = 'sacc_01KAK0Y3PQ8V4T6R2W9ZB5XHMD';

/** A part of a payment that goes to a sub-account, in requests, responses and events. */
export const split = z
  .strictObject({
    subAccountId: idText(exampleSubAccountId),
    amount: amountCents.meta({ example: 7_000 }),
  })
  .meta({ id: 'Split' });

/** The splits of a charge in responses and events; nothing if its payment is not split. */
export function publishedSplits(splits: readonly Split[] | null): {
  splits?: { subAccountId: string; amount: number }[];
} {
  if (splits === null) return {};
  return { splits: splits.map(({ subAccountId, amountCents: amount }) => ({ subAccountId, amount })) };
}

import { z } from 'zod';
import type { Fine, Interest } from '../../domain/charge.ts';

const RATE_RULE = 'must be an integer number of hundredths of a percent from 0, such as 200 for 2 %';
const FINE_RULE = 'must be an integer from 0: hundredths of a percent, or cents where type is FIXED';

/** Monthly late interest as it is sent (spec, "Boleto interest and fine"); `{}`, null and 0 are none. */
export const interest = z
  .strictObject({ value: z.int({ error: RATE_RULE }).min(0, { error: RATE_RULE }).nullish() })
  .nullish()
  .transform((sent): Interest | null => (sent?.value ? { value: sent.value } : null))
  .meta({
    description:
      'Monthly late interest in hundredths of a percent, pro rata die after the due date; 0, null or `{}` is none.',
    example: { value: 100 },
  });

/** The late fee as it is sent; without a value, or with 0, there is none whatever its type. */
export const fine = z
  .strictObject({
    value: z.int({ error: FINE_RULE }).min(0, { error: FINE_RULE }).nullish(),
    type: z.enum(['PERCENTAGE', 'FIXED']).nullish(),
  })
  .nullish()
  .transform((sent, context): Fine | null => {
    if (!sent?.value) return null;
    if (sent.type) return { value: sent.value, type: sent.type };
    context.addIssue({ code: 'invalid_type', expected: 'string', path: ['type'], input: undefined });
    return z.NEVER;
  })
  .meta({
    description:
      'Charged once after the due date: hundredths of a percent of the amount, or cents; 0, null or `{}` is none.',
    example: { value: 200, type: 'PERCENTAGE' },
  });

/** Taken and not looked at: only boletos have late charges (spec, "Boleto interest and fine"). */
export const ignored = z
  .unknown()
  .optional()
  .transform(() => undefined)
  .meta({ description: 'Ignored: only boletos have late charges.' });

import { z } from 'zod';
import type { CheckoutMethod, Fine, Interest } from '../../domain/charge.ts';
import { messageOf } from '../frame/validation.ts';

const RATE_RULE = 'must be an integer number of hundredths of a percent from 0, such as 200 for 2 %';
const FINE_RULE = 'must be an integer from 0: hundredths of a percent, or cents where type is FIXED';

/** Monthly late interest as sent (contract section 4.6); `{}`, null and 0 mean no interest. */
export const interest = z
  .strictObject({ value: z.int({ error: RATE_RULE }).min(0, { error: RATE_RULE }).nullish() })
  .nullish()
  .transform((sent): Interest | null => (sent?.value ? { value: sent.value } : null))
  .meta({
    description:
      'Monthly late interest in hundredths of a percent, pro rata die after the due date; 0, null or `{}` means no interest.',
    example: { value: 100 },
  });

/** The late fee as sent; without a value, or with 0, there is no fee, whatever its type. */
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
      'Charged once after the due date: hundredths of a percent of the amount, or cents; 0, null or `{}` means no fee.',
    example: { value: 200, type: 'PERCENTAGE' },
  });

/** Accepted without validation, because only boletos have late charges (contract section 4.6). */
export const ignored = z
  .unknown()
  .optional()
  .transform(() => undefined)
  .meta({ description: 'Ignored: only boletos have late charges.' });

/** Late charges as sent, which are validated only if they are used. @param description of the interest. */
export function sentLateTerms(description: string) {
  return {
    interest: z
      .unknown()
      .optional()
      .meta({ description, example: { value: 100 } }),
    fine: z
      .unknown()
      .optional()
      .meta({
        description: 'Likewise: `{ value, type }`.',
        example: { value: 200, type: 'PERCENTAGE' },
      }),
  };
}

/** Late charges of a checkout's boletos as sent; validated only if it offers boletos. */
export const checkoutLateTerms = sentLateTerms(
  'For its boletos, as in `transparents/create`: `{ value }`. Ignored without `BOLETO` among the methods.',
);

interface Body {
  readonly methods: readonly CheckoutMethod[];
  readonly interest?: unknown;
  readonly fine?: unknown;
}

/** Reads {@link checkoutLateTerms} if late payments are possible (contract section 4.6). */
export function withLateTerms<Schema extends z.ZodType<Body>>(schema: Schema) {
  return schema.transform((body, context) => {
    const offersBoletos = body.methods.includes('BOLETO');
    const read = <Term extends z.ZodType>(term: Term, field: 'interest' | 'fine'): z.output<Term> | null =>
      offersBoletos ? readTerm(term, body[field], field, context) : null;
    const terms: { readonly interest: Interest | null; readonly fine: Fine | null } = {
      interest: read(interest, 'interest'),
      fine: read(fine, 'fine'),
    };
    return { ...body, ...terms };
  });
}

function readTerm<Term extends z.ZodType>(
  term: Term,
  sent: unknown,
  field: string,
  context: z.RefinementCtx,
): z.output<Term> {
  const result = term.safeParse(sent, { error: messageOf });
  if (result.success) return result.data;
  for (const { path, message } of result.error.issues) {
    context.addIssue({ code: 'custom', path: [field, ...path], message });
  }
  return z.NEVER;
}

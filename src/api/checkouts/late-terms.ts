import { z } from 'zod';
import type { Fine, Interest, PaymentMethod } from '../../domain/charge.ts';
import { messageOf } from '../frame/validation.ts';
import { fine, interest } from '../transparents/late-terms.ts';

/** Late charges of a checkout's boletos as they are sent: looked at only where it offers boletos. */
export const lateTerms = {
  interest: z
    .unknown()
    .optional()
    .meta({
      description:
        'Of its boletos, as in `transparents/create`: `{ value }`. Ignored without `BOLETO` among the methods.',
      example: { value: 100 },
    }),
  fine: z
    .unknown()
    .optional()
    .meta({
      description: 'Likewise: `{ value, type }`.',
      example: { value: 200, type: 'PERCENTAGE' },
    }),
};

interface Body {
  readonly methods: readonly PaymentMethod[];
  readonly interest?: unknown;
  readonly fine?: unknown;
}

/** Reads {@link lateTerms} where there can be a late payment at all (spec: "ignored for other methods"). */
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

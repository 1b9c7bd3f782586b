import type { z } from 'zod';
import { messageOf } from '../frame/validation.ts';
import { fine, interest } from './late-terms.ts';

/** What the late terms and the payer of a PIX charge are read from. */
interface Body {
  readonly dueDate?: string | null | undefined;
  readonly interest?: unknown;
  readonly fine?: unknown;
  readonly expiresIn?: number | null | undefined;
  readonly customer?: { readonly name: string | null; readonly taxId: string | null } | null | undefined;
}

type Path = readonly ['interest' | 'fine', ...string[]];

const LATE_FIELDS: readonly Path[] = [
  ['interest'],
  ['interest', 'value'],
  ['fine'],
  ['fine', 'value'],
  ['fine', 'type'],
];
const REQUIRED = 'is required with a dueDate';
/** What the ten digits of an API Pix rate or amount hold (`valorPerc`). */
const MAX_VALUE = 999_999_999_999;
const TOO_LARGE = `must be at most ${MAX_VALUE} with a dueDate`;
const TERMS = { interest, fine };

/**
 * Reads interest and fine of a PIX charge if it has a due date; otherwise they are ignored (contract section 4.6). Every wrong field is
 * named, beside fields of the wrong form.
 */
export function withDueTerms<Schema extends z.ZodType<Body>>(schema: Schema) {
  const required = (field: 'name' | 'taxId') =>
    rule<Body>(
      ['customer', field],
      () => REQUIRED,
      (body) => !isDue(body) || Boolean(body.customer?.[field]),
    );
  let checked = schema
    .refine(...required('name'))
    .refine(...required('taxId'))
    .refine(
      ...rule<Body>(
        ['expiresIn'],
        () => 'must not be sent with a dueDate',
        (body) => !isDue(body) || body.expiresIn == null,
      ),
    );
  for (const path of LATE_FIELDS)
    checked = checked.refine(
      ...rule<Body>(
        path,
        (body) => wrongTerm(body, path) ?? '',
        (body) => wrongTerm(body, path) === null,
      ),
    );
  return checked.transform((body) => {
    const read = <Term extends 'interest' | 'fine'>(term: Term): z.output<(typeof TERMS)[Term]> | null =>
      isDue(body) ? (TERMS[term].safeParse(body[term]).data as z.output<(typeof TERMS)[Term]>) : null;
    return { ...body, dueDate: body.dueDate ?? null, interest: read('interest'), fine: read('fine') };
  });
}

function isDue({ dueDate }: Body): boolean {
  return typeof dueDate === 'string';
}

/** What is wrong with a field of the late terms; null if nothing is. */
function wrongTerm(body: Body, [term, ...inside]: Path): string | null {
  if (!isDue(body)) return null;
  const read = TERMS[term].safeParse(body[term], { error: messageOf });
  const field = inside.join('.');
  if (!read.success) return read.error.issues.find(({ path }) => path.join('.') === field)?.message ?? null;
  return field === 'value' && (read.data?.value ?? 0) > MAX_VALUE ? TOO_LARGE : null;
}

/** The arguments of a refinement that also runs if other fields have the wrong form. */
function rule<Checked extends object>(
  path: readonly string[],
  message: (body: Checked) => string,
  isRight: (body: Checked) => boolean,
) {
  const isObject = ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null;
  const error = ({ input }: { readonly input?: unknown }) => message(input as Checked);
  const options = { path: [...path], error, when: isObject };
  return [isRight, options] as [typeof isRight, typeof options];
}

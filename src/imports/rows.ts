import { z } from 'zod';
import { createCouponBody } from '../api/coupons/schema.ts';
import { customerFields, taxId } from '../api/customers/fields.ts';
import { isUnfit } from '../api/frame/json-body.ts';
import { INSTANT_RULE, instantOf } from '../api/frame/time-range.ts';
import { messageOf } from '../api/frame/validation.ts';
import { createProductBody } from '../api/products/schema.ts';
import { type ImportKind, OUTSIDE_METHODS } from '../domain/imports.ts';
import { MAX_AMOUNT_CENTS } from '../domain/money.ts';
import { MAX_ADD_ONS } from '../domain/subscribed-plan.ts';
import { parseTaxId } from '../domain/tax-id.ts';
import { dividesCycle, USAGE_CYCLES } from '../domain/usage-cycle.ts';
import { amountCents, metadata, text } from '../wire/fields.ts';
import { LAST_INSTANT_MS } from './foreign.ts';

/* The rows that every source delivers, whatever the other system calls them. The rules of the API apply, because what is
   imported is used as if it had been created here. */

const LONGEST_ID = 255;
const id = text(1, LONGEST_ID);
const reference = id.nullable().default(null);
const more = metadata.default({});

const instant = z.union([z.date(), z.string()]).transform((given, context): Date => {
  const named = typeof given === 'string' ? instantOf(given, 'first') : given;
  if (named === null || Number.isNaN(named.getTime()))
    context.addIssue({ code: 'custom', message: INSTANT_RULE });
  else if (named.getTime() >= 0 && named.getTime() < LAST_INSTANT_MS) return named;
  else context.addIssue({ code: 'custom', message: 'must be after 1969 and before 2200' });
  return z.NEVER;
});

const bareTaxId = z
  .union([z.literal(''), taxId])
  .nullish()
  .transform((typed, context): string | null => {
    if (!typed) return null;
    const parsed = parseTaxId(typed);
    if (parsed !== null) return parsed.bare;
    const message = 'must be a CPF or CNPJ with right check digits, such as 529.982.247-25';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

export const customerRow = customerFields.extend({ taxId: bareTaxId, metadata: more });
export type CustomerRow = z.output<typeof customerRow>;

const product = createProductBody.shape;
export const productRow = z
  .strictObject({
    name: product.name,
    price: product.price,
    cycle: product.cycle,
    description: product.description,
    imageUrl: product.imageUrl,
    trialDays: product.trialDays,
    /** How often usage is charged within its cycle; null with the cycle. */
    usageCycle: z.enum(USAGE_CYCLES).nullish(),
    externalId: product.externalId.nullish(),
    /** Sold no more. */
    archived: z.boolean().default(false),
  })
  .refine(({ cycle, trialDays }) => !trialDays || Boolean(cycle), {
    path: ['trialDays'],
    error: 'must be left out: only a product with a cycle has a trial',
  })
  .refine(({ cycle, usageCycle }) => !usageCycle || (cycle != null && dividesCycle(usageCycle, cycle)), {
    path: ['usageCycle'],
    error:
      'must be shorter than the cycle, of which it must have a whole number, such as MONTHLY for ANNUALLY',
  });
export type ProductRow = z.output<typeof productRow>;

const uses = z.int().min(0).max(2_147_483_647);
/** A coupon as the API creates it, and how it has been used. */
export const couponRow = z.preprocess(
  (fields) => {
    const { redeemed, isActive, ...body } = Object(fields);
    return { body, redeemed, isActive };
  },
  z.object({ body: createCouponBody, redeemed: uses.default(0), isActive: z.boolean().default(true) }),
);
export type CouponRow = z.output<typeof couponRow>;

const sold = {
  product: id,
  quantity: z.int().min(1).max(1_000_000).default(1),
  /** Cents per unit and cycle; null for the product's price. */
  unitPrice: amountCents.nullable().default(null),
};

export const subscriptionRow = z.strictObject({
  customer: id,
  ...sold,
  /** Products that are charged with it every cycle. */
  addOns: z.array(z.strictObject(sold)).max(MAX_ADD_ONS).default([]),
  method: z.enum(['PIX', 'CARD']),
  /** The other system's id of the card. */
  card: reference,
  nextChargeAt: instant,
  anchorAt: instant.nullable().default(null),
  anchorDay: z.int().min(1).max(31).nullable().default(null),
  trial: z.boolean().default(false),
  startedAt: instant.nullable().default(null),
  coupon: reference,
  /** How many of the next charges the coupon still discounts; null for all. */
  couponCyclesLeft: z.int().min(0).max(1_000).nullable().default(null),
  cancelAtPeriodEnd: z.boolean().default(false),
  /** The end of a pause; with `paused`, null if somebody ends it. */
  paused: z.boolean().default(false),
  pausedUntil: instant.nullable().default(null),
  /** Cents that the current cycle has cost there; null for the price less the coupon. */
  currentCyclePaid: z.int().min(0).max(MAX_AMOUNT_CENTS).nullable().default(null),
  externalId: text(1, 255).nullable().default(null),
  metadata: more,
});
export type SubscriptionRow = z.output<typeof subscriptionRow>;

export const paymentRow = z
  .strictObject({
    customer: reference,
    subscription: reference,
    amount: amountCents,
    refunded: z.int().min(0).max(MAX_AMOUNT_CENTS).default(0),
    method: z.enum(OUTSIDE_METHODS),
    paidAt: instant,
  })
  .refine(({ amount, refunded }) => refunded <= amount, {
    path: ['refunded'],
    error: 'must be at most the amount',
  });
export type PaymentRow = z.output<typeof paymentRow>;

/** The rows of each kind. */
export interface RowOf {
  readonly customer: CustomerRow;
  readonly product: ProductRow;
  readonly coupon: CouponRow;
  readonly subscription: SubscriptionRow;
  readonly payment: PaymentRow;
}

const SCHEMAS: { readonly [Kind in ImportKind]: z.ZodType<RowOf[Kind]> } = {
  customer: customerRow,
  product: productRow,
  coupon: couponRow,
  subscription: subscriptionRow,
  payment: paymentRow,
};

/** A field of a row, and what would be right. */
export interface Problem {
  readonly field: string;
  readonly problem: string;
}

/** A row with right fields, or everything that is wrong with it. */
export type ReadRow<Row> =
  | { readonly row: Row; readonly problems: null }
  | { readonly row: null; readonly problems: readonly Problem[] };

/**
 * @param foreignId the other system's id, which is stored too. Must not be empty.
 * @param given what the source itself could not read of the row.
 */
export function readRow<Kind extends ImportKind>(
  kind: Kind,
  foreignId: string,
  fields: Readonly<Record<string, unknown>>,
  given: readonly Problem[],
): ReadRow<RowOf[Kind]> {
  const wrong = [...given, ...wrongTextsIn({ id: foreignId, ...fields })];
  if (foreignId.length > LONGEST_ID)
    wrong.push({ field: 'id', problem: `must have at most ${LONGEST_ID} characters` });
  const read = SCHEMAS[kind].safeParse(fields, { error: messageOf });
  if (read.success && wrong.length === 0) return { row: read.data, problems: null };
  const named = new Set(wrong.map(({ field }) => field));
  const found = (read.error?.issues ?? []).map(({ path, message }) => ({
    field:
      path
        .map(String)
        .join('.')
        .replace(/^body\./, '') || 'row',
    problem: message,
  }));
  return { row: null, problems: [...wrong, ...found.filter(({ field }) => !named.has(field))] };
}

const UNFIT = 'must not contain NUL characters or lone surrogates';

/** Texts that Postgres cannot store, as the API refuses them in a body: one such row would end the import. */
function wrongTextsIn(fields: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    isUnfitWithin(value) ? [{ field, problem: UNFIT }] : [],
  );
}

/** Looks into texts, and into objects that a schema bounds, such as metadata. */
function isUnfitWithin(value: unknown): boolean {
  if (typeof value === 'string') return isUnfit(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return false;
  return Object.entries(value)
    .flat()
    .some((each) => typeof each === 'string' && isUnfit(each));
}

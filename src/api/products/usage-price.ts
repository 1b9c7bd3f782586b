import { z } from 'zod';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { MAX_UNITS, USAGE_PRICE_MODELS, type UsagePrice } from '../../domain/usage-price.ts';

const MAX_TIERS = 50;

const UNITS_RULE = `must be an integer between 1 and ${MAX_UNITS}`;
const INCLUDED_RULE = `must be an integer between 0 and ${MAX_UNITS}`;
const PRICE_RULE = `must be an integer number of cents between 0 and ${MAX_AMOUNT_CENTS}`;
const TIERS_RULE = `must be a list of 1 to ${MAX_TIERS} tiers`;

const units = z
  .int({ error: UNITS_RULE })
  .min(1, { error: UNITS_RULE })
  .max(MAX_UNITS, { error: UNITS_RULE });
const price = z
  .int({ error: PRICE_RULE })
  .min(0, { error: PRICE_RULE })
  .max(MAX_AMOUNT_CENTS, { error: PRICE_RULE });

const tier = z.strictObject({
  upTo: units.nullable().meta({
    description: 'The last unit of the tier, counted after the included units; null for the last tier.',
  }),
  unitPrice: price.meta({ description: 'Cents per unit; 0 if they are free.' }),
  flatPrice: price
    .default(0)
    .meta({ description: 'Cents that are charged once, as soon as a unit lies in the tier.' }),
});

/** `usagePrice` of a product, in requests and responses *(ours)*. */
const usagePrice = z.strictObject({
  model: z.enum(USAGE_PRICE_MODELS).meta({
    description:
      '`PER_UNIT`: each unit costs `price`. `PACKAGE`: each package of `packageSize` units costs `price`, a part of one too. `GRADUATED`: each ' +
      'unit costs what the tier costs in which it lies. `VOLUME`: all units cost what the tier costs that their number reaches.',
  }),
  includedUnits: z
    .int({ error: INCLUDED_RULE })
    .min(0, { error: INCLUDED_RULE })
    .max(MAX_UNITS, { error: INCLUDED_RULE })
    .default(0)
    .meta({
      description: 'Units of each cycle that are free. Tiers and packages count the units after them.',
    }),
  packageSize: units.nullish().meta({ description: 'Units of a package; only for `PACKAGE`.' }),
  tiers: z
    .array(tier, { error: TIERS_RULE })
    .min(1, { error: TIERS_RULE })
    .max(MAX_TIERS, { error: TIERS_RULE })
    .nullish()
    .meta({ description: 'Only for `GRADUATED` and `VOLUME`, from the lowest to the last, which is open.' }),
});

interface Problem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** As far as other checks have not refused it. */
type Sent = Readonly<Record<string, unknown>>;

/** Which fields a model needs and refuses. */
function problemsOfModel({ model, packageSize, tiers }: Sent): Problem[] {
  const hasTiers = model === 'GRADUATED' || model === 'VOLUME';
  const isPackage = model === 'PACKAGE';
  return [
    ...(hasTiers && tiers == null ? [{ path: ['tiers'], message: `is required for ${model}` }] : []),
    ...(!hasTiers && tiers != null ? [{ path: ['tiers'], message: 'is only for GRADUATED and VOLUME' }] : []),
    ...(isPackage && packageSize == null
      ? [{ path: ['packageSize'], message: 'is required for PACKAGE' }]
      : []),
    ...(!isPackage && packageSize != null ? [{ path: ['packageSize'], message: 'is only for PACKAGE' }] : []),
  ];
}

/** Tiers leave no gap: each begins after the one before it, and the last one has no end. */
function problemsOfTiers({ tiers }: Sent): Problem[] {
  if (!Array.isArray(tiers) || tiers.length > MAX_TIERS) return [];
  let before = 0;
  return tiers.flatMap((sent: Sent | null, index) => {
    const upTo = sent?.upTo;
    const isLast = index === tiers.length - 1;
    const path = ['tiers', index, 'upTo'];
    if (isLast) return upTo === null ? [] : [{ path, message: 'must be null for the last tier' }];
    if (upTo === null) return [{ path, message: 'may be null for the last tier only' }];
    if (typeof upTo !== 'number') return [];
    const isHigher = upTo > before;
    before = Math.max(before, upTo);
    return isHigher ? [] : [{ path, message: `must be more than ${before}, the end of the tier before it` }];
  });
}

/** The body's form of `usagePrice`. All wrong fields are named at once. */
export const usagePriceBody = usagePrice
  .superRefine(
    (value, context) => {
      for (const { path, message } of [...problemsOfModel(value), ...problemsOfTiers(value)])
        context.addIssue({ code: 'custom', input: value, path: [...path], message });
    },
    // Also beside wrong fields, so that the answer names all of them.
    { when: ({ value }) => typeof value === 'object' && value !== null },
  )
  .meta({ id: 'UsagePrice' });
export type UsagePriceBody = z.output<typeof usagePriceBody>;

/** As responses show it. */
export const usagePriceView = z
  .object({
    model: z.enum(USAGE_PRICE_MODELS),
    includedUnits: z.int(),
    packageSize: z.int().nullable(),
    tiers: z.array(z.object({ upTo: z.int().nullable(), unitPrice: z.int(), flatPrice: z.int() })).nullable(),
  })
  .meta({ id: 'ShownUsagePrice' });
export type ShownUsagePrice = z.output<typeof usagePriceView>;

/** The price as it is stored. */
export function storedUsagePrice({ model, includedUnits, packageSize, tiers }: UsagePriceBody): UsagePrice {
  if (model === 'PER_UNIT') return { model, includedUnits };
  if (model === 'PACKAGE') return { model, includedUnits, packageSize: packageSize ?? 1 };
  const stored = (tiers ?? []).map(({ upTo, unitPrice, flatPrice }) => ({
    upTo,
    unitPriceCents: unitPrice,
    flatPriceCents: flatPrice,
  }));
  return { model, includedUnits, tiers: stored };
}

export function presentUsagePrice(stored: UsagePrice): ShownUsagePrice {
  const { model, includedUnits } = stored;
  const packageSize = 'packageSize' in stored ? stored.packageSize : null;
  const tiers =
    'tiers' in stored
      ? stored.tiers.map(({ upTo, unitPriceCents, flatPriceCents }) => ({
          upTo,
          unitPrice: unitPriceCents,
          flatPrice: flatPriceCents,
        }))
      : null;
  return { model, includedUnits, packageSize, tiers };
}

/** Whether a request names the price that is stored. */
export function isSameUsagePrice(sent: UsagePriceBody | null, stored: UsagePrice | null): boolean {
  const of = (usage: UsagePrice | null) => JSON.stringify(usage && presentUsagePrice(usage));
  return of(sent && storedUsagePrice(sent)) === of(stored);
}

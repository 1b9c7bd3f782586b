import { z } from 'zod';
import { DEFAULT_RETRY_POLICY } from '../../domain/dunning-policy.ts';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { MAX_ADD_ONS } from '../../domain/subscribed-plan.ts';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription.ts';
import { MAX_UNITS } from '../../domain/usage-price.ts';
import { exampleCheckoutId, exampleProductId } from '../../wire/checkout.ts';
import { amountCents, idText, metadata, timestamp } from '../../wire/fields.ts';
import { CHANGE_STARTS, exampleSubscriptionId, PRORATION_WORDS } from '../../wire/subscription.ts';
import { common, item, listCheckoutsQuery, maxInstallments, method, quantity } from '../checkouts/schema.ts';
import { instantText } from '../frame/time-range.ts';
import { pixAutomatic } from '../mandates/pix-automatic.ts';
import { ignored } from '../transparents/late-terms.ts';
import { exampleUsageProductId } from './examples.ts';

/** Contract section 6. */
const MAX_RETRY_RULE = 'must be an integer between 1 and 10';
const RETRY_EVERY_RULE = 'must be an integer number of days between 1 and 30';
const NO_PASSED_FEES =
  'is not available for subscriptions: every cycle charges the same price, and its payer is not there to see another one';
const UNITS_RULE = `must be an integer between 1 and ${MAX_UNITS}`;

const retryPolicy = z.strictObject({
  maxRetry: z
    .int({ error: MAX_RETRY_RULE })
    .min(1, { error: MAX_RETRY_RULE })
    .max(10, { error: MAX_RETRY_RULE })
    .default(DEFAULT_RETRY_POLICY.maxRetry)
    .meta({ description: 'Failed attempts at one cycle after which the subscription is cancelled.' }),
  retryEvery: z
    .int({ error: RETRY_EVERY_RULE })
    .min(1, { error: RETRY_EVERY_RULE })
    .max(30, { error: RETRY_EVERY_RULE })
    .default(DEFAULT_RETRY_POLICY.retryEvery)
    .meta({ description: 'Days between two attempts. For a PIX subscription: how long each code is valid.' }),
});

const subscriptionCard = z
  .strictObject({
    maxInstallments,
    passFeesToCustomer: z.literal(false, { error: NO_PASSED_FEES }).optional(),
  })
  .nullish()
  .meta({ description: 'Each cycle is charged in one payment, and the store pays the card fees.' });

const addOns = z.array(item).max(MAX_ADD_ONS);

/** All add-ons after a change. */
const addOnsAfter = addOns.optional().meta({
  description:
    'All add-ons after the change; `[]` removes them. Those that it has already keep their price per unit, others cost what their product ' +
    'costs now.',
});

export const createSubscriptionBody = z.strictObject({
  ...common,
  card: subscriptionCard,
  items: z.array(item).length(1).meta({ description: 'Exactly one product, with a cycle.' }),
  addOns: addOns.default([]).meta({
    description:
      'Products that are charged with the plan every cycle, beside `items`: each with the cycle of the plan, and named once. The plan alone ' +
      'says whether there is a trial, and how usage is charged.',
  }),
  frequency: z.unknown().optional().meta({ description: "Ignored: the product's cycle applies." }),
  interest: ignored,
  fine: ignored,
  methods: z
    .array(method.exclude(['BOLETO']))
    .min(1)
    .max(2)
    .refine((methods) => new Set(methods).size === methods.length, { error: 'must not name a method twice' })
    .default(['CARD'])
    .meta({ description: 'Payment methods, in the order in which the page offers them.' }),
  coupons: common.coupons.meta({
    description: 'Codes that the payer may use with the first payment, or as a trial starts.',
    example: ['BEMVINDO10'],
  }),
  customerId: common.customerId.meta({ description: 'Pre-fills the page.' }),
  retryPolicy: retryPolicy.default(DEFAULT_RETRY_POLICY),
  pixAutomatic: pixAutomatic.optional().meta({
    description:
      'Asks a payer who pays by PIX to authorize the debits of later cycles (Pix Automático). `fixed`: every debit is of the price of the ' +
      'plan; a cycle of another amount is paid by a code. `variable`: each debit is of what its cycle costs, and the payer may set a ' +
      'ceiling. Without it, each cycle is paid by a code.',
  }),
});
export type CreateSubscriptionBody = z.output<typeof createSubscriptionBody>;

/** Filters of GET `/subscriptions/list`. */
export const listSubscriptionsQuery = listCheckoutsQuery.extend({
  id: idText(exampleCheckoutId)
    .optional()
    .meta({ description: 'The id of the checkout (`bill_…`) or of the subscription (`subs_…`).' }),
  checkoutId: idText(exampleCheckoutId).optional().meta({ description: 'The same as `id` with a `bill_…`.' }),
  subscriptionStatus: z.enum(SUBSCRIPTION_STATUSES).optional().meta({
    description:
      'The status of the subscription itself; `status` is the status of its checkout, and cannot be combined with it.',
  }),
});
export type ListSubscriptionsQuery = z.output<typeof listSubscriptionsQuery>;

const BY_RULE = 'Provide id, externalId or customerId';

/** Query of GET `/subscriptions/get`. */
export const findSubscriptionQuery = z
  .object({
    id: idText(exampleSubscriptionId).optional(),
    externalId: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: 'The `externalId` of its checkout.' }),
    customerId: z.string().min(1).max(100).optional().meta({ description: "The customer's id." }),
  })
  .refine((query) => Object.values(query).some((value) => value !== undefined), {
    path: ['id'],
    error: BY_RULE,
  });
export type FindSubscriptionQuery = z.output<typeof findSubscriptionQuery>;

/** Query of GET `/subscriptions/checkouts/get`. */
export const findSubscriptionCheckoutQuery = z
  .object({
    id: idText(exampleCheckoutId).optional(),
    externalId: z.string().min(1).max(255).optional(),
    customerId: z.string().min(1).max(100).optional().meta({ description: "The customer's id." }),
  })
  .refine((query) => Object.values(query).some((value) => value !== undefined), {
    path: ['id'],
    error: BY_RULE,
  });
export type FindSubscriptionCheckoutQuery = z.output<typeof findSubscriptionCheckoutQuery>;
export const subscriptionIdBody = z.strictObject({ id: idText(exampleSubscriptionId) });

export const cancelBody = subscriptionIdBody.extend({
  atPeriodEnd: z.boolean().default(false).meta({
    description:
      'True: with the end of the current cycle or trial, and it can be resumed until then. Default: at once.',
  }),
});
export type CancelBody = z.output<typeof cancelBody>;

export const pauseBody = subscriptionIdBody.extend({
  until: instantText('first')
    .nullable()
    .default(null)
    .meta({
      description:
        'When it resumes by itself, at most two years ahead. A day, such as 2027-03-20, counts from its beginning in São Paulo. ' +
        'Without it, somebody resumes it.',
      example: '2027-03-20',
    }),
  keepAnchor: z
    .boolean()
    .default(true)
    .meta({
      description:
        'True: after the pause, the next charge is on the next of its usual dates. False: the rest of the paid cycle follows the ' +
        'pause, and all later dates move by its length.',
    }),
});
export type PauseBody = z.output<typeof pauseBody>;

/** When a change of the plan starts, and how it is charged. */
const startOfChange = {
  when: z.enum(CHANGE_STARTS).default('next_cycle').meta({ description: 'When the new plan starts.' }),
  proration: z
    .enum(PRORATION_WORDS)
    .optional()
    .meta({
      description:
        'Only with `when: now`. `difference` (the default): the cycle keeps its end, and the rest of it is charged at the new price, less ' +
        'what was paid for it. `full`: a whole cycle of the new plan begins, less what was paid for the rest of the old one. `none`: nothing ' +
        'is charged before the next cycle.',
    }),
};

const changePlanTerms = {
  productId: idText(exampleProductId).meta({ description: 'A product with a cycle.' }),
  quantity,
  addOns: addOns.optional().meta({
    description:
      'All add-ons after the change; `[]` removes them. Without it they stay as they are, and the product needs the same cycle.',
  }),
  ...startOfChange,
};

const keepsProrationForNow = {
  check: ({ when, proration }: { when: string; proration?: string | undefined }) =>
    when === 'now' || proration === undefined,
  issue: { path: ['proration'], error: 'is only for when: now' },
};

export const updateBody = subscriptionIdBody
  .extend({
    card: z
      .strictObject({
        token: idText('ctok_01KAK0Z7Q3C5D7E9F1G3H5J7KM').meta({
          description: 'Of `card-tokens/create`: the card as its payer has just typed it.',
        }),
      })
      .optional()
      .meta({ description: 'Charges this card from now on, instead of another one or by PIX.' }),
    method: z.enum(['PIX', 'CARD']).optional().meta({
      description: '`PIX` charges by a new code every cycle instead of the card. `CARD` needs `card` too.',
    }),
    trialEnd: z
      .union([z.literal('now'), instantText('first')])
      .optional()
      .meta({
        description:
          'When the trial ends, at most two years ahead. A day, such as 2027-03-20, counts from its beginning in São Paulo. `now` ends it and ' +
          'charges the first cycle at once.',
        example: '2027-03-20',
      }),
    quantity: quantity.optional().meta({
      description:
        'The new quantity of the plan, at its current price per unit: from the next cycle, or at once with `when: now`. It replaces a pending change of plan.',
    }),
    addOns: addOnsAfter,
    when: startOfChange.when.meta({
      description: 'When the quantity or the add-ons change; only with `quantity` or `addOns`.',
    }),
    proration: startOfChange.proration,
    metadata: metadata
      .optional()
      .meta({ description: 'Replaces the metadata. Payments already made keep theirs.' }),
  })
  .refine(
    (body) =>
      [body.card ?? body.method, body.quantity ?? body.addOns, body.trialEnd, body.metadata].filter(
        (given) => given !== undefined,
      ).length === 1,
    {
      path: ['card'],
      error:
        'Provide exactly one of card, method, quantity, addOns, trialEnd and metadata, or quantity and addOns together',
    },
  )
  .refine(
    ({ method, card }) =>
      method === undefined || !METHOD_TRAITS[method].keepsInstrument || card !== undefined,
    {
      path: ['card'],
      error: 'is required for method CARD: the token of the card that will be charged',
    },
  )
  .refine(
    ({ method, card }) => method === undefined || METHOD_TRAITS[method].keepsInstrument || card === undefined,
    {
      path: ['card'],
      error: 'is only for method CARD',
    },
  )
  .refine((body) => (body.quantity ?? body.addOns) !== undefined || body.when === 'next_cycle', {
    path: ['when'],
    error: 'is only for quantity and addOns',
  })
  .refine(keepsProrationForNow.check, keepsProrationForNow.issue);
export type UpdateBody = z.output<typeof updateBody>;

export const changePlanBody = z
  .strictObject({ id: idText(exampleSubscriptionId), ...changePlanTerms })
  .refine(keepsProrationForNow.check, keepsProrationForNow.issue);
export type ChangePlanBody = z.output<typeof changePlanBody>;

export const previewBody = z
  .strictObject({
    id: idText(exampleSubscriptionId)
      .optional()
      .meta({ description: 'The subscription. Absent for a new one.' }),
    create: z
      .strictObject({
        productId: idText(exampleProductId).meta({ description: 'A product with a cycle.' }),
        quantity,
        addOns: addOns.default([]).meta({ description: 'As in `subscriptions/create`.' }),
        coupon: z.string().min(1).max(100).optional().meta({ description: 'The code of a coupon.' }),
      })
      .optional()
      .meta({ description: 'A subscription that starts now.' }),
    changePlan: z
      .strictObject(changePlanTerms)
      .refine(keepsProrationForNow.check, keepsProrationForNow.issue)
      .optional(),
    update: z
      .strictObject({ quantity: quantity.optional(), addOns: addOnsAfter, ...startOfChange })
      .refine((update) => (update.quantity ?? update.addOns) !== undefined, {
        path: ['quantity'],
        error: 'Provide quantity, addOns or both',
      })
      .refine(keepsProrationForNow.check, keepsProrationForNow.issue)
      .optional(),
    cancel: z.strictObject({ atPeriodEnd: z.boolean().default(false) }).optional(),
    resume: z.strictObject({}).optional(),
  })
  .refine(({ id, create }) => (id === undefined) !== (create === undefined), {
    path: ['id'],
    error: 'Provide either id or create',
  })
  .refine(
    ({ create, changePlan, update, cancel, resume }) =>
      [create, changePlan, update, cancel, resume].filter((given) => given !== undefined).length <= 1,
    { path: ['changePlan'], error: 'Provide at most one of create, changePlan, update, cancel and resume' },
  );
export type PreviewBody = z.output<typeof previewBody>;

export const recordUsageBody = z.strictObject({
  id: idText(exampleSubscriptionId),
  productId: idText(exampleUsageProductId).meta({ description: 'A product without a cycle.' }),
  units: z.int({ error: UNITS_RULE }).min(1, { error: UNITS_RULE }).max(MAX_UNITS, { error: UNITS_RULE }),
  action: z.enum(['add', 'subtract']),
});
export type RecordUsageBody = z.output<typeof recordUsageBody>;

export const usageView = z
  .object({
    id: z.string(),
    devMode: z.boolean(),
    subscriptionId: z.string(),
    productId: z.string(),
    units: z.int(),
    unitPrice: amountCents.nullable().meta({
      description: "Cents per unit, at the product's current price. Null if the product has a `usagePrice`.",
    }),
    action: z.enum(['add', 'subtract']),
    installmentNumber: z.int().meta({ description: 'The cycle whose charge includes it: the next one.' }),
    recordedAt: timestamp,
  })
  .meta({ id: 'UsageRecord' });
export type ShownUsage = z.output<typeof usageView>;

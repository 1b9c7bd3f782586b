import { z } from 'zod';
import { DEFAULT_RETRY_POLICY } from '../../domain/dunning-policy.ts';
import { MAX_ADD_ONS } from '../../domain/subscribed-plan.ts';
import { SUBSCRIPTION_STATUSES } from '../../domain/subscription.ts';
import { exampleCheckoutId } from '../../wire/checkout.ts';
import { idText } from '../../wire/fields.ts';
import { exampleSubscriptionId } from '../../wire/subscription/example.ts';
import { common, item, listCheckoutsQuery, maxInstallments, method } from '../checkouts/schema.ts';
import { instantText } from '../frame/time-range.ts';
import { pixAutomatic } from '../mandates/pix-automatic.ts';
import { ignored } from '../transparents/late-terms.ts';

/** Contract section 6. */
const MAX_RETRY_RULE = 'must be an integer between 1 and 10';
const RETRY_EVERY_RULE = 'must be an integer number of days between 1 and 30';
const NO_PASSED_FEES =
  'is not available for subscriptions: every cycle charges the same price, and its payer is not there to see another one';

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

/** Products that are charged with the plan. */
export const addOns = z.array(item).max(MAX_ADD_ONS);

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

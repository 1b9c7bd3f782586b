import { z } from 'zod';
import { METHOD_TRAITS } from '../../domain/payment-methods.ts';
import { exampleProductId } from '../../wire/checkout.ts';
import { idText, metadata } from '../../wire/fields.ts';
import { exampleSubscriptionId } from '../../wire/subscription/example.ts';
import { CHANGE_STARTS, PRORATION_WORDS } from '../../wire/subscription/plan-update.ts';
import { quantity } from '../checkouts/schema.ts';
import { instantText } from '../frame/time-range.ts';
import { addOns, subscriptionIdBody } from './schema.ts';

/** All add-ons after a change. */
const addOnsAfter = addOns.optional().meta({
  description:
    'All add-ons after the change; `[]` removes them. Those that it has already keep their price per unit, others cost what their product ' +
    'costs now.',
});

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

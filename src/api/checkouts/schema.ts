import { z } from 'zod';
import { isCardWallet } from '../../domain/card.ts';
import { CHECKOUT_METHODS, PAYMENT_METHODS } from '../../domain/charge.ts';
import { CHECKOUT_FREQUENCIES, CHECKOUT_STATUSES, linkableUrl } from '../../domain/checkout.ts';
import { checkoutView, exampleCheckout, exampleCheckoutId, exampleProductId } from '../../wire/checkout.ts';
import { idText, metadata, text } from '../../wire/fields.ts';
import { payer } from '../customers/fields.ts';
import { metadataQuery } from '../frame/metadata-filter.ts';
import { createdRange } from '../frame/time-range.ts';
import { checkoutLateTerms, withLateTerms } from '../transparents/late-terms.ts';

/** The page lists all items. Larger orders should use a product of their own. */
export const MAX_ITEMS = 100;
/** Far above any order, and small enough for exact sums. */
const MAX_QUANTITY = 1_000_000;
/** Contract section 11. */
export const MAX_COUPONS = 50;
/** The longest URL that browsers and proxies support. */
const MAX_URL_LENGTH = 2_000;

const QUANTITY_RULE = `must be an integer between 1 and ${MAX_QUANTITY}`;
const INSTALLMENTS_RULE = 'must be an integer between 1 and 12';

export const returnAddress = z
  .string()
  .max(MAX_URL_LENGTH)
  .refine((address) => linkableUrl(address) !== null, { error: 'must be an absolute http or https address' });

export const quantity = z
  .int({ error: QUANTITY_RULE })
  .min(1, { error: QUANTITY_RULE })
  .max(MAX_QUANTITY, { error: QUANTITY_RULE });

export const item = z
  .strictObject({
    id: z
      .string()
      .min(1)
      .max(255)
      .meta({ description: "The product's id, or its `externalId`.", example: exampleProductId }),
    quantity: quantity.default(1),
  })
  .meta({ id: 'OrderedItem' });

export const method = z.enum(PAYMENT_METHODS);

const checkoutMethod = z.enum(CHECKOUT_METHODS);

function methodsOf<const Methods extends readonly [string, ...string[]]>(methods: Methods) {
  return z
    .array(z.enum(methods))
    .min(1)
    .max(methods.length)
    .refine((chosen) => new Set(chosen).size === chosen.length, { error: 'must not name a method twice' });
}

export const maxInstallments = z
  .int({ error: INSTALLMENTS_RULE })
  .min(1, { error: INSTALLMENTS_RULE })
  .max(12, { error: INSTALLMENTS_RULE })
  .default(1);

const cardTerms = z.strictObject({
  maxInstallments,
  passFeesToCustomer: z.boolean().default(false).meta({
    description:
      'True: who pays with a card pays the card fees on top of the price, and you keep the price. PIX, boleto and wallets cost the price.',
  }),
});

export const common = {
  items: z.array(item).min(1).max(MAX_ITEMS),
  externalId: text(1, 255)
    .nullish()
    .meta({
      description:
        'Your own id. If a checkout that is paid once already has it, that checkout is the answer, whatever else the request says. ' +
        'Cancelled and deleted checkouts free it. Payment links and subscriptions need no unique one.',
    }),
  returnUrl: returnAddress.nullish().meta({ description: 'The target of the page\'s "back" link.' }),
  completionUrl: returnAddress.nullish().meta({ description: 'The payer is redirected here after paying.' }),
  methods: methodsOf(PAYMENT_METHODS)
    .default(['PIX', 'CARD'])
    .meta({ description: 'Payment methods, in the order in which the page offers them.' }),
  coupons: z
    .array(z.string().min(1).max(50))
    .max(MAX_COUPONS)
    .default([])
    .meta({ description: 'Coupon codes that the payer may use, one at a time.', example: ['BEMVINDO10'] }),
  metadata: metadata.nullish(),
  card: cardTerms.nullish().meta({
    description: 'Installments, each of at least R$ 10,00 of the price, and who pays the card fees.',
  }),
  upSellProductId: idText(exampleProductId).nullish().meta({
    description: 'A one-off product that the confirmation page offers: its id, or its `externalId`.',
  }),
  customerId: idText('cust_01KAK0Y3PN5C7D9E1F2G3H4J5K').nullish().meta({
    description:
      'Pre-fills the page. Anyone may pay through a payment link: payers can overwrite these fields, and are not treated as this customer.',
  }),
};

export const createCheckoutBody = withLateTerms(
  z
    .strictObject({
      ...common,
      ...checkoutLateTerms,
      methods: methodsOf(CHECKOUT_METHODS)
        .default(['PIX', 'CARD'])
        .meta({
          description:
            'Payment methods, in the order in which the page offers them. `APPLE_PAY` and `GOOGLE_PAY` are card payments in one installment, and only for `ONE_TIME`. ' +
            'Without `CARD`, the page takes no typed card.',
        }),
      frequency: z.enum(CHECKOUT_FREQUENCIES).exclude(['SUBSCRIPTION']).default('ONE_TIME').meta({
        description: '`ONE_TIME` is paid once; `MULTIPLE_PAYMENTS` is a payment link.',
      }),
    })
    .refine(({ frequency, methods }) => frequency === 'ONE_TIME' || !methods.some(isCardWallet), {
      path: ['methods'],
      error: 'may name APPLE_PAY and GOOGLE_PAY only with the frequency ONE_TIME',
    }),
);
export type CreateCheckoutBody = z.output<typeof createCheckoutBody>;

export const createPaymentLinkBody = withLateTerms(
  z.strictObject({
    ...common,
    ...checkoutLateTerms,
    frequency: z.literal('MULTIPLE_PAYMENTS').default('MULTIPLE_PAYMENTS'),
  }),
);

export const byCheckoutId = z.object({ id: idText(exampleCheckoutId) });
export const checkoutIdBody = z.strictObject({ id: idText(exampleCheckoutId) });

export const listCheckoutsQuery = z.object({
  id: idText(exampleCheckoutId).optional(),
  externalId: z.string().optional(),
  status: z.enum(CHECKOUT_STATUSES).optional(),
  email: z.string().optional().meta({ description: "The customer's e-mail." }),
  taxId: z.string().optional().meta({ description: 'CPF or CNPJ of the customer, formatted or bare.' }),
  customerId: z.string().max(100).optional().meta({ description: "The customer's id." }),
  method: checkoutMethod.optional().meta({ description: 'Offers this method, alone or with others.' }),
  keyword: z.string().min(1).max(200).optional().meta({
    description:
      "The checkout's id or `externalId`, or its customer's e-mail, tax id or the beginning of the customer's name.",
  }),
  ...createdRange,
  ...metadataQuery,
});
export type ListCheckoutsQuery = z.output<typeof listCheckoutsQuery>;

export const simulateBody = z.strictObject({
  id: idText(exampleCheckoutId),
  method: checkoutMethod
    .optional()
    .meta({ description: 'Default: `CARD` if a card is given, otherwise the first offered method.' }),
  card: z
    .strictObject({
      number: z.string().min(1).max(30),
      expiry: z
        .string()
        .max(10)
        .optional()
        .meta({ description: 'As printed on the card, `MM/AA`. Default: December of next year.' }),
    })
    .optional()
    .meta({ description: 'A test card. Default: 4242 4242 4242 4242.' }),
  installments: z
    .int({ error: INSTALLMENTS_RULE })
    .min(1, { error: INSTALLMENTS_RULE })
    .max(12, { error: INSTALLMENTS_RULE })
    .default(1),
  coupon: z.string().min(1).max(50).optional(),
  payer: payer.optional().meta({ description: 'The data that the payer enters.' }),
});
export type SimulateBody = z.output<typeof simulateBody>;

export const simulatedCheckout = checkoutView
  .extend({ paymentId: z.string().nullable().meta({ description: 'The charge that paid the checkout.' }) })
  .meta({ id: 'SimulatedCheckout' });

/** The example of the API reference. */
export const exampleCheckoutBody = {
  items: [{ id: exampleProductId, quantity: 2 }],
  externalId: 'order-1042',
  methods: ['PIX', 'CARD'] as ('PIX' | 'CARD')[],
  card: { maxInstallments: 3 },
  coupons: ['BEMVINDO10'],
  returnUrl: 'https://shop.example.com/cart',
  completionUrl: 'https://shop.example.com/thanks',
  metadata: { orderId: 'A-1042' },
};

export const examplePaymentLink = {
  ...exampleCheckout,
  frequency: 'MULTIPLE_PAYMENTS' as const,
  expiresAt: null,
};

export const examplePaidCheckout = {
  ...exampleCheckout,
  status: 'PAID' as const,
  paidAmount: 9_800,
  receiptUrl: 'https://pay.example.com/receipt/card_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
  paymentId: 'card_01KAK0Z7Q3C5D7E9F1G3H5J7KM',
};

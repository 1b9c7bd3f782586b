/** What can be imported, in the order in which rows refer to each other. */
export const IMPORT_KINDS = ['customer', 'product', 'coupon', 'subscription', 'payment'] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** How a payment in another system was paid. */
export const OUTSIDE_METHODS = ['PIX', 'BOLETO', 'CARD', 'OTHER'] as const;

/** How often a subscription product is charged (spec, "Product"; contract section 6). */
export const PRODUCT_CYCLES = ['WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUALLY', 'ANNUALLY'] as const;
export type ProductCycle = (typeof PRODUCT_CYCLES)[number];

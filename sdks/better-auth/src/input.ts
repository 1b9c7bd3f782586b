/** What the browser sends to buy. */
export interface CheckoutInput {
  readonly slug: string;
  readonly quantity: number;
}

export interface Issue {
  readonly message: string;
  readonly path: readonly string[];
}

const MAX_QUANTITY = 1_000_000;

/** The schema of a checkout's input (standardschema.dev), without a library. @param slugs what may be bought. */
export function checkoutInput(slugs: readonly string[]) {
  return {
    '~standard': {
      version: 1,
      vendor: 'recebe',
      validate(value: unknown): { readonly value: CheckoutInput } | { readonly issues: readonly Issue[] } {
        const { slug, quantity = 1 } = (value ?? {}) as Partial<Record<string, unknown>>;
        const issues: Issue[] = [];
        if (typeof slug !== 'string' || !slugs.includes(slug))
          issues.push({ path: ['slug'], message: `slug: must be one of ${slugs.join(', ')}` });
        if (!Number.isInteger(quantity) || (quantity as number) < 1 || (quantity as number) > MAX_QUANTITY)
          issues.push({
            path: ['quantity'],
            message: `quantity: must be a whole number from 1 to ${MAX_QUANTITY}`,
          });
        return issues.length > 0
          ? { issues }
          : { value: { slug: slug as string, quantity: quantity as number } };
      },
      types: undefined as unknown as {
        readonly input: { readonly slug: string; readonly quantity?: number };
        readonly output: CheckoutInput;
      },
    },
  } as const;
}

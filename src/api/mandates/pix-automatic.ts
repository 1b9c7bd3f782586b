import { z } from 'zod';
import type { MandateAmountKind } from '../../domain/mandate.ts';

/** The amounts of an authorization, in the words of requests. */
export const pixAutomatic = z.enum(['fixed', 'variable']);

export const MANDATE_AMOUNTS = {
  fixed: 'FIXED',
  variable: 'VARIABLE',
} as const satisfies Record<z.output<typeof pixAutomatic>, MandateAmountKind>;

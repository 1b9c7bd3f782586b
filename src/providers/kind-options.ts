import { ASAAS_OPTIONS } from './asaas/options.ts';
import { BACEN_OPTIONS } from './bacen/options.ts';
import type { KindName } from './kinds.ts';
import { STRIPE_OPTIONS } from './stripe/options.ts';

/** The options of each kind. Apart from the kinds, so that a command's help does not load their clients. */
export const KIND_OPTIONS = {
  bacen: BACEN_OPTIONS,
  asaas: ASAAS_OPTIONS,
  stripe: STRIPE_OPTIONS,
} as const satisfies Record<KindName, unknown>;

/** The name of a setting or secret that an option gives. */
export type OptionName = (typeof KIND_OPTIONS)[KindName][number]['name'];

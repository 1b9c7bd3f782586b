import { ASAAS_OPTIONS } from './asaas/options.ts';
import { BACEN_OPTIONS } from './bacen/options.ts';
import type { KindName } from './kinds.ts';
import type { AccountOption } from './provider-kind.ts';
import { STRIPE_OPTIONS } from './stripe/options.ts';

/** The command-line options of each kind. Apart from the kinds, so that a command's help does not load their clients. */
export const KIND_OPTIONS: Readonly<Record<KindName, readonly AccountOption[]>> = {
  bacen: BACEN_OPTIONS,
  asaas: ASAAS_OPTIONS,
  stripe: STRIPE_OPTIONS,
};

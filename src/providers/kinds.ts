import { ASAAS } from './asaas/kind.ts';
import { BACEN } from './bacen/kind.ts';
import type { ProviderKind } from './provider-kind.ts';
import { STRIPE } from './stripe/kind.ts';

const KINDS = { bacen: BACEN, asaas: ASAAS, stripe: STRIPE } satisfies Record<string, ProviderKind>;
export type KindName = keyof typeof KINDS;

/** Every kind of provider of real money, by its name for `accounts add --provider`. */
export const PROVIDER_KINDS: Readonly<Record<string, ProviderKind>> = KINDS;

import { BACEN } from './bacen/kind.ts';
import type { ProviderKind } from './provider-kind.ts';

/** Every kind of provider that real money can go to, by the name that `accounts add --provider` takes. */
export const PROVIDER_KINDS: Readonly<Record<string, ProviderKind>> = { bacen: BACEN };

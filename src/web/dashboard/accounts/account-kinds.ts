import type { ProviderAccount } from '../../../database/entities/provider-account.ts';
import { PROVIDER_USES, type ProviderUse } from '../../../domain/provider-use.ts';
import type { AccountOption, ProviderKind } from '../../../providers/provider-kind.ts';
import type { Visit } from '../frame/visit.ts';

/** An institution at which the form can add an account. */
export interface Institution {
  readonly kindName: string;
  readonly profile: string;
  readonly name: string;
  readonly kind: ProviderKind;
  readonly options: readonly AccountOption[];
  readonly uses: readonly ProviderUse[];
}

/** The institutions whose addresses are known, as a part of a path: `bacen.efi`. The command line has the others. */
export function institutions({ deps }: Visit): ReadonlyMap<string, Institution> {
  const all = Object.entries(deps.providerKinds).flatMap(([kindName, kind]) =>
    kind.profiles.flatMap((profile) => {
      const found = institutionOf(kindName, kind, profile);
      return found === null ? [] : [[`${kindName}.${profile}`, found] as const];
    }),
  );
  return new Map(all);
}

function institutionOf(kindName: string, kind: ProviderKind, profile: string): Institution | null {
  const name = kind.nameOf(profile);
  const options = kind.optionsOf(profile);
  if (name === null || options.length === 0) return null;
  const { pix, card, boleto, payout } = kind.describe(profile);
  const can = { PIX: pix, CARD: card, BOLETO: boleto, PAYOUT: payout };
  const uses = PROVIDER_USES.filter((use) => can[use] !== null);
  return { kindName, profile, name, kind, options, uses };
}

/** The kind of an account; null if this release does not know it. */
export function kindOf({ deps }: Visit, { kind, profile }: ProviderAccount): ProviderKind | null {
  const known = Object.hasOwn(deps.providerKinds, kind) ? deps.providerKinds[kind] : undefined;
  return known?.profiles.includes(profile) ? known : null;
}

/** What people call the institution of an account. */
export function institutionName(visit: Visit, account: ProviderAccount): string {
  return kindOf(visit, account)?.nameOf(account.profile) ?? account.profile;
}

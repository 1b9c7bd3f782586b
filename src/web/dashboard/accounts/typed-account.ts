import type { AccountChange } from '../../../accounts/accounts.ts';
import { splitCertificate } from '../../../accounts/certificate-files.ts';
import type { ProviderAccount } from '../../../database/entities/provider-account.ts';
import { PROVIDER_USES, type ProviderUse } from '../../../domain/provider-use.ts';
import type { AccountOption } from '../../../providers/provider-kind.ts';
import type { Visit } from '../frame/visit.ts';

/** The submitted settings, with blanks removed. Empty fields are left out. */
export function typedSettings(visit: Visit, options: readonly AccountOption[]): Record<string, string> {
  const settings = options.filter(({ gives }) => gives === 'SETTING');
  return Object.fromEntries(
    settings.map(({ name }) => [name, visit.field(name)] as const).filter(([, value]) => value !== ''),
  );
}

/** The submitted secrets, as text or as files. Empty fields are left out. */
export function typedSecrets(
  visit: Visit,
  options: readonly AccountOption[],
): Readonly<Record<string, string>> {
  const secrets = options.filter(({ gives }) => gives === 'SECRET');
  const given = secrets.map(({ name, input }) => {
    const text = input === 'FILE' ? (visit.files.get(name)?.toString('utf8') ?? '') : visit.field(name);
    return [name, text.trim()] as const;
  });
  return splitCertificate(Object.fromEntries(given.filter(([, value]) => value !== '')));
}

/** The submitted methods; unknown ones are left out. */
export function typedUses({ form }: Visit): readonly ProviderUse[] {
  const chosen = form.getAll('methods');
  return PROVIDER_USES.filter((use) => chosen.includes(use));
}

/** What the form changes: other values of settings, emptied optional settings, and secrets that were given. */
export function changeIn(
  visit: Visit,
  account: ProviderAccount,
  options: readonly AccountOption[],
): AccountChange {
  const typed = typedSettings(visit, options);
  const shown = options.filter(({ gives }) => gives === 'SETTING');
  const settings = shown.flatMap((option) => {
    const { name } = option;
    const before = account.settings[name] ?? defaultOf(option);
    const after = typed[name] ?? null;
    // A browser always sends a choice.
    const isLeftOut = after === null && typeof option.input !== 'string';
    return isLeftOut || before === after ? [] : [[name, after] as const];
  });
  return { settings: Object.fromEntries(settings), secrets: typedSecrets(visit, options) };
}

/** A choice without a stored value is its first one. */
function defaultOf({ input }: AccountOption): string | null {
  return typeof input === 'string' ? null : input[0];
}

import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { PROVIDER_USES, type ProviderUse } from '../domain/provider-use.ts';
import { KIND_OPTIONS } from '../providers/kind-options.ts';
import { type AccountOption, WrongAccountSetting } from '../providers/provider-kind.ts';
import { UsageError } from './usage-error.ts';

/** An account's credentials as options: settings as text, secrets as paths of files. The kinds define the others. */
export interface CredentialOptions {
  readonly setting?: readonly string[];
  readonly secretFile?: readonly string[];
  readonly [option: string]: unknown;
}

/** An option that several kinds share is shown once. */
const BY_FLAGS: ReadonlyMap<string, AccountOption> = new Map(
  Object.values(KIND_OPTIONS).flatMap((options) =>
    options.flatMap((option: AccountOption) =>
      option.flags === null ? [] : [[option.flags, option] as const],
    ),
  ),
);
const KNOWN = [...BY_FLAGS].map(([flags, { description, name, gives }]) => ({
  name,
  gives,
  option: new Option(flags, description),
}));

/** The option for each setting and secret; others use `--setting` or `--secret-file`. */
const OPTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(KNOWN.map(({ name, option }) => [name, option.long ?? option.flags])),
  store: '--store',
  provider: '--provider',
  profile: '--profile',
  methods: '--methods',
};

/** Secrets are read from files: arguments are visible in the process list and in the shell's history. */
export function addCredentialOptions(command: Command): Command {
  const some = (value: string, earlier: readonly string[] = []) => [...earlier, value];
  for (const { option } of KNOWN) command.addOption(option);
  return command
    .option('--setting <name=value>', 'any other setting of the provider', some)
    .option('--secret-file <name=file>', 'any other secret of the provider', some);
}

export function settingsIn(options: CredentialOptions): Record<string, string> {
  const { setting = [] } = options;
  return given([...knownIn(options, 'SETTING'), ...setting.map((text) => pairIn(text, '--setting'))]);
}

/** @throws UsageError if a file cannot be read. */
export function secretsIn(options: CredentialOptions): Record<string, string> {
  const { secretFile = [] } = options;
  const files = given([
    ...knownIn(options, 'SECRET'),
    ...secretFile.map((text) => pairIn(text, '--secret-file')),
  ]);
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, readSecret(name, file)]));
}

function knownIn(options: CredentialOptions, gives: AccountOption['gives']) {
  return KNOWN.filter((known) => known.gives === gives).map(({ name, option }) => {
    const value = options[option.attributeName()];
    return [name, typeof value === 'string' ? value : undefined] as const;
  });
}

function given(pairs: readonly (readonly [string, string | undefined])[]): Record<string, string> {
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

function pairIn(text: string, option: string): readonly [string, string] {
  const [name = '', ...rest] = text.split('=');
  if (name === '' || rest.length === 0) throw new UsageError(`${option}: must have the form name=value`);
  return [name, rest.join('=')];
}

function readSecret(name: string, file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').trim();
  } catch {
    throw new UsageError(`${OPTIONS[name] ?? '--secret-file'}: must be the path of a file that can be read`);
  }
}

/** @throws UsageError if one is not a valid use. */
export function usesIn(methods: string | undefined): readonly ProviderUse[] | null {
  if (methods === undefined) return null;
  const names = methods.split(',').map((name) => name.trim().toUpperCase());
  const isUse = (name: string): name is ProviderUse => PROVIDER_USES.some((use) => use === name);
  if (names.every(isUse)) return names;
  throw new UsageError(`--methods: must be of ${PROVIDER_USES.join(', ')}, separated by commas`);
}

/** Rewrites an error so that it names options instead of the account's settings. */
export async function namingOptions<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WrongAccountSetting)) throw error;
    throw new UsageError(
      error.problems.map(({ setting, rule }) => `${OPTIONS[setting] ?? setting}: ${rule}`).join('; '),
    );
  }
}

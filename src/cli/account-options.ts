import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { PROVIDER_USES, type ProviderUse } from '../domain/provider-use.ts';
import { WrongAccountSetting } from '../providers/provider-kind.ts';
import { UsageError } from './usage-error.ts';

/** An account's credentials as options: settings as text, secrets as paths of files. */
export interface CredentialOptions {
  readonly pixKey?: string;
  readonly clientId?: string;
  readonly setting?: readonly string[];
  readonly clientSecretFile?: string;
  readonly certificate?: string;
  readonly key?: string;
  readonly ca?: string;
  readonly secretFile?: readonly string[];
}

/** The option for each common setting and secret; others use `--setting` or `--secret-file`. */
const OPTIONS: Readonly<Record<string, string>> = {
  pixKey: '--pix-key',
  clientId: '--client-id',
  clientSecret: '--client-secret-file',
  certificate: '--certificate',
  privateKey: '--key',
  ca: '--ca',
  store: '--store',
  provider: '--provider',
  profile: '--profile',
  methods: '--methods',
};

/** Secrets are read from files: arguments are visible in the process list and in the shell's history. */
export function addCredentialOptions(command: Command): Command {
  const some = (value: string, earlier: readonly string[] = []) => [...earlier, value];
  return command
    .option('--pix-key <key>', 'the PIX key that receives payments, as registered at the bank')
    .option('--client-id <id>', 'of the application at the bank')
    .option('--setting <name=value>', 'any other setting of the provider', some)
    .option('--client-secret-file <file>', 'its secret; - reads standard input')
    .option('--certificate <file>', 'the certificate issued by the bank, as PEM')
    .option('--key <file>', 'the private key of the certificate, as PEM')
    .option(
      '--ca <file>',
      "the CA certificate that signed the bank server's certificate, if it is not a public one",
    )
    .option('--secret-file <name=file>', 'any other secret of the provider', some);
}

export function settingsIn({ pixKey, clientId, setting = [] }: CredentialOptions): Record<string, string> {
  return given([
    ['pixKey', pixKey],
    ['clientId', clientId],
    ...setting.map((text) => pairIn(text, '--setting')),
  ]);
}

/** @throws UsageError if a file cannot be read. */
export function secretsIn(options: CredentialOptions): Record<string, string> {
  const { clientSecretFile, certificate, key, ca, secretFile = [] } = options;
  const files = given([
    ['clientSecret', clientSecretFile],
    ['certificate', certificate],
    ['privateKey', key],
    ['ca', ca],
    ...secretFile.map((text) => pairIn(text, '--secret-file')),
  ]);
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, readSecret(name, file)]));
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

/** Rewrites an error so that it names the option instead of the account's setting. */
export async function namingOptions<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WrongAccountSetting)) throw error;
    throw new UsageError(`${OPTIONS[error.setting] ?? error.setting}: ${error.rule}`);
  }
}

import type { X509Certificate } from 'node:crypto';
import { z } from 'zod';
import { ProviderError } from '../provider-error.ts';
import {
  type AccountProblem,
  type ProviderAccountInput,
  refuseProblems,
  WrongAccountSetting,
} from '../provider-kind.ts';
import { readAllSettings } from '../read-settings.ts';
import type { BacenProfile, BankAddresses, MandatePaths } from './profile.ts';
import { BACEN_PROFILES, type BacenProfileName } from './profiles/index.ts';
import { certificatesIn } from './signed-by.ts';

const text = (rule: string) => z.string(rule).min(1, rule);
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`);
const ADDRESS = 'must be an https address, such as https://pix.bank.example/api/v2';
const address = z.url({ protocol: /^https$/, error: ADDRESS });
const PIX_KEY = 'must be a PIX key of the account, as its bank has it, of at most 77 characters';
const pixKey = text(PIX_KEY).max(77, PIX_KEY);
const AUTHORITY = 'must be the certificate of an authority, as PEM';
/** TLS ignores any other PEM, such as a key, and then trusts no server. These are the labels that OpenSSL reads. */
const CERTIFICATE_PEM = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/;
const pem = (rule: string) => z.string(rule).regex(/-----BEGIN [A-Z ]+-----/, rule);

/** The settings of an account that are not secret. */
const settingsSchema = z.strictObject({
  /** The bank's own environment: its sandbox moves no money. */
  bankEnvironment: oneOf(['production', 'sandbox']).default('production'),
  /** Replaces the profile's address: everything before `/cob`, or before the version if a profile has several. */
  apiUrl: address.optional(),
  /** Replaces the profile's token address. */
  tokenUrl: address.optional(),
  /** The PIX key that receives payments. */
  pixKey,
  /** The key of the store's own account, which receives payouts; without it there are none. */
  payoutKey: pixKey.optional(),
  clientId: text('must be the id that the bank has given to the application'),
  /** The account's number, if one application serves several accounts (Inter). */
  accountNumber: text('must be the number of the account').optional(),
  /** The account at the bank that debits under mandates pay into. Without it the account has no mandates. */
  receivingAccount: text('must be the number of the account at the bank').max(20).optional(),
  receivingBranch: z
    .string()
    .regex(/^\d{1,4}$/, 'must be the number of the branch, up to 4 digits')
    .optional(),
  receivingAccountType: oneOf(['CORRENTE', 'POUPANCA', 'PAGAMENTO']).default('CORRENTE'),
  /** Banco do Brasil's `gw-dev-app-key`. It is part of URLs, so it is not kept secret. */
  applicationKey: text("must be the key of the application at the bank's portal").optional(),
  /**
   * How the bank's notifications are authenticated. Their address always contains a secret; `mtls` also requires
   * the bank's certificate, signed by `bankAuthority` and with the name that follows.
   */
  notificationProof: oneOf(['token', 'mtls']).default('token'),
  /** The common name (CN) of the bank's certificate. */
  bankCertificateName: text("must be the common name (CN) of the bank's certificate").optional(),
});

/** The secrets of an account, stored encrypted. Each bank uses some of them. */
const secretsSchema = z.strictObject({
  clientSecret: text('must be the secret that the bank has given to the application').optional(),
  /** A token that never changes; only portals of sandboxes issue one. */
  accessToken: text("must be the token that the portal of the bank's sandbox shows").optional(),
  certificate: pem('must be the certificate that the bank has signed, and its chain, as PEM').optional(),
  privateKey: pem('must be the private key of the certificate, not encrypted, as PEM').optional(),
  /** The authority of the bank's server certificate, if it is not a public one. */
  ca: z.string(AUTHORITY).regex(CERTIFICATE_PEM, AUTHORITY).optional(),
  /** The authorities, one or several, of the certificate that the bank presents with notifications; not secret. */
  bankAuthority: pem(AUTHORITY).optional(),
  /** The last part of the notifications' address. */
  notificationSecret: text('must not be empty').optional(),
});

/** A store's account at a bank with API Pix. */
export interface BacenAccount {
  /** The value of a charge's `provider`. */
  readonly id: string;
  readonly profile: BacenProfile;
  readonly addresses: BankAddresses;
  readonly settings: z.output<typeof settingsSchema>;
  readonly secrets: z.output<typeof secretsSchema>;
  /** The authorities that may sign the certificate of the bank's notifications. */
  readonly bankAuthorities: readonly X509Certificate[];
}

/** @throws WrongAccountSetting naming all settings that are missing, unknown or malformed. */
export function readBacenAccount(input: ProviderAccountInput): BacenAccount {
  const profile = bacenProfile(input.profile);
  const { settings, secrets } = readAllSettings({ settings: settingsSchema, secrets: secretsSchema }, input);
  const usual = profile[settings.bankEnvironment];
  const [api, token] = [settings.apiUrl ?? usual?.api, settings.tokenUrl ?? usual?.token];
  refuseProblems(missingIn(profile, settings, secrets));
  if (api === undefined || token === undefined)
    throw new WrongAccountSetting(api === undefined ? 'apiUrl' : 'tokenUrl', NO_ADDRESS);
  const addresses = { api: api.endsWith('/') ? api.slice(0, -1) : api, token };
  return { id: input.id, profile, addresses, settings, secrets, bankAuthorities: authoritiesIn(secrets) };
}

const NO_ADDRESS = 'must be given: the profile names no address of the bank';

/** What another setting, or the profile, requires. */
function missingIn(
  profile: BacenProfile,
  settings: BacenAccount['settings'],
  secrets: BacenAccount['secrets'],
): readonly AccountProblem[] {
  const isMtls = settings.notificationProof === 'mtls';
  const ifMtls = 'must be given where notificationProof is mtls';
  return [
    ...(secrets.certificate !== undefined && secrets.privateKey === undefined
      ? [{ setting: 'privateKey', rule: 'must come with the certificate' }]
      : []),
    ...(isMtls && settings.bankCertificateName === undefined
      ? [{ setting: 'bankCertificateName', rule: ifMtls }]
      : []),
    ...(isMtls && secrets.bankAuthority === undefined ? [{ setting: 'bankAuthority', rule: ifMtls }] : []),
    ...(asksForSecret(profile) && secrets.accessToken === undefined && secrets.clientSecret === undefined
      ? [{ setting: 'clientSecret', rule: `must be given: ${profile.institution} asks for it` }]
      : []),
  ];
}

/** Whether the bank identifies its client by a secret; else the certificate alone does. */
export function asksForSecret({ token }: BacenProfile): boolean {
  return token.credentials !== 'FORM_WITHOUT_SECRET';
}

/** @throws ProviderError UNSUPPORTED if there is no profile of that name. */
export function bacenProfile(name: string): BacenProfile {
  if (Object.hasOwn(BACEN_PROFILES, name)) return BACEN_PROFILES[name as BacenProfileName];
  throw new ProviderError('UNSUPPORTED', `no profile ${name}`);
}

function authoritiesIn({ bankAuthority }: BacenAccount['secrets']): readonly X509Certificate[] {
  try {
    return bankAuthority === undefined ? [] : certificatesIn(bankAuthority);
  } catch {
    throw new WrongAccountSetting('bankAuthority', AUTHORITY);
  }
}

/** The resources of Pix Automático; null if the bank does not offer it, or the account names no account to pay into. */
export function mandatePathsOfAccount({
  profile,
  settings,
}: Pick<BacenAccount, 'profile' | 'settings'>): MandatePaths | null {
  return settings.receivingAccount === undefined ? null : profile.mandates;
}

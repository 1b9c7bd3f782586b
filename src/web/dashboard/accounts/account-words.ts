import type { ProviderUse } from '../../../domain/provider-use.ts';
import type { OptionName } from '../../../providers/kind-options.ts';
import type { MessageKey } from '../../i18n/catalogs.ts';
import type { Say } from '../frame/locale.ts';
import { methodName } from '../words.ts';

/** The label of an option, and what a right value looks like: the hint, and the problem of a wrong one. */
interface OptionWords {
  readonly label: MessageKey;
  readonly right: MessageKey;
}

const OPTIONS: Readonly<Record<OptionName, OptionWords>> = {
  stripeMode: {
    label: 'dashboard.accounts.option.environment',
    right: 'dashboard.accounts.right.environment',
  },
  asaasEnvironment: {
    label: 'dashboard.accounts.option.environment',
    right: 'dashboard.accounts.right.environment',
  },
  bankEnvironment: {
    label: 'dashboard.accounts.option.environment',
    right: 'dashboard.accounts.right.environment',
  },
  publishableKey: {
    label: 'dashboard.accounts.option.publishableKey',
    right: 'dashboard.accounts.right.publishableKey',
  },
  secretKey: { label: 'dashboard.accounts.option.secretKey', right: 'dashboard.accounts.right.secretKey' },
  webhookSecret: {
    label: 'dashboard.accounts.option.webhookSecret',
    right: 'dashboard.accounts.right.webhookSecret',
  },
  apiKey: { label: 'dashboard.accounts.option.apiKey', right: 'dashboard.accounts.right.apiKey' },
  contactEmail: {
    label: 'dashboard.accounts.option.contactEmail',
    right: 'dashboard.accounts.right.contactEmail',
  },
  payoutKey: { label: 'dashboard.accounts.option.payoutKey', right: 'dashboard.accounts.right.payoutKey' },
  cardFees: { label: 'dashboard.accounts.option.cardFees', right: 'dashboard.accounts.right.cardFees' },
  pixKey: { label: 'dashboard.accounts.option.pixKey', right: 'dashboard.accounts.right.pixKey' },
  clientId: { label: 'dashboard.accounts.option.clientId', right: 'dashboard.accounts.right.clientId' },
  clientSecret: {
    label: 'dashboard.accounts.option.clientSecret',
    right: 'dashboard.accounts.right.clientSecret',
  },
  accountNumber: {
    label: 'dashboard.accounts.option.accountNumber',
    right: 'dashboard.accounts.right.accountNumber',
  },
  applicationKey: {
    label: 'dashboard.accounts.option.applicationKey',
    right: 'dashboard.accounts.right.applicationKey',
  },
  certificate: {
    label: 'dashboard.accounts.option.certificate',
    right: 'dashboard.accounts.right.certificate',
  },
  privateKey: { label: 'dashboard.accounts.option.privateKey', right: 'dashboard.accounts.right.privateKey' },
  ca: { label: 'dashboard.accounts.option.ca', right: 'dashboard.accounts.right.ca' },
  notificationProof: {
    label: 'dashboard.accounts.option.notificationProof',
    right: 'dashboard.accounts.right.notificationProof',
  },
  bankCertificateName: {
    label: 'dashboard.accounts.option.bankCertificateName',
    right: 'dashboard.accounts.right.bankCertificateName',
  },
  bankAuthority: {
    label: 'dashboard.accounts.option.bankAuthority',
    right: 'dashboard.accounts.right.bankAuthority',
  },
};

function wordsOf(name: string): OptionWords | null {
  return Object.hasOwn(OPTIONS, name) ? OPTIONS[name as OptionName] : null;
}

/** The label of a setting or secret; its name if it has no words, such as one that only the command line gives. */
export function optionLabel(say: Say, name: string): string {
  const words = wordsOf(name);
  return words === null ? name : say(words.label);
}

/** What a right value looks like; null without words. */
export function rightValue(say: Say, name: string): string | null {
  const words = wordsOf(name);
  return words === null ? null : say(words.right);
}

const CHOICES: Readonly<Record<string, MessageKey>> = {
  live: 'dashboard.accounts.choice.production',
  production: 'dashboard.accounts.choice.production',
  test: 'dashboard.accounts.choice.test',
  sandbox: 'dashboard.accounts.choice.test',
  token: 'dashboard.accounts.choice.token',
  mtls: 'dashboard.accounts.choice.mtls',
};

/** The name of an option's value. */
export function choiceName(say: Say, value: string): string {
  const words = CHOICES[value];
  return words === undefined ? value : say(words);
}

export function useName(say: Say, use: ProviderUse): string {
  return use === 'PAYOUT' ? say('dashboard.payouts') : methodName(use, say);
}

/** The permissions of providers, under their names there, by what does not work without them. */
const PERMISSIONS: Readonly<Record<string, MessageKey>> = {
  PaymentIntents: 'dashboard.accounts.lacks.charge',
  SetupIntents: 'dashboard.accounts.lacks.cards',
  PaymentMethods: 'dashboard.accounts.lacks.cards',
  Customers: 'dashboard.accounts.lacks.storedCards',
  'Charges and Refunds': 'dashboard.accounts.lacks.refund',
  Disputes: 'dashboard.accounts.lacks.disputes',
  'Webhook Endpoints': 'dashboard.accounts.lacks.notifications',
  payments: 'dashboard.accounts.lacks.charge',
  customers: 'dashboard.accounts.lacks.charge',
  installments: 'dashboard.accounts.lacks.charge',
  chargebacks: 'dashboard.accounts.lacks.disputes',
  transfers: 'dashboard.accounts.lacks.payouts',
  webhooks: 'dashboard.accounts.lacks.notifications',
  'cob.read': 'dashboard.accounts.lacks.charge',
  'cob.write': 'dashboard.accounts.lacks.charge',
  'cobv.read': 'dashboard.accounts.lacks.duePix',
  'cobv.write': 'dashboard.accounts.lacks.duePix',
  'pix.read': 'dashboard.accounts.lacks.receive',
  'pix.write': 'dashboard.accounts.lacks.refund',
  'webhook.read': 'dashboard.accounts.lacks.notifications',
  'webhook.write': 'dashboard.accounts.lacks.notifications',
  'pix.send': 'dashboard.accounts.lacks.payouts',
  'gn.pix.send.read': 'dashboard.accounts.lacks.payouts',
  'gn.qrcodes.pay': 'dashboard.accounts.lacks.payouts',
};

/** What does not work without a permission; null if it is not known. A name may end in ` (write)`. */
export function lackOf(say: Say, permission: string): string | null {
  const words = PERMISSIONS[permission.replace(/ \((?:read|write)\)$/, '')];
  return words === undefined ? null : say(words);
}

const FAILURES: Readonly<Record<string, MessageKey>> = {
  UNAUTHORIZED: 'dashboard.accounts.failure.unauthorized',
  RATE_LIMITED: 'dashboard.accounts.failure.rateLimited',
  INVALID: 'dashboard.accounts.failure.invalid',
};

/** Why a provider did not answer, by the kind of its error. */
export function failureText(say: Say, kind: string): string {
  return say(FAILURES[kind] ?? 'dashboard.accounts.failure.retry');
}

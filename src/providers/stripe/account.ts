import { z } from 'zod';
import type { CardFees } from '../../domain/card-fees.ts';
import { isLoopbackHost } from '../../outbound/loopback.ts';
import { cardFeesSetting } from '../card-fees-setting.ts';
import { type ProviderAccountInput, refuseProblems } from '../provider-kind.ts';
import { readAllSettings } from '../read-settings.ts';

/** The address of Stripe's API. */
const STRIPE_API = 'https://api.stripe.com';
const API_URL = 'must be an https address without a path, or http on this machine';
export const STRIPE_MODES = ['live', 'test'] as const;
type StripeMode = (typeof STRIPE_MODES)[number];

const apiUrl = z.string(API_URL).refine(isApiAddress, API_URL);
const keyOf = (pattern: RegExp, rule: string) => z.string(rule).regex(pattern, rule);

const settingsSchema = z.strictObject({
  /** `test` moves no money. A key of the other mode is refused. */
  stripeMode: z.enum(STRIPE_MODES, `must be one of ${STRIPE_MODES.join(', ')}`).default('live'),
  /** Names the account in the payer's browser; not secret. */
  publishableKey: keyOf(
    /^pk_(?:live|test)_[A-Za-z0-9]{1,247}$/,
    'must be the publishable key, which starts with pk_live_ or pk_test_',
  ),
  /** Replaces Stripe's address, for a stand-in. Only in test mode. */
  apiUrl: apiUrl.default(STRIPE_API),
  cardFees: cardFeesSetting.optional(),
});

const secretsSchema = z.strictObject({
  /** A restricted key, or the account's secret key. */
  secretKey: keyOf(
    /^[rs]k_(?:live|test)_[A-Za-z0-9]{1,247}$/,
    'must be a restricted key, which starts with rk_live_ or rk_test_, or the secret key',
  ),
  /** Signs notifications. `accounts register` stores it. */
  webhookSecret: keyOf(
    /^whsec_[A-Za-z0-9+/=]{1,250}$/,
    "must be the webhook endpoint's signing secret, which starts with whsec_",
  ).optional(),
  /** The last part of the notifications' address. */
  notificationSecret: z.string('must not be empty').min(1, 'must not be empty').optional(),
});

/** A store's account at Stripe. */
export interface StripeAccount {
  /** The value of a charge's `provider`. */
  readonly id: string;
  readonly mode: StripeMode;
  readonly apiUrl: URL;
  readonly publishableKey: string;
  /** What Stripe keeps of card payments; null if the account does not say. */
  readonly cardFees: CardFees | null;
  readonly secrets: z.output<typeof secretsSchema>;
}

/** @throws WrongAccountSetting naming all settings that are missing, unknown, malformed, or of the other mode. */
export function readStripeAccount(input: ProviderAccountInput): StripeAccount {
  const { settings, secrets } = readAllSettings({ settings: settingsSchema, secrets: secretsSchema }, input);
  const { stripeMode: mode, publishableKey, cardFees = null } = settings;
  const ofMode = `must be a key of ${mode} mode, as stripeMode says`;
  refuseProblems([
    ...(modeOf(publishableKey) === mode ? [] : [{ setting: 'publishableKey', rule: ofMode }]),
    ...(modeOf(secrets.secretKey) === mode ? [] : [{ setting: 'secretKey', rule: ofMode }]),
    ...(mode === 'live' && settings.apiUrl !== STRIPE_API
      ? [{ setting: 'apiUrl', rule: `must be ${STRIPE_API} if stripeMode is live` }]
      : []),
  ]);
  return { id: input.id, mode, apiUrl: new URL(settings.apiUrl), publishableKey, cardFees, secrets };
}

function modeOf(key: string): string | undefined {
  return key.split('_')[1];
}

function isApiAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.pathname !== '/' || url.search !== '' || url.username !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}

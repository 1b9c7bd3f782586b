import { z } from 'zod';
import type { CardFees } from '../../domain/card-fees.ts';
import { isLoopbackHost } from '../../outbound/loopback.ts';
import { cardFeesSetting } from '../card-fees-setting.ts';
import { type ProviderAccountInput, WrongAccountSetting } from '../provider-kind.ts';
import { readAllSettings } from '../read-settings.ts';

const API_OF = { production: 'https://api.asaas.com', sandbox: 'https://api-sandbox.asaas.com' } as const;
const ENVIRONMENTS = ['production', 'sandbox'] as const;
const API_URL = 'must be an https address without a path, or http on this machine';
const PAYOUT_KEY = "must be the PIX key of the store's own account at its bank, of at most 77 characters";
/** Asaas accepts tokens of 32 to 255 characters (OpenAPI, `WebhookConfigSaveRequestDTO`). */
const WEBHOOK_TOKEN = 'must have 32 to 255 characters without spaces';

const settingsSchema = z.strictObject({
  /** The sandbox moves no money. */
  asaasEnvironment: z.enum(ENVIRONMENTS, `must be one of ${ENVIRONMENTS.join(', ')}`).default('production'),
  /** Replaces the address of Asaas, for a stand-in. Only in the sandbox. */
  apiUrl: z.string(API_URL).refine(isApiAddress, API_URL).optional(),
  /** Asaas writes to it if it stops notifying. */
  contactEmail: z.email('must be an e-mail address'),
  /** The key of the store's own account at its bank, which receives payouts; without it there are none. */
  payoutKey: z.string(PAYOUT_KEY).min(1, PAYOUT_KEY).max(77, PAYOUT_KEY).optional(),
  cardFees: cardFeesSetting.optional(),
});

const secretsSchema = z.strictObject({
  apiKey: z
    .string('must be the API key of the account')
    .regex(/^\S{1,512}$/, 'must be the API key of the account'),
  /** Asaas sends it with every notification. */
  webhookToken: z
    .string(WEBHOOK_TOKEN)
    .regex(/^\S{32,255}$/, WEBHOOK_TOKEN)
    .optional(),
  /** The last part of the notifications' address. */
  notificationSecret: z.string('must not be empty').min(1, 'must not be empty').optional(),
});

/** A store's account at Asaas. */
export interface AsaasAccount {
  /** The value of a charge's `provider`. */
  readonly id: string;
  readonly apiUrl: URL;
  readonly contactEmail: string;
  readonly payoutKey: string | null;
  /** What Asaas keeps of card payments; null if the account does not say. */
  readonly cardFees: CardFees | null;
  readonly secrets: z.output<typeof secretsSchema>;
}

/** @throws WrongAccountSetting naming all settings that are missing, unknown or malformed. */
export function readAsaasAccount(input: ProviderAccountInput): AsaasAccount {
  const { settings, secrets } = readAllSettings({ settings: settingsSchema, secrets: secretsSchema }, input);
  const { asaasEnvironment, apiUrl, contactEmail, payoutKey = null, cardFees = null } = settings;
  if (apiUrl !== undefined && asaasEnvironment === 'production')
    throw new WrongAccountSetting('apiUrl', 'must be absent unless asaasEnvironment is sandbox');
  const url = new URL(apiUrl ?? API_OF[asaasEnvironment]);
  return { id: input.id, apiUrl: url, contactEmail, payoutKey, cardFees, secrets };
}

function isApiAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.pathname !== '/' || url.search !== '' || url.username !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname));
}

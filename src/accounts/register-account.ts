import { type ProviderAccount, ProviderAccountEntity } from '../database/entities/provider-account.ts';
import type { Em } from '../database/orm.ts';
import type { NotificationsPort } from '../providers/ports/notifications.ts';
import { WrongAccountSetting } from '../providers/provider-kind.ts';
import { rotateAccount } from './accounts.ts';
import { type AccountKeeping, type AccountKeys, notificationPath, openAccount } from './open-account.ts';
import { requireAccount } from './provider-accounts.ts';
import { unservedReason } from './served-address.ts';

/** The service does not accept an account's notifications at its own address, so the provider must not send them there. */
export class AddressNotServed extends Error {
  readonly reason: string;
  /** Scheme, host and port: the path has a secret. */
  readonly origin: string;

  constructor(origin: string, reason: string) {
    super(`the service does not take notifications at ${origin} (${reason})`);
    this.name = 'AddressNotServed';
    this.origin = origin;
    this.reason = reason;
  }
}

/** The address to which a provider will send the notifications of an account. */
export interface Registration {
  readonly account: ProviderAccount;
  readonly notifications: NotificationsPort;
  /** With the account's secret. */
  readonly url: string;
}

/**
 * The registration of an account at a service's address. Makes no call to the provider.
 * @param baseUrl at which providers reach this service.
 * @param isChecked whether the service is called at that address first.
 * @throws WrongAccountSetting, AddressNotServed
 */
export async function registrationOf(
  account: ProviderAccount,
  keys: AccountKeys,
  { baseUrl, isChecked }: { readonly baseUrl: string; readonly isChecked: boolean },
): Promise<Registration> {
  if (!isReachedSafely(baseUrl))
    throw new WrongAccountSetting('url', 'must be an https address, such as https://pay.example.com');
  const { notifications } = openAccount(account, keys);
  if (notifications === undefined)
    throw new WrongAccountSetting('id', 'must be an account whose provider sends notifications');
  const { probe, proof } = notifications;
  const url = `${baseUrl.replace(/\/$/, '')}${notificationPath(account, keys.keys)}`;
  // Only the bank has the client certificate that such an account requires, so the check cannot call the address.
  const reason =
    isChecked && proof !== 'mtls' ? await unservedReason(`${url}${probe.path}`, probe.body) : null;
  if (reason !== null) throw new AddressNotServed(new URL(url).origin, reason);
  return { account, notifications, url };
}

/**
 * Stores that the provider has accepted the address, with the secrets that it made, such as the one that signs its
 * notifications. @returns the names of these secrets.
 */
export async function recordRegistration(
  keeping: AccountKeeping,
  id: string,
  secrets: Readonly<Record<string, string>>,
  now: Date,
): Promise<readonly string[]> {
  const changed = Object.keys(secrets);
  if (changed.length > 0) await rotateAccount(keeping, id, { settings: {}, secrets }, now);
  const account = await requireAccount(keeping.em, id);
  await markRegistered(keeping.em, account, now);
  return changed;
}

async function markRegistered(em: Em, { id }: ProviderAccount, registeredAt: Date): Promise<void> {
  await em.nativeUpdate(ProviderAccountEntity, { id }, { registeredAt });
}

/** The local `npm run psp` server may be called by http. */
function isReachedSafely(url: string): boolean {
  const { protocol, hostname = '' } = URL.parse(url) ?? {};
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname));
}

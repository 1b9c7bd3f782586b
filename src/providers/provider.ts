import type { BoletosPort } from './ports/boletos.ts';
import type { CardsPort } from './ports/cards.ts';
import type { ChargesPort } from './ports/charges.ts';
import type { DisputesPort } from './ports/disputes.ts';
import type { EvidencePort } from './ports/evidence.ts';
import type { ListingPort } from './ports/listing.ts';
import type { MandatesPort } from './ports/mandates.ts';
import type { NotificationsPort } from './ports/notifications.ts';
import type { PayoutsPort } from './ports/payouts.ts';
import type { PixPort } from './ports/pix.ts';
import type { StatementPort } from './ports/statement.ts';
import { ProviderError } from './provider-error.ts';

/** What a provider may be able to do: an absent port is a capability that it does not have. */
export interface ProviderPorts {
  readonly pix?: PixPort | undefined;
  readonly boletos?: BoletosPort | undefined;
  readonly cards?: CardsPort | undefined;
  readonly mandates?: MandatesPort | undefined;
  readonly payouts?: PayoutsPort | undefined;
  readonly disputes?: DisputesPort | undefined;
  /** Absent if disputes are answered elsewhere, as at the bank. */
  readonly evidence?: EvidencePort | undefined;
  readonly listing?: ListingPort | undefined;
  /** Absent if the provider lists no books of its own. */
  readonly statement?: StatementPort | undefined;
  readonly notifications?: NotificationsPort | undefined;
}
export type PortName = keyof ProviderPorts;

const PORTS: Readonly<Record<PortName, true>> = {
  pix: true,
  boletos: true,
  cards: true,
  mandates: true,
  payouts: true,
  disputes: true,
  evidence: true,
  listing: true,
  statement: true,
  notifications: true,
};
export const PORT_NAMES = Object.keys(PORTS) as readonly PortName[];

/**
 * A payment provider. Every call may be repeated with the same input and must then have one effect. Any call may
 * throw, which means "not known", never "no".
 */
export interface PaymentProvider extends ProviderPorts {
  /** The value of a charge's `provider`: the sandbox's name, or the id of the account that issued it. */
  readonly name: string;
  readonly charges: ChargesPort;
  /**
   * Permissions that the token lacks for these ports, under the provider's names. Empty if none is missing; absent
   * or null if the provider does not report the token's permissions.
   */
  missingPermissions?(): Promise<readonly string[] | null>;
}

/** A provider that has this port. */
export type ProviderWith<Port extends PortName> = PaymentProvider & {
  readonly [Name in Port]: NonNullable<ProviderPorts[Name]>;
};

/** Whether a provider has this port. */
export function hasPort<Port extends PortName>(
  provider: PaymentProvider,
  port: Port,
): provider is ProviderWith<Port> {
  return provider[port] !== undefined;
}

/**
 * A provider that an earlier step has chosen for this port, such as the issuer of a stored charge.
 * @throws ProviderError UNSUPPORTED if the provider does not have it.
 */
export function withPort<Port extends PortName>(provider: PaymentProvider, port: Port): ProviderWith<Port> {
  if (hasPort(provider, port)) return provider;
  throw new ProviderError('UNSUPPORTED', `this provider has no ${port}`);
}

/** The port itself. @throws ProviderError as {@link withPort}. */
export function portOf<Port extends PortName>(
  provider: PaymentProvider,
  port: Port,
): NonNullable<ProviderPorts[Port]> {
  return withPort(provider, port)[port];
}

import { CARD_WALLETS } from '../../domain/card.ts';
import type { Capabilities } from '../capabilities.ts';
import type { ProviderPayment } from '../ports/payment.ts';
import type { ProviderWith } from '../provider.ts';
import type { StripeAccount } from './account.ts';
import { issueBoleto, STRIPE_BOLETOS } from './boletos.ts';
import { acceptCard, chargeCard } from './cards.ts';
import { disputesOfPayment, stripeDisputes } from './disputes.ts';
import { stripeEvidence } from './evidence.ts';
import { stripeFields } from './fields.ts';
import { StripeIntents } from './intents.ts';
import { stripeListing } from './listing.ts';
import { missingPermissions } from './missing-permissions.ts';
import { stripeNotifications } from './notifications.ts';
import { refundAtStripe } from './refunds.ts';
import { stripeStatement } from './statement.ts';
import { findStoredCard, forgetCard } from './stored-cards.ts';
import { StripeClient } from './stripe-client.ts';
import { verifyCard } from './verify-card.ts';
import { stripeWalletPages } from './wallet-pages.ts';
import type { StripeIntent } from './wire.ts';

/** Stripe sets no limit; a refund to an old card may fail later. Stripe refuses every refund of a boleto. */
const REFUNDS = { partial: true, asynchronous: true, windowDays: null };
/** Stripe has no installments in Brazil (docs.stripe.com/payments/installments). Its intents wait for longer. */
const CARDS = { maxInstallments: 1, actionTimeoutMs: 15 * 60_000, wallets: CARD_WALLETS };

export const STRIPE_CAPABILITIES: Capabilities = {
  pix: null,
  boleto: STRIPE_BOLETOS,
  card: { ...CARDS, entry: 'PROVIDER_FIELDS' },
  mandate: null,
  refund: REFUNDS,
  payout: null,
  disputes: true,
  listings: true,
  notifications: 'hmac',
};

export interface StripeProvider
  extends ProviderWith<
    'boletos' | 'cards' | 'disputes' | 'evidence' | 'listing' | 'notifications' | 'statement'
  > {
  /** Closes its connections once no request is under way. */
  disconnect(): Promise<void>;
}

/** Cards and boletos at Stripe, for one account of a store. The reference of a charge is in the metadata of its payment intent. */
export function createStripeProvider(
  account: StripeAccount,
  options: { readonly timeoutMs?: number } = {},
): StripeProvider {
  const client = new StripeClient(account, options);
  const intents = new StripeIntents(client);

  const paymentOf = async (intent: StripeIntent): Promise<ProviderPayment | null> => {
    const payment = await intents.paymentIn(intent);
    const { latest_charge: charge } = intent;
    if (payment === null || charge == null || typeof charge === 'string' || !charge.disputed) return payment;
    const { providerPaymentId: id, reference } = payment;
    return { ...payment, disputes: await disputesOfPayment(client, { id, reference }) };
  };
  const paymentsOf = async (reference: string) => {
    const found = await intents.findAll(reference);
    const payments = await Promise.all(found.map(paymentOf));
    return { found, payments: payments.filter((payment) => payment !== null) };
  };

  return {
    name: account.id,
    charges: {
      refunds: REFUNDS,
      async findPayment(id) {
        const intent = await intents.get(id);
        return intent && paymentOf(intent);
      },
      async findByReference(reference) {
        const { found, payments } = await paymentsOf(reference);
        if (payments.length > 0) return { status: 'PAID', payments };
        if (found.length === 0) return null;
        return { status: found.every(({ status }) => status === 'canceled') ? 'CLOSED' : 'OPEN', payments };
      },
      close: (reference) => intents.close(reference),
      closeUnstored: (chargeId) => intents.close(chargeId),
      async findUnstored(chargeId) {
        const { found, payments } = await paymentsOf(chargeId);
        if (payments.length > 0) return { status: 'PAID', payments };
        return { status: found.every(({ status }) => status === 'canceled') ? 'GONE' : 'OPEN' };
      },
      refund: (request) => refundAtStripe(client, request),
    },
    boletos: { ...STRIPE_BOLETOS, issue: (request) => issueBoleto(client, intents, request) },
    cards: {
      ...CARDS,
      ...(account.cardFees !== null && { fees: account.cardFees }),
      entry: {
        kind: 'PROVIDER_FIELDS',
        fields: stripeFields(account),
        accept: (token, request) => acceptCard(client, token, request),
      },
      charge: (request) => chargeCard(client, intents, request),
      verify: (request) => verifyCard(client, request),
      find: (token) => findStoredCard(client, token),
      forget: (token) => forgetCard(client, token),
      walletPages: stripeWalletPages(client),
    },
    disputes: stripeDisputes(client, intents),
    evidence: stripeEvidence(client),
    listing: stripeListing(client),
    statement: stripeStatement(client),
    notifications: stripeNotifications(client, account),
    missingPermissions: () => missingPermissions(client),
    disconnect: () => client.close(),
  };
}

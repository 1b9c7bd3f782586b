import type { BoletoTerms } from './ports/boletos.ts';
import type { CardEntry, CardTerms } from './ports/cards.ts';
import type { RefundTerms } from './ports/charges.ts';
import type { MandateTerms } from './ports/mandates.ts';
import type { NotificationProof } from './ports/notifications.ts';
import type { PayoutTerms } from './ports/payouts.ts';
import type { PixTerms } from './ports/pix.ts';
import type { PaymentProvider } from './provider.ts';

/**
 * What a provider supports, as a table: for docs/guides/providers.md and `test/providers/conformance.ts`. Code asks
 * the provider's ports. Null or false means not supported.
 */
export interface Capabilities {
  /** `due`: it also issues codes with a due date. */
  readonly pix: (PixTerms & { readonly due?: true }) | null;
  readonly boleto: BoletoTerms | null;
  readonly card: (CardTerms & { readonly entry: CardEntry['kind'] }) | null;
  /** Recurring debits that the payer authorizes once. */
  readonly mandate: MandateTerms | null;
  readonly refund: RefundTerms;
  readonly payout: (PayoutTerms & { readonly listed: boolean }) | null;
  readonly disputes: boolean;
  /** Whether it lists payments and issued charges by time. */
  readonly listings: boolean;
  readonly notifications: NotificationProof | null;
}

const boletoTermsOf = (terms: BoletoTerms): BoletoTerms => ({
  minCents: terms.minCents,
  maxCents: terms.maxCents,
  minDueDays: terms.minDueDays,
  maxDueDays: terms.maxDueDays,
  interest: terms.interest,
  fine: terms.fine,
  payerNeeds: terms.payerNeeds,
  issuer: terms.issuer,
  codeShowsAmount: terms.codeShowsAmount,
});

const mandateTermsOf = (terms: MandateTerms): MandateTerms => ({
  periodicities: terms.periodicities,
  noticeDays: terms.noticeDays,
  retries: terms.retries,
  codes: terms.codes,
  amounts: terms.amounts,
  receivers: terms.receivers,
});

/** The capabilities of a provider: the ports that it has, and their terms. */
export function capabilitiesOf(provider: PaymentProvider): Capabilities {
  const { charges, pix, boletos, cards, mandates, payouts, disputes, listing, notifications } = provider;
  return {
    pix: pix
      ? {
          maxExpirySeconds: pix.maxExpirySeconds,
          ...(pix.namesPayer === true && { namesPayer: true }),
          ...(pix.issueDue !== undefined && { due: true }),
        }
      : null,
    boleto: boletos ? boletoTermsOf(boletos) : null,
    card: cards
      ? {
          maxInstallments: cards.maxInstallments,
          actionTimeoutMs: cards.actionTimeoutMs,
          ...(cards.namesPayer === true && { namesPayer: true }),
          ...(cards.wallets !== undefined && { wallets: cards.wallets }),
          ...(cards.paysEachInstallment === true && { paysEachInstallment: true }),
          ...(cards.lastInstallmentIsLarger === true && { lastInstallmentIsLarger: true }),
          entry: cards.entry.kind,
        }
      : null,
    mandate: mandates ? mandateTermsOf(mandates) : null,
    refund: charges.refunds,
    payout: payouts
      ? {
          pixKey: payouts.pixKey,
          ownAccount: payouts.ownAccount,
          txid: payouts.txid,
          listed: payouts.list !== undefined,
        }
      : null,
    disputes: disputes !== undefined,
    listings: listing !== undefined,
    notifications: notifications?.proof ?? null,
  };
}

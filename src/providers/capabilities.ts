/** Who stands behind a rail's boletos, as a boleto prints it (Febraban, ficha de compensação). */
export interface BoletoIssuer {
  readonly bankName: string;
  /** Agency and account of the beneficiary, as the bank writes them. */
  readonly agencyAndAccount: string;
  /** The bank's code for the kind of collection ("carteira"). */
  readonly wallet: string;
}

/**
 * What a rail can do. What it cannot is refused before anything is stored, is left out of the cases of
 * `test/providers/conformance.ts`, and reads "no" in the table of docs/guides/providers.md. Null, or false, is "not at
 * all".
 */
export interface Capabilities {
  /** Codes that are paid once, until they expire. */
  readonly pix: { readonly maxExpirySeconds: number } | null;
  /** Boletos with a bar code and a PIX code; less than `minCents` is refused. */
  readonly boleto: { readonly minCents: number; readonly issuer: BoletoIssuer } | null;
  readonly card: { readonly maxInstallments: number } | null;
  readonly refund: {
    /** Whether less than the payment can be sent back, and more than once. */
    readonly partial: boolean;
    /** Whether a refund may be PENDING. */
    readonly asynchronous: boolean;
    /** Days after the payment in which it can be sent back; null for no limit. */
    readonly windowDays: number | null;
  };
  readonly payout: {
    /** Where money can be sent: to any PIX key, and to the account that the rail knows as the store's own. */
    readonly pixKey: boolean;
    readonly ownAccount: boolean;
    /** Whether a transfer to a BR Code carries the code's txid to the payee. */
    readonly txid: boolean;
    /** Whether it lists by time what was sent, and what came back. */
    readonly listed: boolean;
  };
  /** Whether payers' banks question payments through it. */
  readonly disputes: boolean;
  /** Whether it lists payments by time. */
  readonly listings: boolean;
  /** How it proves that a notification is its own; `none` where it sends none. */
  readonly notifications: 'mtls' | 'hmac' | 'token' | 'none';
}

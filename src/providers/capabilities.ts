/** The bank behind a provider's boletos, as printed on them (Febraban, ficha de compensação). */
export interface BoletoIssuer {
  readonly bankName: string;
  /** Agency and account of the beneficiary, in the bank's format. */
  readonly agencyAndAccount: string;
  /** The bank's code for the kind of collection ("carteira"). */
  readonly wallet: string;
}

/**
 * What a provider supports. Recebe refuses anything else before it stores it. Unsupported features are skipped by
 * `test/providers/conformance.ts` and read "no" in the table of docs/guides/providers.md. Null or false means not
 * supported.
 */
export interface Capabilities {
  /** Codes that are paid once, until they expire. */
  readonly pix: { readonly maxExpirySeconds: number } | null;
  /** Boletos with a bar code and a PIX code; amounts below `minCents` are refused. */
  readonly boleto: { readonly minCents: number; readonly issuer: BoletoIssuer } | null;
  readonly card: { readonly maxInstallments: number } | null;
  readonly refund: {
    /** Whether it can refund parts, and more than once. */
    readonly partial: boolean;
    /** Whether a refund may be PENDING. */
    readonly asynchronous: boolean;
    /** Days after the payment in which it can be refunded; null for no limit. */
    readonly windowDays: number | null;
  };
  readonly payout: {
    /** Where money can be sent: to any PIX key, or to the store's own account at the provider. */
    readonly pixKey: boolean;
    readonly ownAccount: boolean;
    /** Whether a transfer to a BR Code carries the code's txid to the payee. */
    readonly txid: boolean;
    /** Whether it lists sent transfers and their returns by time. */
    readonly listed: boolean;
  };
  /** Whether payers' banks open disputes through it. */
  readonly disputes: boolean;
  /** Whether it lists payments by time. */
  readonly listings: boolean;
  /** How its notifications are authenticated; `none` if it sends none. */
  readonly notifications: 'mtls' | 'hmac' | 'token' | 'none';
}
